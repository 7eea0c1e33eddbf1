import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type LinkedChargeRow = Pick<
  Tables['dunning_charges'],
  'id' | 'status' | 'finance_workspace_id' | 'finance_receivable_id'
>;

/** What of a charge decides about its receivable. */
export function selectLinkedCharge(
  db: Db,
  organizationId: string,
  id: string,
): Promise<LinkedChargeRow | undefined> {
  return db.row<LinkedChargeRow>(sql`
    select id, status, finance_workspace_id, finance_receivable_id from dunning_charges
     where organization_id = ${organizationId} and id = ${id}`);
}

export type LinkedPaymentRow = Tables['dunning_payments'];

/** Payments of a charge in the order in which they were made, reversed ones included. */
export function selectPayments(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<LinkedPaymentRow[]> {
  return db.rows<LinkedPaymentRow>(sql`
    select * from dunning_payments
     where organization_id = ${organizationId} and charge_id = ${chargeId}
     order by paid_on, id`);
}
