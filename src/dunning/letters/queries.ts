import type { CivilDate } from '../../core/dates.ts';
import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { empty, sql } from '../../db/sql.ts';

export interface ChargePlace {
  readonly id: string;
  readonly due_date: CivilDate;
}

/** The next charges of the debtor by due date; archived and canceled ones are part of the history. */
export function selectNextCharges(
  db: Db,
  organizationId: string,
  personId: string,
  after: ChargePlace | null,
  limit: number,
): Promise<ChargePlace[]> {
  return db.rows<ChargePlace>(sql`
    select id, due_date from dunning_charges
     where organization_id = ${organizationId} and person_id = ${personId}
       ${after === null ? empty : sql`and (due_date, id) > (${after.due_date}::date, ${after.id}::uuid)`}
     order by due_date, id limit ${limit}`);
}

export async function countCharges(db: Db, organizationId: string, personId: string): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from dunning_charges
     where organization_id = ${organizationId} and person_id = ${personId}`);
  return row!.count;
}

export type LetterPayment = Pick<
  Tables['dunning_payments'],
  | 'charge_id'
  | 'paid_on'
  | 'method'
  | 'kind'
  | 'amount_cents'
  | 'principal_cents'
  | 'discount_cents'
  | 'interest_cents'
  | 'fine_cents'
  | 'excess_cents'
>;

/** What was paid on some charges themselves up to a day, in order. */
export function selectPayments(
  db: Db,
  organizationId: string,
  chargeIds: readonly string[],
  until: CivilDate,
): Promise<LetterPayment[]> {
  return db.rows<LetterPayment>(sql`
    select charge_id, paid_on, method, kind, amount_cents, principal_cents, discount_cents, interest_cents,
           fine_cents, excess_cents
      from dunning_payments
     where organization_id = ${organizationId} and charge_id = any(${chargeIds}::uuid[]) and status = 'confirmed'
       and paid_on <= ${until}::date
     order by charge_id, paid_on, id`);
}

/** Agreements that bound the debtor, in order of their making. */
export async function selectBindingAgreementIds(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from dunning_agreements
     where organization_id = ${organizationId} and person_id = ${personId} and accepted_at is not null
     order by created_at, id`);
  return rows.map(({ id }) => id);
}

/** What the debtor paid and nothing needed, up to a day, as far as it was not given back. */
export async function selectCredit(
  db: Db,
  organizationId: string,
  personId: string,
  until: CivilDate,
): Promise<number> {
  const row = await db.row<{ cents: number }>(sql`
    select coalesce(sum(excess_cents), 0)::bigint as cents from dunning_payments
     where organization_id = ${organizationId} and person_id = ${personId} and status = 'confirmed'
       and needs_refund and paid_on <= ${until}::date`);
  return row!.cents;
}
