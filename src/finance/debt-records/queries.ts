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
import { isFoundByPerson, type PersonSearch } from '../../db/search-by-person.ts';
import { empty, raw, type Sql, sql } from '../../db/sql.ts';
import type { Paid } from '../debts/index.ts';
import { type DebtPlace, type DebtRow, itemColumns } from './kind.ts';

/** Columns of either kind that are written; the rest is generated or set by the database. */
const writtenColumns = [
  'workspace_id, id, company_id, person_id, description, amount_cents, abatement_cents, withheld_cents',
  'settled_cents, issue_date, due_date, adjusted_due_date, competence_month, planned_date, planned_account_id',
  'document_number, series, installment_number, installment_total, installment_group_id, recurrence_id',
  'recurrence_number, category_id, cost_centers, withholdings, terms, status, canceled_reason, classified_by',
  'search_text, created_by',
];

export type NewDebt = Omit<
  DebtRow,
  | 'open_cents'
  | 'created_at'
  | 'updated_at'
  | 'version'
  | 'person_name'
  | 'person_bank_details_changed_at'
  | 'effective_settlements'
>;

export const debtRowSorts = sortsOf({
  due_date: { column: 'd.due_date', keyForm: 'date' },
  amount: { column: 'd.amount_cents', keyForm: 'integer' },
  created_at: { column: 'd.created_at', keyForm: 'instant' },
});

export interface DebtFilter extends TimeFilters {
  readonly status?: string | undefined;
  readonly overdue?: boolean | undefined;
  readonly company_id?: string | undefined;
  readonly person_id?: string | undefined;
  readonly due_from?: string | undefined;
  readonly due_to?: string | undefined;
  readonly settled_from?: string | undefined;
  readonly settled_to?: string | undefined;
  readonly category_id?: string | undefined;
  readonly search?: PersonSearch | undefined;
  /** A column that only this kind has. */
  readonly approval_status?: string | undefined;
}

const person = raw(
  'person.name as person_name, person.bank_details_changed_at as person_bank_details_changed_at',
);

/** The parts of the effective settlements `s` of one debt, oldest first. */
const settlementParts = raw(`
  jsonb_agg(
    jsonb_build_object('paid_at', s.paid_at, 'amount', s.amount_cents, 'principal', s.principal_cents,
                       'discount', s.discount_cents, 'interest', s.interest_cents, 'fine', s.fine_cents)
    order by s.paid_at, s.id)`);

const joinedOf = ({ settlementColumn }: DebtPlace) => sql`
  ${person},
  case when d.terms is not null then (
    select ${settlementParts}
      from settlements s
     where s.workspace_id = d.workspace_id and s.${raw(settlementColumn)} = d.id and s.status = 'effective'
  ) end as effective_settlements`;

const sourceOf = ({ table }: DebtPlace) =>
  raw(
    `from ${table} d join people person on person.workspace_id = d.workspace_id and person.id = d.person_id`,
  );

/** Written out, so that the planner knows it as the condition of the index over what is open. */
const stillOpen = raw("d.status in ('open', 'partially_paid')");

