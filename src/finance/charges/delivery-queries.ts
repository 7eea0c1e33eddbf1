import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { Delivery } from './schema.ts';

export type DeliveryRow = Tables['charge_deliveries'] & { status: Delivery['status'] };

/** Newest first, at most 100. */
export function selectDeliveries(db: Db, workspaceId: string, chargeId: string): Promise<DeliveryRow[]> {
  return db.rows<DeliveryRow>(sql`
    select * from charge_deliveries
     where workspace_id = ${workspaceId} and charge_id = ${chargeId}
     order by created_at desc, id desc
     limit 100`);
}

/** `lock` keeps two runs of one job from both sending. */
export function selectDelivery(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<DeliveryRow | undefined> {
  return db.row<DeliveryRow>(sql`
    select * from charge_deliveries
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function insertDelivery(
  db: Db,
  delivery: Pick<DeliveryRow, 'workspace_id' | 'id' | 'charge_id' | 'recipient' | 'created_by'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into charge_deliveries (workspace_id, id, charge_id, channel, recipient, status, created_by, created_at,
                                   updated_at)
    values (${delivery.workspace_id}, ${delivery.id}, ${delivery.charge_id}, 'email', ${delivery.recipient},
            'queued', ${delivery.created_by}, ${now}, ${now})`);
}

export function updateDelivery(db: Db, delivery: DeliveryRow, now: Date): Promise<number> {
  return db.run(sql`
    update charge_deliveries
       set status = ${delivery.status}, message_id = ${delivery.message_id},
           failed_reason = ${delivery.failed_reason}, attempts = ${delivery.attempts}, updated_at = ${now}
     where workspace_id = ${delivery.workspace_id} and id = ${delivery.id}`);
}
