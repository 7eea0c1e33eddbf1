import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  plainText,
  recentIds,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type AccountRow = Tables['financial_accounts'];
export type BalanceRow = Tables['account_balances'];
export type TransactionRow = Tables['financial_transactions'];

/** Columns of an entry that whoever posts it decides; the rest is set by the database or by what happens later. */
export type NewTransaction = Omit<
  TransactionRow,
  | 'ignored'
  | 'reconciled_cents'
  | 'import_id'
  | 'dedup_key'
  | 'is_suspect'
  | 'superseded_by'
  | 'created_at'
  | 'updated_at'
  | 'version'
>;

export interface ListPage {
  readonly sort: ListSort;
  readonly position: Position | null;
  readonly limit: number;
}

export const accountSorts = sortsOf({
  name: { column: 'name', keyForm: 'text' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export const balanceSorts = sortsOf({ as_of: { column: 'as_of', keyForm: 'instant' } });

export interface AccountFilter extends TimeFilters {
  company_id?: string | undefined;
  kind?: string | undefined;
  active?: boolean | undefined;
  search?: string | undefined;
}

export function selectAccounts(
  db: Db,
  workspaceId: string,
  filter: AccountFilter,
  page: ListPage,
): Promise<AccountRow[]> {
  return db.rows<AccountRow>(sql`
    select * from financial_accounts
     where workspace_id = ${workspaceId}
       ${all(
         filter.company_id !== undefined && sql`company_id = ${filter.company_id}`,
         filter.kind !== undefined && sql`kind = ${filter.kind}`,
         filter.active !== undefined && sql`active = ${filter.active}`,
         filter.search !== undefined &&
           sql`${plainText("name || ' ' || coalesce(number, '')")} like ${filter.search}`,
       )}
       ${timeFilters(filter, 'financial_accounts')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row, and the entries that refer to it, as they are until the transaction ends. */
export function selectAccount(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<AccountRow | undefined> {
  return db.row<AccountRow>(sql`
    select * from financial_accounts
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

/** The first active account of a company on which customers pay. */
export function selectDefaultAccount(
  db: Db,
  workspaceId: string,
  companyId: string,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select id from financial_accounts
     where workspace_id = ${workspaceId} and company_id = ${companyId} and active
       and kind in ('checking', 'payment', 'savings', 'cash')
     order by array_position(array['checking', 'payment', 'savings', 'cash'], kind), created_at, id limit 1`);
}

export function selectAccountByName(
  db: Db,
  workspaceId: string,
  name: string,
): Promise<AccountRow | undefined> {
  return db.row<AccountRow>(sql`
    select * from financial_accounts where workspace_id = ${workspaceId} and name = ${name}`);
}

/** Whoever gives an account this name waits here, so that the look for another one of that name is final. */
export function lockAccountName(db: Db, workspaceId: string, name: string): Promise<number> {
  return db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`financial_accounts/${workspaceId}/${name}`}, 0))`);
}

export async function selectRecentAccountIds(db: Db, workspaceId: string, typed: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds('financial_accounts', workspaceId, typed))).map(
    ({ id }) => id,
  );
}

/** The name has to be free: `lockAccountName` first. */
export function insertAccount(
  db: Db,
  account: Omit<
    AccountRow,
    'active' | 'bank_adapter' | 'bank_adapter_account' | 'created_at' | 'updated_at' | 'version'
  >,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into financial_accounts (workspace_id, id, company_id, name, kind, bank_code, agency, number, digit,
                                    opening_balance_cents, opening_date, created_by, created_at, updated_at)
    values (${account.workspace_id}, ${account.id}, ${account.company_id}, ${account.name}, ${account.kind},
            ${account.bank_code}, ${account.agency}, ${account.number}, ${account.digit},
            ${account.opening_balance_cents}, ${account.opening_date}, ${account.created_by}, ${now}, ${now})`);
}

export function updateAccount(db: Db, account: AccountRow, now: Date): Promise<number> {
  return db.run(sql`
    update financial_accounts
       set name = ${account.name}, kind = ${account.kind}, bank_code = ${account.bank_code},
           agency = ${account.agency}, number = ${account.number}, digit = ${account.digit},
           opening_balance_cents = ${account.opening_balance_cents}, opening_date = ${account.opening_date},
           active = ${account.active}, updated_at = ${now}, version = version + 1
     where workspace_id = ${account.workspace_id} and id = ${account.id}`);
}

export function deleteAccount(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from financial_accounts where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Book balances at the end of a day, by account: opening + credits − debits over entries that are not ignored. */
export async function selectBookBalances(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  on: CivilDate,
): Promise<Map<string, Cents>> {
  const rows = await db.rows<{ id: string; balance_cents: Cents }>(sql`
    select account.id,
           (account.opening_balance_cents + coalesce(sum(
             case entry.direction when 'credit' then entry.amount_cents else -entry.amount_cents end
           ), 0))::bigint as balance_cents
      from financial_accounts account
      left join financial_transactions entry
        on entry.workspace_id = account.workspace_id and entry.account_id = account.id
       and entry.date <= ${on}::date and not entry.ignored
     where account.workspace_id = ${workspaceId} and account.id = any(${ids}::uuid[])
     group by account.workspace_id, account.id`);
  return new Map(rows.map((row) => [row.id, row.balance_cents]));
}

export interface BalanceFilter extends TimeFilters {
  account_id: string;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** Days of the filter are civil dates of the zone. A snapshot never changes, so it counts as updated when created. */
export function selectBalances(
  db: Db,
  workspaceId: string,
  filter: BalanceFilter,
  timeZone: string,
  page: ListPage,
): Promise<BalanceRow[]> {
  const { date_from, date_to, created_from, created_to, updated_from, updated_to } = filter;
  return db.rows<BalanceRow>(sql`
    select * from account_balances
     where workspace_id = ${workspaceId} and account_id = ${filter.account_id}
       ${all(
         date_from !== undefined && sql`as_of >= ${date_from}::date::timestamp at time zone ${timeZone}`,
         date_to !== undefined && sql`as_of < (${date_to}::date + 1)::timestamp at time zone ${timeZone}`,
       )}
       ${timeFilters({ created_from, created_to }, 'account_balances')}
       ${timeFilters({ created_from: updated_from, created_to: updated_to }, 'account_balances')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** The most recent recorded balance: greatest `as_of`, then greatest `created_at`, never the last inserted. */
export function selectLatestBalance(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<BalanceRow | undefined> {
  return db.row<BalanceRow>(sql`
    select * from account_balances
     where workspace_id = ${workspaceId} and account_id = ${accountId}
     order by as_of desc, created_at desc, id desc limit 1`);
}

export async function insertBalance(
  db: Db,
  balance: Omit<BalanceRow, 'created_at'>,
  now: Date,
): Promise<BalanceRow> {
  const row = await db.row<BalanceRow>(sql`
    insert into account_balances (workspace_id, id, account_id, amount_cents, blocked_cents, as_of, source,
                                  created_by, created_at)
    values (${balance.workspace_id}, ${balance.id}, ${balance.account_id}, ${balance.amount_cents},
            ${balance.blocked_cents}, ${balance.as_of}, ${balance.source}, ${balance.created_by}, ${now})
    returning *`);
  return row!;
}

/** The last second of a day in a zone, or now when the day is not over. */
export async function selectEndOfDay(db: Db, on: CivilDate, timeZone: string, now: Date): Promise<string> {
  const row = await db.row<{ at: string }>(sql`
    select least((${on}::date + 1)::timestamp at time zone ${timeZone} - interval '1 second', ${now}::timestamptz) as at`);
  return row!.at;
}

export function deleteBalance(db: Db, workspaceId: string, id: string): Promise<BalanceRow | undefined> {
  return db.row<BalanceRow>(sql`
    delete from account_balances where workspace_id = ${workspaceId} and id = ${id} returning *`);
}

/** Whether the account has any entry, ignored ones included. */
export async function selectHasTransactions(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<boolean> {
  const row = await db.row<{ found: boolean }>(sql`
    select exists (
      select 1 from financial_transactions where workspace_id = ${workspaceId} and account_id = ${accountId}
    ) as found`);
  return row!.found;
}

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

export async function insertTransaction(db: Db, entry: NewTransaction, now: Date): Promise<TransactionRow> {
  const row = await db.row<TransactionRow>(sql`
    insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description,
                                        notes, bank_reference, document_number, counterparty_name,
                                        counterparty_document, end_to_end_id, category_id, person_id, cost_centers,
                                        classified_by, transfer_id, source, search_text, created_by, created_at,
                                        updated_at)
    values (${entry.workspace_id}, ${entry.id}, ${entry.account_id}, ${entry.date}, ${entry.direction},
            ${entry.amount_cents}, ${entry.description}, ${entry.notes}, ${entry.bank_reference},
            ${entry.document_number}, ${entry.counterparty_name}, ${entry.counterparty_document},
            ${entry.end_to_end_id}, ${entry.category_id}, ${entry.person_id},
            ${JSON.stringify(entry.cost_centers)}::jsonb, ${entry.classified_by}, ${entry.transfer_id},
            ${entry.source}, ${entry.search_text}, ${entry.created_by}, ${now}, ${now})
    returning *`);
  return row!;
}

export function deleteTransaction(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`
    delete from financial_transactions where workspace_id = ${workspaceId} and id = ${id}`);
}
