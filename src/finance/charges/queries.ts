import type { Terms } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
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
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { ChargeStatus } from './rules.ts';
import type { Charge, ChargeMethod } from './schema.ts';

/** A charge with the customer it is for. */
export type ChargeRow = Tables['charges'] & {
  status: ChargeStatus;
  registration_status: Charge['registration_status'];
  methods: ChargeMethod[];
  terms: Terms | null;
  person_id: string;
  person_name: string;
};

/** What a charge starts with. */
export type NewCharge = Pick<
  ChargeRow,
  | 'workspace_id'
  | 'id'
  | 'receivable_id'
  | 'account_id'
  | 'methods'
  | 'amount_cents'
  | 'due_date'
  | 'valid_days_after_due'
  | 'terms'
  | 'our_number'
  | 'created_by'
  | 'created_at'
>;

const ID = 'charges.id';

export const chargeSorts = sortsOf({
  created_at: { column: 'charges.created_at', keyForm: 'instant' },
  due_date: { column: 'charges.due_date', keyForm: 'date' },
});

export interface ChargeFilter extends TimeFilters {
  status?: Charge['status'] | undefined;
  receivable_id?: string | undefined;
  person_id?: string | undefined;
  account_id?: string | undefined;
  due_from?: string | undefined;
  due_to?: string | undefined;
}

/** `overdueUntil` is the latest due date that makes an open charge overdue. */
export function selectCharges(
  db: Db,
  workspaceId: string,
  filter: ChargeFilter,
  overdueUntil: CivilDate,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<ChargeRow[]> {
  return db.rows<ChargeRow>(sql`
    ${selectShown}
     where charges.workspace_id = ${workspaceId}
       ${all(
         filter.status !== undefined && statusCondition(filter.status, overdueUntil),
         filter.receivable_id !== undefined && sql`charges.receivable_id = ${filter.receivable_id}`,
         filter.person_id !== undefined && sql`receivables.person_id = ${filter.person_id}`,
         filter.account_id !== undefined && sql`charges.account_id = ${filter.account_id}`,
         filter.due_from !== undefined && sql`charges.due_date >= ${filter.due_from}::date`,
         filter.due_to !== undefined && sql`charges.due_date <= ${filter.due_to}::date`,
       )}
       ${timeFilters(filter, 'charges')}
       ${after(page.sort, page.position, ID)}
     ${orderAndLimit(page.sort, page.limit, ID)}`);
}

/** `lock` keeps the charge as it is until the transaction ends. */
export function selectCharge(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<ChargeRow | undefined> {
  return db.row<ChargeRow>(sql`
    ${selectShown}
     where charges.workspace_id = ${workspaceId} and charges.id = ${id}
     ${raw(lock ? 'for update of charges' : '')}`);
}

export function selectLiveCharge(
  db: Db,
  workspaceId: string,
  receivableId: string,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select id from charges
     where workspace_id = ${workspaceId} and receivable_id = ${receivableId}
       and status in ('generating', 'open')`);
}

/** The next number of the account; nobody else gets one before the transaction ends. */
export async function takeNumber(db: Db, workspaceId: string, accountId: string): Promise<number> {
  const row = await db.row<{ last_number: number }>(sql`
    insert into charge_numbers (workspace_id, account_id, last_number) values (${workspaceId}, ${accountId}, 1)
    on conflict (workspace_id, account_id) do update set last_number = charge_numbers.last_number + 1
    returning last_number`);
  return Number(row!.last_number);
}

/** False when a live charge of the receivable exists already: the partial unique index decides races. */
export async function insertCharge(db: Db, charge: NewCharge): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into charges
      (workspace_id, id, receivable_id, account_id, methods, amount_cents, due_date, valid_days_after_due, terms,
       our_number, status, registration_status, created_by, created_at, updated_at)
    values
      (${charge.workspace_id}, ${charge.id}, ${charge.receivable_id}, ${charge.account_id},
       ${charge.methods}::text[], ${charge.amount_cents}, ${charge.due_date}::date, ${charge.valid_days_after_due},
       ${charge.terms === null ? null : JSON.stringify(charge.terms)}::jsonb, ${charge.our_number},
       'generating', 'pending', ${charge.created_by}, ${charge.created_at},
       ${charge.created_at})
    on conflict do nothing`);
  return inserted === 1;
}

/** What an answer of the bank, a receipt, or a request to cancel changes. */
export function updateCharge(db: Db, charge: ChargeRow, now: Date): Promise<number> {
  return db.run(sql`
    update charges
       set status = ${charge.status}, registration_status = ${charge.registration_status},
           barcode = ${charge.barcode}, typed_line = ${charge.typed_line}, pix_txid = ${charge.pix_txid},
           pix_code = ${charge.pix_code}, end_to_end_id = ${charge.end_to_end_id},
           bank_reference = ${charge.bank_reference}, rejected_reason = ${charge.rejected_reason},
           cancel_reason = ${charge.cancel_reason},
           cancel_requested_at = ${charge.cancel_requested_at}::timestamptz, paid_on = ${charge.paid_on}::date,
           pdf_attachment_id = ${charge.pdf_attachment_id}::uuid, updated_at = ${now}, version = version + 1
     where workspace_id = ${charge.workspace_id} and id = ${charge.id}`);
}

const selectShown = sql`
  select charges.*, receivables.person_id, people.name as person_name
    from charges
    join receivables on receivables.workspace_id = charges.workspace_id and receivables.id = charges.receivable_id
    join people on people.workspace_id = receivables.workspace_id and people.id = receivables.person_id`;

function statusCondition(status: Charge['status'], overdueUntil: CivilDate): Sql {
  if (status === 'overdue') return sql`charges.status = 'open' and charges.due_date <= ${overdueUntil}::date`;
  if (status === 'open') return sql`charges.status = 'open' and charges.due_date > ${overdueUntil}::date`;
  return sql`charges.status = ${status}`;
}
