import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  recentIds,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { empty, raw, type Sql, sql } from '../../db/sql.ts';

/** An effective settlement inside a payable's row; amounts in centavos. */
export interface SettlementParts {
  readonly paid_at: string;
  readonly amount: number;
  readonly principal: number;
  readonly discount: number;
  readonly interest: number;
  readonly fine: number;
}

interface Joined {
  readonly person_name: string;
  readonly person_bank_details_changed_at: string | null;
  /** Effective settlements, oldest first. Null without terms: then nothing accrues and the open amount says all. */
  readonly effective_settlements: readonly SettlementParts[] | null;
}

/** A payable with what its record shows of the supplier. */
export type PayableRow = Tables['payables'] & Joined;

const itemColumns = [
  'id',
  'company_id',
  'person_id',
  'description',
  'document_number',
  'amount_cents',
  'abatement_cents',
  'withheld_cents',
  'open_cents',
  'due_date',
  'adjusted_due_date',
  'planned_date',
  'status',
  'approval_status',
  'installment_number',
  'installment_total',
  'category_id',
  'needs_review',
  'terms',
  'created_at',
  'updated_at',
] as const;

/** The columns that a line of a list is made of. */
export type PayableItemRow = Pick<Tables['payables'], (typeof itemColumns)[number]> & Joined;

/** The version of the books that a statement read. */
export interface BooksVersion {
  readonly books_version: number | null;
}

export const payableSorts = sortsOf({
  due_date: { column: 'p.due_date', keyForm: 'date' },
  amount: { column: 'p.amount_cents', keyForm: 'integer' },
  created_at: { column: 'p.created_at', keyForm: 'instant' },
});

export interface PayableFilter extends TimeFilters {
  status?: string | undefined;
  overdue?: boolean | undefined;
  company_id?: string | undefined;
  person_id?: string | undefined;
  due_from?: string | undefined;
  due_to?: string | undefined;
  paid_from?: string | undefined;
  paid_to?: string | undefined;
  approval_status?: string | undefined;
  category_id?: string | undefined;
  search?: string | undefined;
}

const supplier = raw(
  'person.name as person_name, person.bank_details_changed_at as person_bank_details_changed_at',
);

/** The parts of the effective settlements `s` of one payable, oldest first. */
const settlementParts = raw(`
  jsonb_agg(
    jsonb_build_object('paid_at', s.paid_at, 'amount', s.amount_cents, 'principal', s.principal_cents,
                       'discount', s.discount_cents, 'interest', s.interest_cents, 'fine', s.fine_cents)
    order by s.paid_at, s.id)`);

const joined = sql`
  ${supplier},
  case when p.terms is not null then (
    select ${settlementParts}
      from settlements s
     where s.workspace_id = p.workspace_id and s.payable_id = p.id and s.status = 'effective'
  ) end as effective_settlements`;

const source = raw(
  'from payables p join people person on person.workspace_id = p.workspace_id and person.id = p.person_id',
);

/** Written out, so that the planner knows it as the condition of the index over what is open. */
const stillOpen = raw("p.status in ('open', 'partially_paid')");

