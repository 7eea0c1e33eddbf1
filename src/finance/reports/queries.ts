/**
 * The sums behind the reports, one statement each, so that all figures of a report are of one moment. What each figure
 * means is in `docs/reports.md`. Amounts in centavos.
 */

import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import { all } from '../../db/listing.ts';
import { empty, raw, type Sql, sql } from '../../db/sql.ts';
import type { Period } from './rules.ts';
import type { CategoryPlace } from './statement.ts';

export type DocumentKind = 'payable' | 'receivable';

const tables: Readonly<Record<DocumentKind, Sql>> = {
  payable: raw('payables'),
  receivable: raw('receivables'),
};

const directions: Readonly<Record<DocumentKind, Sql>> = { payable: raw("'out'"), receivable: raw("'in'") };

/** Written out, so that the planner knows it as the condition of the indexes over what is open. */
const stillOpen = raw("d.status in ('open', 'partially_paid')");

/** Where money is at hand. */
const isCash = raw("a.kind not in ('card', 'investment')");

export interface ExpectedRow {
  readonly part: 'flow' | 'balance';
  readonly direction: 'in' | 'out' | null;
  /** Null: before today. */
  readonly day: CivilDate | null;
  readonly cents: Cents;
  readonly records: number;
}

/** What is open by the day it is expected on, and the balance at the end of today of the accounts in use. */
export function selectExpected(
  db: Db,
  workspaceId: string,
  filter: { today: CivilDate; until: CivilDate; companyId: string | undefined },
): Promise<ExpectedRow[]> {
  const { today, until, companyId } = filter;
  const expectedOn = raw('coalesce(d.planned_date, d.adjusted_due_date)');
  const openOf = (kind: DocumentKind) => sql`
    select ${directions[kind]} as direction, ${expectedOn} as day, d.open_cents as cents, 1 as records
      from ${tables[kind]} d
     where d.workspace_id = ${workspaceId} and ${stillOpen} ${ofCompany('d', companyId)}`;
  // An order on its way says better when its bill is paid: the bill is moved to that day, and stays counted once.
  const moved = sql`
    select 'out', move.day, move.cents, move.records
      from payments o
      join payables d on d.workspace_id = o.workspace_id and d.id = o.payable_id
     cross join lateral (values (${expectedOn}, -d.open_cents, -1),
                                (greatest(o.scheduled_for, ${today}::date), d.open_cents, 1)) move (day, cents, records)
     where o.workspace_id = ${workspaceId}
       and o.status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing')
       and ${stillOpen} ${ofCompany('d', companyId)}`;
  return db.rows<ExpectedRow>(sql`
    select 'flow' as part, direction, case when day >= ${today}::date then day end as day,
           sum(cents)::bigint as cents, sum(records)::bigint as records
      from (${openOf('payable')} union all ${openOf('receivable')} union all ${moved}) expected
     where day <= ${until}::date
     group by 2, 3
     union all
    select 'balance', null, null, coalesce(sum(a.opening_balance_cents + coalesce(entries.until_end, 0)), 0)::bigint, count(*)
      from financial_accounts a
      left join (${entrySums(workspaceId, { start: today, end: today })}) entries on entries.account_id = a.id
     where a.workspace_id = ${workspaceId} and a.active and ${isCash} ${ofCompany('a', companyId)}`);
}

/** A sum of a month or a statement; what a part does not have is zero. */
export interface SumRow {
  readonly part: 'settled' | 'other' | 'document' | 'written_off' | 'open' | 'overdue' | 'balance';
  readonly direction: 'in' | 'out' | null;
  readonly category_id: string | null;
  readonly amount: Cents;
  readonly principal: Cents;
  readonly discount: Cents;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  readonly count: number;
}

/** The parts of a month. Of the balances, `principal` is the one at the start and `amount` the one at the end. */
export function selectMonth(
  db: Db,
  workspaceId: string,
  filter: Period & {
    today: CivilDate;
    balances: { start: CivilDate; end: CivilDate };
    companyId: string | undefined;
  },
): Promise<SumRow[]> {
  const { from, to, today, balances, companyId } = filter;
  const leftOpen = (kind: DocumentKind) => sql`
    select case when d.adjusted_due_date < ${today}::date then 'overdue' else 'open' end,
           ${directions[kind]}, null::uuid, sum(d.open_cents)::bigint, 0, 0, 0, 0, 0, count(*)
      from ${tables[kind]} d
     where d.workspace_id = ${workspaceId} and ${stillOpen}
       and d.due_date between ${from}::date and ${to}::date ${ofCompany('d', companyId)}
     group by 1`;
  return db.rows<SumRow>(sql`
    ${settled(workspaceId, filter, companyId)}
    union all ${others(workspaceId, filter, companyId)}
    union all ${leftOpen('payable')}
    union all ${leftOpen('receivable')}
    union all
    select 'balance', null, null, coalesce(sum(a.opening_balance_cents + coalesce(entries.until_end, 0)), 0)::bigint,
           coalesce(sum(a.opening_balance_cents + coalesce(entries.until_start, 0)), 0)::bigint, 0, 0, 0, 0, count(*)
      from financial_accounts a
      left join (${entrySums(workspaceId, balances)}) entries on entries.account_id = a.id
     where a.workspace_id = ${workspaceId} and ${isCash} ${ofCompany('a', companyId)}`);
}

