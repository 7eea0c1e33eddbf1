import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import type { Entry } from './reckoning.ts';

export type PaymentRow = Tables['dunning_payments'];

export type EntryRow = Entry & { readonly charge_id: string };

/**
 * What counts for some charges, in the order of the replay: their own payments, duplicates apart unless they are asked
 * for, and what agreements credited. A credit whose payment was reversed counts no more.
 */
export function selectEntries(
  db: Db,
  organizationId: string,
  chargeIds: readonly string[],
  withDuplicates = false,
): Promise<EntryRow[]> {
  return db.rows<EntryRow>(sql`
    select charge_id, payment_id, paid_on, effective_on, amount_cents, discount_cents from (
      select p.charge_id, p.id, p.id as payment_id, p.paid_on, p.effective_on, p.amount_cents::bigint,
             0::bigint as discount_cents
        from dunning_payments p
       where p.organization_id = ${organizationId} and p.charge_id = any(${chargeIds}::uuid[])
         and p.status = 'confirmed' and (p.kind <> 'duplicate' or ${withDuplicates})
      union all
      select a.charge_id, a.id, null, a.credited_on, a.credited_on, a.amount_cents::bigint, a.discount_cents::bigint
        from dunning_agreement_credits a
        left join dunning_payments p on p.organization_id = a.organization_id and p.id = a.payment_id
       where a.organization_id = ${organizationId} and a.charge_id = any(${chargeIds}::uuid[])
         and (a.payment_id is null or p.status = 'confirmed') and a.amount_cents + a.discount_cents > 0
    ) entries
    order by charge_id, effective_on, discount_cents > 0, id`);
}

/** Payments of a charge, reversed ones included, in the order in which they were made. */
export function selectPaymentsOfCharge(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(sql`
    select * from dunning_payments
     where organization_id = ${organizationId} and charge_id = ${chargeId}
     order by paid_on, id`);
}

/** How a payment is used, as a replay finds it. */
export type PaymentUse = Pick<
  PaymentRow,
  | 'id'
  | 'principal_cents'
  | 'discount_cents'
  | 'interest_cents'
  | 'fine_cents'
  | 'excess_cents'
  | 'kind'
  | 'needs_refund'
  | 'steps_before'
  | 'recovered_cents'
  | 'days_overdue'
>;

/** Writes how some payments are used, in one statement. */
export function updatePaymentUses(
  db: Db,
  organizationId: string,
  uses: readonly PaymentUse[],
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_payments p
       set principal_cents = u.principal_cents, discount_cents = u.discount_cents,
           interest_cents = u.interest_cents, fine_cents = u.fine_cents, excess_cents = u.excess_cents,
           kind = u.kind, needs_refund = u.needs_refund, steps_before = u.steps_before,
           recovered_cents = u.recovered_cents, days_overdue = u.days_overdue,
           updated_at = ${now}::timestamptz, version = p.version + 1
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
           as u (id uuid, principal_cents bigint, discount_cents bigint, interest_cents bigint, fine_cents bigint,
                 excess_cents bigint, kind text, needs_refund boolean, steps_before integer,
                 recovered_cents bigint, days_overdue integer)
     where p.organization_id = ${organizationId} and p.id = u.id`);
}

/** Messages of the rule that had gone out for a charge up to a day, in the zone of the organization. */
export async function countStepsUntil(
  db: Db,
  organizationId: string,
  chargeId: string,
  until: string,
  timeZone: string,
): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from dunning_step_executions
     where organization_id = ${organizationId} and charge_id = ${chargeId} and status = 'done'
       and action = 'message' and (done_at at time zone ${timeZone})::date <= ${until}::date`);
  return row!.count;
}