export function selectPayables(
  db: Db,
  workspaceId: string,
  filter: PayableFilter,
  today: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<(PayableItemRow & BooksVersion)[]> {
  return db.rows<PayableItemRow & BooksVersion>(sql`
    select ${raw(itemColumns.map((column) => `p.${column}`).join(', '))}, ${supplier},
           null as effective_settlements,
           ${booksVersion(workspaceId)}
      ${source}
     where p.workspace_id = ${workspaceId}
       ${conditions(workspaceId, filter, today)}
       ${after(page.sort, page.position, 'p.id')}
     ${orderAndLimit(page.sort, page.limit, 'p.id')}`);
}

/** The effective settlements of some payables, for the lines that need them: few pages have one. */
export function selectEffectiveSettlements(
  db: Db,
  workspaceId: string,
  payableIds: readonly string[],
): Promise<{ payable_id: string; parts: SettlementParts[] }[]> {
  return db.rows(sql`
    select s.payable_id, ${settlementParts} as parts
      from settlements s
     where s.workspace_id = ${workspaceId} and s.payable_id = any(${payableIds}::uuid[]) and s.status = 'effective'
     group by s.payable_id`);
}

export interface TotalOpen extends BooksVersion {
  readonly amount: number;
  readonly count: number;
}

/** Open principal in centavos and number of open payables over the whole filter. */
export async function selectTotalOpen(
  db: Db,
  workspaceId: string,
  filter: PayableFilter,
  today: string,
): Promise<TotalOpen> {
  const total = await db.row<TotalOpen>(sql`
    select coalesce(sum(p.open_cents), 0)::bigint as amount, count(*) as count, ${booksVersion(workspaceId)}
      from payables p
     where p.workspace_id = ${workspaceId} and ${stillOpen} ${conditions(workspaceId, filter, today)}`);
  return total!;
}

/** `lock` keeps the payable as it is until the transaction ends. */
export function selectPayable(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<PayableRow | undefined> {
  return db.row<PayableRow>(sql`
    select p.*, ${joined} ${source}
     where p.workspace_id = ${workspaceId} and p.id = ${id} ${raw(lock ? 'for update of p' : '')}`);
}

export function selectPayablesByIds(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<PayableRow[]> {
  return db.rows<PayableRow>(sql`
    select p.*, ${joined} ${source}
     where p.workspace_id = ${workspaceId} and p.id = any(${ids}::uuid[])
     order by p.id`);
}

export async function selectRecentPayableIds(db: Db, workspaceId: string, typed: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds('payables', workspaceId, typed))).map(({ id }) => id);
}

/** The position of the audit chain: moves with every write to these books, in the same transaction. */
function booksVersion(workspaceId: string): Sql {
  return sql`(select position from event_chains where tenant_id = ${workspaceId}) as books_version`;
}

function conditions(workspaceId: string, filter: PayableFilter, today: string): Sql {
  const { overdue, paid_from, paid_to } = filter;
  return sql`${all(
    filter.status !== undefined && sql`p.status = ${filter.status}`,
    overdue === true && sql`${stillOpen} and p.adjusted_due_date < ${today}::date`,
    overdue === false && sql`not (${stillOpen} and p.adjusted_due_date < ${today}::date)`,
    filter.company_id !== undefined && sql`p.company_id = ${filter.company_id}`,
    filter.person_id !== undefined && sql`p.person_id = ${filter.person_id}`,
    filter.due_from !== undefined && sql`p.due_date >= ${filter.due_from}::date`,
    filter.due_to !== undefined && sql`p.due_date <= ${filter.due_to}::date`,
    filter.approval_status !== undefined && sql`p.approval_status = ${filter.approval_status}`,
    filter.category_id !== undefined && sql`p.category_id = ${filter.category_id}`,
    filter.search !== undefined && matches(workspaceId, filter.search),
    (paid_from !== undefined || paid_to !== undefined) && wasPaidBetween(paid_from, paid_to),
  )}${timeFilters(filter, 'p')}`;
}

/** In the bill's own text or the supplier's, which may have changed since. */
function matches(workspaceId: string, search: string): Sql {
  return sql`(p.search_text like ${search} or p.person_id in (
    select id from people where workspace_id = ${workspaceId} and search_text like ${search}))`;
}

function wasPaidBetween(from: string | undefined, to: string | undefined): Sql {
  return sql`p.id in (
    select s.payable_id from settlements s
     where s.workspace_id = p.workspace_id and s.status = 'effective'
       ${from === undefined ? empty : sql`and s.paid_at >= ${from}::date`}
       ${to === undefined ? empty : sql`and s.paid_at <= ${to}::date`})`;
}