/** What was settled in the period, and the entries that no settlement stands for. */
export function selectCashStatement(db: Db, workspaceId: string, period: Period): Promise<SumRow[]> {
  return db.rows<SumRow>(sql`
    ${settled(workspaceId, period, undefined)} union all ${others(workspaceId, period, undefined)}`);
}

/** The documents of the months, and what was given up in them. */
export function selectCompetenceStatement(
  db: Db,
  workspaceId: string,
  months: { from: CivilMonth; to: CivilMonth },
  period: Period,
): Promise<SumRow[]> {
  const documentsOf = (kind: DocumentKind) => sql`
    select 'document' as part, ${directions[kind]} as direction, d.category_id,
           sum(d.amount_cents - d.abatement_cents)::bigint as amount, 0 as principal, 0 as discount, 0 as interest,
           0 as fine, 0 as fee, count(*) as count
      from ${tables[kind]} d
     where d.workspace_id = ${workspaceId} and d.status not in ('draft', 'canceled')
       and d.competence_month between ${months.from} and ${months.to}
     group by d.category_id`;
  return db.rows<SumRow>(sql`
    ${documentsOf('payable')}
    union all ${documentsOf('receivable')}
    union all
    select 'written_off', 'out', (d.write_off->>'category_id')::uuid, sum(d.written_off_cents)::bigint, 0, 0, 0, 0, 0, count(*)
      from receivables d
     where d.workspace_id = ${workspaceId} and d.written_off_cents > 0
       and d.write_off->>'date' between ${period.from} and ${period.to}
     group by 3`);
}

export interface AgingRow {
  /** Null: of all. */
  readonly group_id: string | null;
  /** The band it is in, counted from 1; 0 is not late. */
  readonly band: number;
  readonly cents: Cents;
  readonly documents: number;
  /** Of all groups, whether they are given or not. */
  readonly groups: number;
}

/**
 * What was open at the end of a day, by how late it was then. It is what is open now and what was settled or given up
 * after that day, so that only the recent past is looked at. With groups, the largest of them besides the whole.
 */
export function selectAging(
  db: Db,
  workspaceId: string,
  filter: {
    kind: DocumentKind;
    asOf: CivilDate;
    today: CivilDate;
    timeZone: string;
    /** First days of the bands. */
    bandStarts: readonly number[];
    groupBy: 'person' | 'company' | undefined;
    groupsMax: number;
  },
): Promise<AgingRow[]> {
  const { kind, asOf, today, timeZone, bandStarts, groupBy, groupsMax } = filter;
  const group = raw(groupBy === undefined ? 'null::uuid' : `d.${groupBy}_id`);
  const late = sql`case when d.adjusted_due_date < ${asOf}::date then ${asOf}::date - d.due_date else 0 end`;
  const existed =
    asOf === today
      ? empty
      : sql` and coalesce(d.issue_date, least(d.due_date, (d.created_at at time zone ${timeZone})::date)) <= ${asOf}::date`;
  const owed = sql`
    select ${group} as group_id, ${late} as late, d.open_cents as cents, 1 as documents
      from ${tables[kind]} d
     where d.workspace_id = ${workspaceId} and ${stillOpen}${existed}
     union all
    select ${group}, ${late}, after.cents, case when ${stillOpen} then 0 else 1 end
      from (${extinguishedAfter(kind, workspaceId, asOf)}) after
      join ${tables[kind]} d on d.workspace_id = ${workspaceId} and d.id = after.id
     where after.cents > 0${existed}`;
  return db.rows<AgingRow>(sql`
    with sums as materialized (
      select group_id, width_bucket(late, ${bandStarts}::int[]) as band, sum(cents)::bigint as cents, sum(documents)::bigint as documents
        from (${owed}) owed
       group by grouping sets (${raw(groupBy === undefined ? '(2, group_id)' : '(2), (2, group_id)')})
    ), largest as (
      select group_id, count(*) over () as groups
        from sums where group_id is not null group by group_id order by sum(cents) desc, group_id limit ${groupsMax}
    )
    select group_id, band, cents, documents, coalesce((select max(groups) from largest), 0) as groups
      from sums where group_id is null or group_id in (select group_id from largest)`);
}

