import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import { raw, sql } from '../../db/sql.ts';
import type { PaymentRow } from '../charges/index.ts';

export type NewPayment = Omit<PaymentRow, 'created_at' | 'updated_at' | 'version'>;

const columns = raw(
  [
    'organization_id, id, person_id, charge_id, agreement_id, installment_id, amount_cents, paid_on, effective_on',
    'credited_on, method, fee_cents, principal_cents, discount_cents, interest_cents, fine_cents, excess_cents',
    'external_id, end_to_end_id, payer, kind, needs_refund, status, reversed_at, reversed_reason, channel',
    'notification_id, step_id, steps_before, recovered_cents, days_overdue, source, created_by',
  ].join(', '),
);

export const paymentRowSorts = sortsOf({
  paid_at: { column: 'p.paid_on', keyForm: 'date' },
  created_at: { column: 'p.created_at', keyForm: 'instant' },
});

export interface PaymentFilter extends TimeFilters {
  readonly charge_id?: string | undefined;
  readonly agreement_id?: string | undefined;
  readonly person_id?: string | undefined;
  readonly paid_from?: string | undefined;
  readonly paid_to?: string | undefined;
  readonly method?: string | undefined;
  readonly status?: string | undefined;
  readonly kind?: string | undefined;
  readonly needs_refund?: boolean | undefined;
  readonly external_id?: string | undefined;
}

/** False when another payment has the external id or the end-to-end id already. */
export async function insertPayment(db: Db, payment: NewPayment, now: Date): Promise<boolean> {
  const count = await db.run(sql`
    insert into dunning_payments (${columns}, created_at, updated_at)
    select ${columns}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_populate_record(null::dunning_payments, ${JSON.stringify(payment)}::jsonb)
    on conflict do nothing`);
  return count === 1;
}

export function updatePayment(db: Db, payment: PaymentRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_payments p
       set (${columns}, updated_at, version) = (
         select ${columns}, ${now}::timestamptz, p.version + 1
           from jsonb_populate_record(null::dunning_payments, ${JSON.stringify(payment)}::jsonb))
     where p.organization_id = ${payment.organization_id} and p.id = ${payment.id}`);
}

export function selectPayment(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<PaymentRow | undefined> {
  return db.row<PaymentRow>(sql`
    select * from dunning_payments
     where organization_id = ${organizationId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

/** The payments that are known outside by one of the ids. */
export function selectPaymentsKnownAs(
  db: Db,
  organizationId: string,
  externalId: string | null,
  endToEndId: string | null,
): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(sql`
    select * from dunning_payments
     where organization_id = ${organizationId}
       and (external_id = ${externalId}::text or end_to_end_id = ${endToEndId}::text)
     order by id`);
}

export function selectPaymentPage(
  db: Db,
  organizationId: string,
  filter: PaymentFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(sql`
    select p.* from dunning_payments p
     where p.organization_id = ${organizationId}
       ${all(
         filter.charge_id !== undefined && sql`p.charge_id = ${filter.charge_id}`,
         filter.agreement_id !== undefined && sql`p.agreement_id = ${filter.agreement_id}`,
         filter.person_id !== undefined && sql`p.person_id = ${filter.person_id}`,
         filter.paid_from !== undefined && sql`p.paid_on >= ${filter.paid_from}::date`,
         filter.paid_to !== undefined && sql`p.paid_on <= ${filter.paid_to}::date`,
         filter.method !== undefined && sql`p.method = ${filter.method}`,
         filter.status !== undefined && sql`p.status = ${filter.status}`,
         filter.kind !== undefined && sql`p.kind = ${filter.kind}`,
         filter.needs_refund !== undefined && sql`p.needs_refund = ${filter.needs_refund}`,
         filter.external_id !== undefined && sql`p.external_id = ${filter.external_id}`,
       )}
       ${timeFilters(filter, 'p')}
       ${after(page.sort, page.position, 'p.id')}
     ${orderAndLimit(page.sort, page.limit, 'p.id')}`);
}
