import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
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
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { PaymentStatus, RegistrationStatus } from './rules.ts';

export type PaymentRow = Tables['payments'] & {
  status: PaymentStatus;
  registration_status: RegistrationStatus;
};

export const paymentSorts = sortsOf({ scheduled_for: { column: 'scheduled_for', keyForm: 'date' } });

export interface PaymentFilter extends TimeFilters {
  status?: string | undefined;
  account_id?: string | undefined;
  payable_id?: string | undefined;
  kind?: string | undefined;
  scheduled_from?: string | undefined;
  scheduled_to?: string | undefined;
}

export function selectPayments(
  db: Db,
  workspaceId: string,
  filter: PaymentFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(sql`
    select * from payments
     where workspace_id = ${workspaceId}
       ${all(
         filter.status !== undefined && sql`status = ${filter.status}`,
         filter.account_id !== undefined && sql`account_id = ${filter.account_id}`,
         filter.payable_id !== undefined && sql`payable_id = ${filter.payable_id}`,
         filter.kind !== undefined && sql`kind = ${filter.kind}`,
         filter.scheduled_from !== undefined && sql`scheduled_for >= ${filter.scheduled_from}::date`,
         filter.scheduled_to !== undefined && sql`scheduled_for <= ${filter.scheduled_to}::date`,
       )}
       ${timeFilters(filter, 'payments')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectPayment(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<PaymentRow | undefined> {
  return db.row<PaymentRow>(sql`
    select * from payments where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function selectLivePayment(
  db: Db,
  workspaceId: string,
  payableId: string,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select id from payments
     where workspace_id = ${workspaceId} and payable_id = ${payableId}
       and status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing')`);
}

export interface LookalikeRow {
  kind: 'payable' | 'payment';
  id: string;
  on: CivilDate;
}

/**
 * What might be the same bill: payables of the person with the same face value and a due date within the days
 * given, and orders for other payables of the person with that amount; whatever the person, both also with the
 * same barcode. Orders that failed and bills called off do not count.
 */
export function selectLookalikes(
  db: Db,
  workspaceId: string,
  bill: {
    payableId: string;
    personId: string;
    faceValue: Cents;
    amount: Cents;
    barcode: string | null;
    dueFrom: CivilDate;
    dueTo: CivilDate;
    scheduledFrom: CivilDate;
    scheduledTo: CivilDate;
  },
  limit: number,
): Promise<LookalikeRow[]> {
  return db.rows<LookalikeRow>(sql`
    select 'payable' as kind, id, due_date as "on" from payables
     where workspace_id = ${workspaceId} and id <> ${bill.payableId} and status <> 'canceled'
       and person_id = ${bill.personId} and amount_cents = ${bill.faceValue}
       and due_date between ${bill.dueFrom}::date and ${bill.dueTo}::date
    union
    select 'payable', id, due_date from payables
     where workspace_id = ${workspaceId} and id <> ${bill.payableId} and status <> 'canceled'
       and payment_details->>'barcode' = ${bill.barcode}
    union
    select 'payment', payments.id, payments.scheduled_for from payments
      join payables on payables.workspace_id = payments.workspace_id and payables.id = payments.payable_id
     where payments.workspace_id = ${workspaceId} and payments.payable_id <> ${bill.payableId}
       and payments.status not in ('canceled', 'rejected', 'failed')
       and payables.person_id = ${bill.personId} and payments.amount_cents = ${bill.amount}
       and payments.scheduled_for between ${bill.scheduledFrom}::date and ${bill.scheduledTo}::date
    union
    select 'payment', id, scheduled_for from payments
     where workspace_id = ${workspaceId} and payable_id <> ${bill.payableId}
       and status not in ('canceled', 'rejected', 'failed')
       and details->>'barcode' = ${bill.barcode}
     order by 1, 3, 2
     limit ${limit}`);
}

/** What has left or will leave the account by orders that may still pay, in centavos. */
export async function selectOnItsWay(db: Db, workspaceId: string, accountId: string): Promise<Cents> {
  const row = await db.row<{ cents: Cents }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payments
     where workspace_id = ${workspaceId} and account_id = ${accountId}
       and status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing')`);
  return row!.cents;
}

/** Whoever sends through the same connection waits here, so that what it sent today is a final sum. */
export function lockConnection(db: Db, workspaceId: string, connection: Connection): Promise<number> {
  const key = `payments/${workspaceId}/${connection.tokenId ?? connection.userId}`;
  return db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

/** Whose orders are counted together; without a token, those that the person made without one. */
export interface Connection {
  readonly tokenId: string | null;
  readonly userId: string;
}

/** What the connection sent on a civil day of the zone and what was not called off or refused, in centavos. */
export async function selectSentOn(
  db: Db,
  workspaceId: string,
  { tokenId, userId }: Connection,
  day: CivilDate,
  timeZone: string,
): Promise<Cents> {
  const row = await db.row<{ cents: Cents }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payments
     where workspace_id = ${workspaceId}
       and ${tokenId === null ? sql`created_by_token is null and created_by = ${userId}` : sql`created_by_token = ${tokenId}`}
       and created_at >= ${day}::date::timestamp at time zone ${timeZone}
       and created_at < (${day}::date + 1)::timestamp at time zone ${timeZone}
       and status not in ('canceled', 'rejected', 'failed')`);
  return row!.cents;
}

/** Undefined when a live order for the payable exists already: the partial unique index decides races. */
export function insertPayment(db: Db, payment: PaymentRow): Promise<PaymentRow | undefined> {
  return db.row<PaymentRow>(sql`
    insert into payments
      (workspace_id, id, payable_id, account_id, kind, amount_cents, details, scheduled_for, status,
       registration_status, created_by, created_by_token, created_at, updated_at)
    values
      (${payment.workspace_id}, ${payment.id}, ${payment.payable_id}, ${payment.account_id}, ${payment.kind},
       ${payment.amount_cents}, ${JSON.stringify(payment.details)}::jsonb, ${payment.scheduled_for}::date,
       ${payment.status}, ${payment.registration_status}, ${payment.created_by}, ${payment.created_by_token},
       ${payment.created_at},
       ${payment.updated_at})
    on conflict do nothing
    returning *`);
}

/** What an answer of the bank, or a request to cancel, changes. */
export function updatePayment(db: Db, payment: PaymentRow, now: Date): Promise<number> {
  return db.run(sql`
    update payments
       set status = ${payment.status}, registration_status = ${payment.registration_status},
           bank_reference = ${payment.bank_reference}, bank_authentication = ${payment.bank_authentication},
           bank_settled_on = ${payment.bank_settled_on}::date, rejected_reason = ${payment.rejected_reason},
           cancel_reason = ${payment.cancel_reason}, cancel_requested_at = ${payment.cancel_requested_at}::timestamptz,
           receipt_attachment_id = ${payment.receipt_attachment_id}::uuid,
           updated_at = ${now}, version = version + 1
     where workspace_id = ${payment.workspace_id} and id = ${payment.id}`);
}