/** The chart of accounts, read after the sums, so that every category they name is there. */
export function selectCategoryPlaces(db: Db, workspaceId: string): Promise<CategoryPlace[]> {
  return db.rows<CategoryPlace>(sql`
    select id, name, kind, parent_id, statement_group from categories where workspace_id = ${workspaceId}`);
}

export async function selectNames(
  db: Db,
  workspaceId: string,
  of: 'person' | 'company',
  ids: readonly string[],
): Promise<Map<string, string>> {
  const source = raw(of === 'person' ? 'name from people' : 'legal_name as name from companies');
  const rows = await db.rows<{ id: string; name: string }>(sql`
    select id, ${source} where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Credits less debits of each account until the end of two days, of entries that count. */
function entrySums(workspaceId: string, days: { start: CivilDate; end: CivilDate }): Sql {
  const signed = raw("case direction when 'credit' then amount_cents else -amount_cents end");
  return sql`
    select account_id, sum(${signed}) as until_end,
           sum(${signed}) filter (where date <= ${days.start}::date) as until_start
      from financial_transactions
     where workspace_id = ${workspaceId} and not ignored and date <= ${days.end}::date
     group by account_id`;
}

/** Effective settlements by the category of their document. */
function settled(workspaceId: string, { from, to }: Period, companyId: string | undefined): Sql {
  const of = (kind: DocumentKind) => sql`
    select 'settled' as part, ${directions[kind]} as direction, d.category_id, sum(s.amount_cents)::bigint as amount,
           sum(s.principal_cents)::bigint as principal, sum(s.discount_cents)::bigint as discount,
           sum(s.interest_cents)::bigint as interest, sum(s.fine_cents)::bigint as fine,
           sum(s.fee_cents)::bigint as fee, count(*) as count
      from settlements s
      join ${tables[kind]} d on d.workspace_id = s.workspace_id and d.id = s.${raw(`${kind}_id`)}
     where s.workspace_id = ${workspaceId} and s.status = 'effective'
       and s.payable_id is ${raw(kind === 'payable' ? 'not null' : 'null')}
       and s.paid_at between ${from}::date and ${to}::date ${ofCompany('d', companyId)}
     group by d.category_id`;
  return sql`${of('payable')} union all ${of('receivable')}`;
}

/**
 * Entries that no settlement stands for, with what is left of them to reconcile; legs of transfers are none. Money that
 * came a second time for a paid charge is posted as a payment and settles nothing, so it is one of them.
 */
function others(workspaceId: string, { from, to }: Period, companyId: string | undefined): Sql {
  const ofAccounts = sql`t.account_id in (
    select id from financial_accounts where workspace_id = ${workspaceId} and company_id = ${companyId})`;
  const rest = (source: Sql, condition: Sql) => sql`
    select 'other' as part, case t.direction when 'credit' then 'in' else 'out' end as direction, t.category_id,
           sum(t.amount_cents - t.reconciled_cents)::bigint as amount, 0 as principal, 0 as discount, 0 as interest,
           0 as fine, 0 as fee, count(*) as count
      from ${source}
     where t.workspace_id = ${workspaceId} and not t.ignored and t.transfer_id is null and ${condition}
       and t.amount_cents > t.reconciled_cents and t.date between ${from}::date and ${to}::date
       ${all(companyId !== undefined && ofAccounts)}
     group by 2, t.category_id`;
  const twice = raw(`duplicate_receipts again
      join financial_transactions t on t.workspace_id = again.workspace_id and t.id = again.transaction_id`);
  return sql`
    ${rest(raw('financial_transactions t'), raw("t.source in ('manual', 'import', 'adjustment')"))}
    union all ${rest(twice, sql`again.workspace_id = ${workspaceId} and t.source not in ('manual', 'import', 'adjustment')`)}`;
}

/** By document, the principal that was settled or given up after a day. */
function extinguishedAfter(kind: DocumentKind, workspaceId: string, asOf: CivilDate): Sql {
  const column = raw(`${kind}_id`);
  const settledAfter = sql`
    select ${column} as id, principal_cents as cents from settlements
     where workspace_id = ${workspaceId} and ${column} is not null and status = 'effective' and paid_at > ${asOf}::date`;
  const givenUpAfter = sql`
    select id, written_off_cents from receivables
     where workspace_id = ${workspaceId} and written_off_cents > 0 and write_off->>'date' > ${asOf}`;
  return sql`
    select id, sum(cents)::bigint as cents
      from (${settledAfter}${kind === 'payable' ? empty : sql` union all ${givenUpAfter}`}) extinguished
     group by id`;
}

function ofCompany(alias: string, companyId: string | undefined): Sql {
  return all(companyId !== undefined && sql`${raw(`${alias}.company_id`)} = ${companyId}`);
}