/** `lock` keeps the debt as it is until the transaction ends. */
export function selectDebt<Row>(
  db: Db,
  place: DebtPlace,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<Row | undefined> {
  return db.row<Row>(sql`
    select d.*, ${joinedOf(place)} ${sourceOf(place)}
     where d.workspace_id = ${workspaceId} and d.id = ${id} ${raw(lock ? 'for update of d' : '')}`);
}

export function selectDebtsByIds<Row>(
  db: Db,
  place: DebtPlace,
  workspaceId: string,
  ids: readonly string[],
): Promise<Row[]> {
  return db.rows<Row>(sql`
    select d.*, ${joinedOf(place)} ${sourceOf(place)}
     where d.workspace_id = ${workspaceId} and d.id = any(${ids}::uuid[])
     order by d.id`);
}

export function selectDebts<Row>(
  db: Db,
  place: DebtPlace,
  workspaceId: string,
  filter: DebtFilter,
  today: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<(Row & BooksVersion)[]> {
  const columns = [...itemColumns, ...place.ownItemColumns].map((column) => `d.${column}`);
  return db.rows(sql`
    select ${raw(columns.join(', '))}, ${person}, null as effective_settlements, ${booksVersion(workspaceId)}
      ${sourceOf(place)}
     where d.workspace_id = ${workspaceId}
       ${conditions(place, workspaceId, filter, today)}
       ${after(page.sort, page.position, 'd.id')}
     ${orderAndLimit(page.sort, page.limit, 'd.id')}`);
}

/** The effective settlements of some debts, for the lines that need them: few pages have one. */
export function selectEffectiveSettlements(
  db: Db,
  { settlementColumn }: DebtPlace,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ debt_id: string; parts: Paid[] }[]> {
  const debtId = raw(`s.${settlementColumn}`);
  return db.rows(sql`
    select ${debtId} as debt_id, ${settlementParts} as parts
      from settlements s
     where s.workspace_id = ${workspaceId} and ${debtId} = any(${ids}::uuid[]) and s.status = 'effective'
     group by ${debtId}`);
}

export interface TotalOpen extends BooksVersion {
  readonly amount: number;
  readonly count: number;
}

/** Open principal in centavos and number of open debts over the whole filter. */
export async function selectTotalOpen(
  db: Db,
  place: DebtPlace,
  workspaceId: string,
  filter: DebtFilter,
  today: string,
): Promise<TotalOpen> {
  const total = await db.row<TotalOpen>(sql`
    select coalesce(sum(d.open_cents), 0)::bigint as amount, count(*) as count, ${booksVersion(workspaceId)}
      from ${raw(place.table)} d
     where d.workspace_id = ${workspaceId} and ${stillOpen} ${conditions(place, workspaceId, filter, today)}`);
  return total!;
}

export interface PersonTotal {
  readonly person_id: string;
  readonly person_name: string;
  readonly amount: number;
  readonly count: number;
  readonly oldest_due_date: string;
}

/** What each person still owes over the whole filter, largest totals first; one more than `max` tells of more. */
export function selectTotalsByPerson(
  db: Db,
  place: DebtPlace,
  workspaceId: string,
  filter: DebtFilter,
  today: string,
  max: number,
): Promise<PersonTotal[]> {
  return db.rows<PersonTotal>(sql`
    select total.*, person.name as person_name
      from (
        select d.person_id, sum(d.open_cents)::bigint as amount, count(*) as count, min(d.due_date) as oldest_due_date
          from ${raw(place.table)} d
         where d.workspace_id = ${workspaceId} and ${stillOpen} ${conditions(place, workspaceId, filter, today)}
         group by d.person_id
         order by amount desc, d.person_id limit ${max + 1}
      ) total
      join people person on person.workspace_id = ${workspaceId} and person.id = total.person_id
     order by total.amount desc, total.person_id`);
}

/** The ids of a whole filter, in order of their ids; one more than `max` tells that there are more. */
export async function selectDebtIds(
  db: Db,
  place: DebtPlace,
  workspaceId: string,
  filter: DebtFilter,
  today: string,
  max: number,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select d.id from ${raw(place.table)} d
     where d.workspace_id = ${workspaceId} ${conditions(place, workspaceId, filter, today)}
     order by d.id limit ${max + 1}`);
  return rows.map(({ id }) => id);
}

/** The companies of some debts, in the order in which they are locked. */
export async function selectCompanyIds(
  db: Db,
  { table }: DebtPlace,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ company_id: string }>(sql`
    select distinct company_id from ${raw(table)}
     where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by company_id`);
  return rows.map(({ company_id }) => company_id);
}

export async function selectRecentDebtIds(
  db: Db,
  { table }: DebtPlace,
  workspaceId: string,
  typed: string,
): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds(table, workspaceId, typed))).map(({ id }) => id);
}

/** One statement for a whole plan, with the same text whatever the number of rows. */
export function insertDebts(db: Db, place: DebtPlace, debts: readonly NewDebt[], now: Date): Promise<number> {
  const columns = columnsOf(place);
  const table = raw(place.table);
  return db.run(sql`
    insert into ${table} (${columns}, created_at, updated_at)
    select ${columns}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_populate_recordset(null::${table}, ${JSON.stringify(debts)}::jsonb)`);
}

export function updateDebt(db: Db, place: DebtPlace, debt: DebtRow, now: Date): Promise<number> {
  const columns = columnsOf(place);
  const table = raw(place.table);
  return db.run(sql`
    update ${table} d
       set (${columns}, updated_at, version) = (
         select ${columns}, ${now}::timestamptz, d.version + 1
           from jsonb_populate_record(null::${table}, ${JSON.stringify(debt)}::jsonb))
     where d.workspace_id = ${debt.workspace_id} and d.id = ${debt.id}`);
}

export function deleteDebt(db: Db, { table }: DebtPlace, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from ${raw(table)} where workspace_id = ${workspaceId} and id = ${id}`);
}

/** The files stay; only their ties to the debt go. */
export function deleteAttachmentLinks(
  db: Db,
  workspaceId: string,
  kind: string,
  id: string,
): Promise<number> {
  return db.run(sql`
    delete from attachment_links
     where workspace_id = ${workspaceId} and record_kind = ${kind} and record_id = ${id}`);
}

export interface DuplicateKey {
  readonly personId: string;
  readonly documentNumber: string | null;
  readonly series: string | null;
  readonly amounts: readonly number[];
  /** The barcode of what is paid by one; payables only. */
  readonly barcode: string | null;
  /** Left out: the debt itself and the other installments of its plan. */
  readonly exceptId: string | null;
  readonly exceptGroupId: string | null;
}

/** Debts that look like the same one, oldest first; canceled ones do not count. */
export function selectDuplicates(
  db: Db,
  { table }: DebtPlace,
  workspaceId: string,
  key: DuplicateKey,
): Promise<{ id: string; installment_group_id: string | null }[]> {
  return db.rows(sql`
    select id, installment_group_id from ${raw(table)}
     where workspace_id = ${workspaceId} and status <> 'canceled'
       and id is distinct from ${key.exceptId}::uuid
       and (${key.exceptGroupId}::uuid is null or installment_group_id is distinct from ${key.exceptGroupId}::uuid)
       and ((person_id = ${key.personId} and document_number = ${key.documentNumber}::text
             and series is not distinct from ${key.series}::text and amount_cents = any(${key.amounts}::bigint[]))
            ${table === 'payables' ? sql`or payment_details->>'barcode' = ${key.barcode}::text` : empty})
     order by id limit 100`);
}

/** Makes a person a supplier or customer; 0 when they are one already, and then nothing is locked. */
export function addRole(
  db: Db,
  workspaceId: string,
  personId: string,
  role: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update people set roles = array_append(roles, ${role}), updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${personId} and not ${role} = any(roles)`);
}

function columnsOf({ ownColumns }: DebtPlace): Sql {
  return raw([...writtenColumns, ...ownColumns].join(', '));
}

function conditions(place: DebtPlace, workspaceId: string, filter: DebtFilter, today: string): Sql {
  const { overdue, settled_from, settled_to } = filter;
  return sql`${all(
    filter.status !== undefined && sql`d.status = ${filter.status}`,
    overdue === true && sql`${stillOpen} and d.adjusted_due_date < ${today}::date`,
    overdue === false && sql`not (${stillOpen} and d.adjusted_due_date < ${today}::date)`,
    filter.company_id !== undefined && sql`d.company_id = ${filter.company_id}`,
    filter.person_id !== undefined && sql`d.person_id = ${filter.person_id}`,
    filter.due_from !== undefined && sql`d.due_date >= ${filter.due_from}::date`,
    filter.due_to !== undefined && sql`d.due_date <= ${filter.due_to}::date`,
    filter.approval_status !== undefined && sql`d.approval_status = ${filter.approval_status}`,
    filter.category_id !== undefined && sql`d.category_id = ${filter.category_id}`,
    filter.search !== undefined && isFoundByPerson(place, 'd', workspaceId, filter.search),
    (settled_from !== undefined || settled_to !== undefined) &&
      wasSettledBetween(place, settled_from, settled_to),
  )}${timeFilters(filter, 'd')}`;
}

function wasSettledBetween(place: DebtPlace, from: string | undefined, to: string | undefined): Sql {
  return sql`d.id in (
    select s.${raw(place.settlementColumn)} from settlements s
     where s.workspace_id = d.workspace_id and s.status = 'effective'
       and s.${raw(place.settlementColumn)} is not null
       ${from === undefined ? empty : sql`and s.paid_at >= ${from}::date`}
       ${to === undefined ? empty : sql`and s.paid_at <= ${to}::date`})`;
}
