import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type PaymentRow = Tables['payments'];

/** The face value of a whole plan of installments, canceled ones left out. */
export async function selectPlanCents(db: Db, workspaceId: string, groupId: string): Promise<Cents> {
  const row = await db.row<{ cents: Cents }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payables
     where workspace_id = ${workspaceId} and installment_group_id = ${groupId} and status <> 'canceled'`);
  return row!.cents;
}

export function selectLivePayment(
  db: Db,
  workspaceId: string,
  payableId: string,
): Promise<PaymentRow | undefined> {
  return db.row<PaymentRow>(sql`
    select * from payments
     where workspace_id = ${workspaceId} and payable_id = ${payableId}
       and status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing')`);
}

export function selectPaymentsOf(db: Db, workspaceId: string, payableId: string): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(sql`
    select * from payments where workspace_id = ${workspaceId} and payable_id = ${payableId} order by id`);
}
