import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type LinkedChargeRow = Pick<
  Tables['dunning_charges'],
  'id' | 'status' | 'agreement_id' | 'finance_workspace_id' | 'finance_receivable_id'
>;

/** What of a charge decides about its receivable. */
export function selectLinkedCharge(
  db: Db,
  organizationId: string,
  id: string,
): Promise<LinkedChargeRow | undefined> {
  return db.row<LinkedChargeRow>(sql`
    select id, status, agreement_id, finance_workspace_id, finance_receivable_id from dunning_charges
     where organization_id = ${organizationId} and id = ${id}`);
}

/** The charge and all that it has an agreement in common with. */
export async function selectTiedChargeIds(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select ${chargeId}::uuid as id
    union
    select other.charge_id
      from dunning_agreement_charges part
      join dunning_agreement_charges other
        on other.organization_id = part.organization_id and other.agreement_id = part.agreement_id
     where part.organization_id = ${organizationId} and part.charge_id = ${chargeId}`);
  return rows.map(({ id }) => id);
}

export type LinkedPaymentRow = Tables['dunning_payments'];

/**
 * Payments of a charge in the order in which they were made, reversed ones included; also those that finance told of
 * while the charge was part of an agreement, and which went into its installments.
 */
export function selectPayments(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<LinkedPaymentRow[]> {
  return db.rows<LinkedPaymentRow>(sql`
    select * from dunning_payments
     where organization_id = ${organizationId} and charge_id = ${chargeId}
    union all
    select payment.*
      from dunning_agreement_charges part
      join dunning_payments payment
        on payment.organization_id = part.organization_id and payment.agreement_id = part.agreement_id
     where part.organization_id = ${organizationId} and part.charge_id = ${chargeId} and payment.source = 'finance'
     order by paid_on, id`);
}
