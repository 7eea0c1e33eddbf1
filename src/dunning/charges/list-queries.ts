import { addDays } from '../../core/dates.ts';
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
import { isFoundByPerson, type PersonSearch, type SearchedPlace } from '../../db/search-by-person.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { type ChargeRow, personColumns, withPerson } from './queries.ts';

/** Where charges are searched. */
export const chargePlace: SearchedPlace = { table: 'dunning_charges', searchedAs: 'c' };

export const chargeRowSorts = sortsOf({
  due_date: { column: 'c.due_date', keyForm: 'date' },
  amount: { column: 'c.amount_cents', keyForm: 'integer' },
  created_at: { column: 'c.created_at', keyForm: 'instant' },
});

export interface ChargeFilter extends TimeFilters {
  readonly status?: readonly string[] | undefined;
  readonly person_id?: string | undefined;
  readonly due_from?: string | undefined;
  readonly due_to?: string | undefined;
  readonly days_overdue_from?: number | undefined;
  readonly days_overdue_to?: number | undefined;
  readonly rule_id?: string | undefined;
  readonly dunning_state?: string | undefined;
  readonly disputed?: boolean | undefined;
  readonly has_legal_action?: boolean | undefined;
  readonly tag?: string | undefined;
  readonly external_id?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly search?: PersonSearch | undefined;
}

/** Written out, so that the planner knows it as the condition of the index over what is open. */
const stillOpen = raw("c.status in ('pending', 'overdue', 'in_agreement')");

export function selectChargePage(
  db: Db,
  organizationId: string,
  filter: ChargeFilter,
  today: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<(ChargeRow & BooksVersion)[]> {
  return db.rows(sql`
    select c.*, ${personColumns}, ${booksVersion(organizationId)} from ${withPerson}
     where c.organization_id = ${organizationId}
       ${conditions(organizationId, filter, today)}
       ${after(page.sort, page.position, 'c.id')}
     ${orderAndLimit(page.sort, page.limit, 'c.id')}`);
}

export interface TotalOpen extends BooksVersion {
  readonly amount: number;
  readonly count: number;
}

/** Open principal in centavos and number of open charges over the whole filter. */
export async function selectTotalOpen(
  db: Db,
  organizationId: string,
  filter: ChargeFilter,
  today: string,
): Promise<TotalOpen> {
  // What is open is never archived; without asking so, the index over what is open answers by itself.
  const isShown = filter.archived === true ? sql`c.archived_at is not null` : sql`true`;
  const total = await db.row<TotalOpen>(sql`
    select coalesce(sum(c.open_cents), 0)::bigint as amount, count(*) as count, ${booksVersion(organizationId)}
      from dunning_charges c
     where c.organization_id = ${organizationId} and ${stillOpen} and ${isShown}
       ${narrowed(organizationId, filter, today)}`);
  return total!;
}

/** The ids of a whole filter, in order of the ids; one more than `max` tells that there are more. */
export async function selectFilteredIds(
  db: Db,
  organizationId: string,
  filter: ChargeFilter,
  today: string,
  max: number,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select c.id from dunning_charges c
     where c.organization_id = ${organizationId} ${conditions(organizationId, filter, today)}
     order by c.id limit ${max + 1}`);
  return rows.map(({ id }) => id);
}

function conditions(organizationId: string, filter: ChargeFilter, today: string): Sql {
  const archived = sql`and c.archived_at is ${raw(filter.archived === true ? 'not null' : 'null')}`;
  return sql`${archived} ${narrowed(organizationId, filter, today)}`;
}

function narrowed(organizationId: string, filter: ChargeFilter, today: string): Sql {
  const { days_overdue_from: daysFrom, days_overdue_to: daysTo } = filter;
  return sql`${all(
    filter.status !== undefined && hasStatus(filter.status),
    filter.person_id !== undefined && sql`c.person_id = ${filter.person_id}`,
    filter.due_from !== undefined && sql`c.due_date >= ${filter.due_from}::date`,
    filter.due_to !== undefined && sql`c.due_date <= ${filter.due_to}::date`,
    daysFrom !== undefined && sql`c.due_date <= ${addDays(today, -daysFrom)}::date`,
    daysTo !== undefined && sql`c.due_date >= ${addDays(today, -daysTo)}::date`,
    filter.rule_id !== undefined && sql`c.collection_rule_id = ${filter.rule_id}`,
    filter.dunning_state !== undefined && sql`c.dunning_state = ${filter.dunning_state}`,
    filter.disputed !== undefined && sql`c.is_disputed = ${filter.disputed}`,
    filter.has_legal_action !== undefined &&
      (filter.has_legal_action ? sql`c.legal_kind is not null` : sql`c.legal_kind is null`),
    filter.tag !== undefined && sql`${filter.tag} = any(c.tags)`,
    filter.external_id !== undefined && sql`c.external_id = ${filter.external_id}`,
    filter.search !== undefined && isFoundByPerson(chargePlace, 'c', organizationId, filter.search),
  )}${timeFilters(filter, 'c')}`;
}

/** One state as an equality, which an index serves in order. */
function hasStatus(status: readonly string[]): Sql {
  return status.length === 1 ? sql`c.status = ${status[0]}` : sql`c.status = any(${status}::text[])`;
}

export async function selectRecentChargeIds(
  db: Db,
  organizationId: string,
  typed: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(recentIds('dunning_charges', organizationId, typed));
  return rows.map(({ id }) => id);
}
