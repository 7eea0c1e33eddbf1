import type { Cents } from '../../core/money.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type BooksVersion,
  booksVersion,
  type ListSort,
  orderAndLimit,
  recentIds,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { isFound, type Search } from '../../db/search.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

export type TransactionRow = Tables['financial_transactions'];

export const transactionSorts = sortsOf({
  date: { column: 'entry.date', keyForm: 'date' },
  amount: { column: 'entry.amount_cents', keyForm: 'integer' },
  created_at: { column: 'entry.created_at', keyForm: 'instant' },
});

export interface TransactionFilter extends TimeFilters {
  account_id?: string | undefined;
  company_id?: string | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
  direction?: string | undefined;
  reconciled?: boolean | undefined;
  ignored?: boolean | undefined;
  classified?: boolean | undefined;
  category_id?: string | undefined;
  person_id?: string | undefined;
  amount_abs_from?: Cents | undefined;
  amount_abs_to?: Cents | undefined;
  search?: Search | undefined;
}

export function selectTransactions(
  db: Db,
  workspaceId: string,
  filter: TransactionFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<(TransactionRow & BooksVersion)[]> {
  return db.rows<TransactionRow & BooksVersion>(sql`
    select entry.*, ${booksVersion(workspaceId)}
      from financial_transactions entry
     where entry.workspace_id = ${workspaceId}
       ${transactionConditions(workspaceId, filter)}
       ${after(page.sort, page.position, 'entry.id')}
     ${orderAndLimit(page.sort, page.limit, 'entry.id')}`);
}

export interface Totals extends BooksVersion {
  readonly credits: Cents;
  readonly debits: Cents;
  readonly count: number;
  readonly ignored_count: number;
}

/** Sums of a whole filter over the entries that are not ignored, and how many there are of either. */
export async function selectTotals(db: Db, workspaceId: string, filter: TransactionFilter): Promise<Totals> {
  const row = await db.row<Totals>(sql`
    select ${sumsOf('and not entry.ignored')}, count(*) filter (where entry.ignored) as ignored_count,
           ${booksVersion(workspaceId)}
      from financial_transactions entry
     where entry.workspace_id = ${workspaceId} ${transactionConditions(workspaceId, filter)}`);
  return row!;
}

/** `credits`, `debits` and `count` of the entries that also meet the condition. */
export function sumsOf(condition: '' | 'and not entry.ignored'): Sql {
  const sum = (direction: string, name: string) =>
    `coalesce(sum(entry.amount_cents) filter (where entry.direction = '${direction}' ${condition}), 0)::bigint as ${name}`;
  const count = condition === '' ? '' : 'filter (where not entry.ignored)';
  return raw(`${sum('credit', 'credits')}, ${sum('debit', 'debits')}, count(*) ${count} as count`);
}

/** As `isReconciled` of the rules says it. */
const reconciledCondition = `(entry.reconciled_cents = entry.amount_cents
  or (entry.transfer_id is not null and entry.source <> 'transfer'))`;

/** The filter, each condition with `and` before it; the entry is called `entry`. */
export function transactionConditions(workspaceId: string, filter: TransactionFilter): Sql {
  const { reconciled, ignored, classified } = filter;
  return sql`${all(
    filter.account_id !== undefined && sql`entry.account_id = ${filter.account_id}`,
    filter.company_id !== undefined && ofCompany(workspaceId, filter.company_id),
    filter.date_from !== undefined && sql`entry.date >= ${filter.date_from}::date`,
    filter.date_to !== undefined && sql`entry.date <= ${filter.date_to}::date`,
    filter.direction !== undefined && sql`entry.direction = ${filter.direction}`,
    reconciled !== undefined && raw(reconciled ? reconciledCondition : `not ${reconciledCondition}`),
    ignored !== undefined && raw(ignored ? 'entry.ignored' : 'not entry.ignored'),
    classified !== undefined && raw(`entry.category_id is ${classified ? 'not null' : 'null'}`),
    filter.category_id !== undefined && sql`entry.category_id = ${filter.category_id}`,
    filter.person_id !== undefined && sql`entry.person_id = ${filter.person_id}`,
    filter.amount_abs_from !== undefined && sql`entry.amount_cents >= ${filter.amount_abs_from}`,
    filter.amount_abs_to !== undefined && sql`entry.amount_cents <= ${filter.amount_abs_to}`,
    filter.search !== undefined && isFound(workspaceId, filter.search, 'entry.id', 'entry.search_text'),
  )}${timeFilters(filter, 'entry')}`;
}

/** `lock` keeps the entry as it is until the transaction ends. */
export function selectTransaction(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<TransactionRow | undefined> {
  return db.row<TransactionRow>(sql`
    select * from financial_transactions
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export async function selectRecentTransactionIds(
  db: Db,
  workspaceId: string,
  typed: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(recentIds('financial_transactions', workspaceId, typed));
  return rows.map(({ id }) => id);
}

/** What may change about an entry; date, direction, amount and description never do. */
export function updateTransaction(db: Db, entry: TransactionRow, now: Date): Promise<number> {
  return db.run(sql`
    update financial_transactions
       set category_id = ${entry.category_id}, person_id = ${entry.person_id},
           cost_centers = ${JSON.stringify(entry.cost_centers)}::jsonb, classified_by = ${entry.classified_by},
           notes = ${entry.notes}, ignored = ${entry.ignored}, reconciled_cents = ${entry.reconciled_cents},
           superseded_by = ${entry.superseded_by}, transfer_id = ${entry.transfer_id},
           search_text = ${entry.search_text}, updated_at = ${now}, version = version + 1
     where workspace_id = ${entry.workspace_id} and id = ${entry.id}`);
}

function ofCompany(workspaceId: string, companyId: string): Sql {
  return sql`entry.account_id in (
    select id from financial_accounts where workspace_id = ${workspaceId} and company_id = ${companyId})`;
}
