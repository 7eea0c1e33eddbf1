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
import { isFound, type Search } from '../../db/search.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

export type PersonRow = Tables['dunning_people'];

/** How long the row stays as it is: `share` keeps others from changing it, `update` is for changing it here. */
export type Lock = 'none' | 'share' | 'update';

export const lockClauses: Readonly<Record<Lock, string>> = {
  none: '',
  share: 'for share',
  update: 'for update',
};

export function selectPerson(
  db: Db,
  organizationId: string,
  id: string,
  lock: Lock,
): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`
    select * from dunning_people where organization_id = ${organizationId} and id = ${id} ${raw(lockClauses[lock])}`);
}

export function selectPersonByDocument(
  db: Db,
  organizationId: string,
  documentNumber: string,
): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`
    select * from dunning_people
     where organization_id = ${organizationId} and document_number = ${documentNumber}`);
}

export function selectPersonByExternalId(
  db: Db,
  organizationId: string,
  externalId: string,
): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`
    select * from dunning_people where organization_id = ${organizationId} and external_id = ${externalId}`);
}

/**
 * Makes everyone who wants this key (a document, an external id) wait until the transaction ends, so that two people
 * who take it at the same time become a `duplicate` and not a broken constraint.
 */
export async function lockKey(db: Db, organizationId: string, key: string): Promise<void> {
  await db.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`dunning_people/${organizationId}/${key}`}, 0))`,
  );
}

export type PersonInsert = Omit<
  PersonRow,
  'updated_at' | 'version' | 'archived_at' | 'anonymized_at' | 'anonymized_basis'
>;

export function insertPerson(db: Db, person: PersonInsert): Promise<number> {
  return db.run(sql`
    insert into dunning_people (organization_id, id, name, kind, document_number, address, state, is_consumer,
                                do_not_contact, deceased, language, external_id, tags, search_text,
                                created_by, created_at, updated_at)
    values (${person.organization_id}, ${person.id}, ${person.name}, ${person.kind}, ${person.document_number},
            ${jsonOrNull(person.address)}::jsonb, ${person.state}, ${person.is_consumer}, ${person.do_not_contact},
            ${person.deceased}, ${person.language}, ${person.external_id}, ${person.tags}, ${person.search_text},
            ${person.created_by}, ${person.created_at}, ${person.created_at})`);
}

export function updatePerson(db: Db, person: PersonRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_people
       set name = ${person.name}, kind = ${person.kind}, document_number = ${person.document_number},
           address = ${jsonOrNull(person.address)}::jsonb, state = ${person.state},
           is_consumer = ${person.is_consumer}, do_not_contact = ${person.do_not_contact},
           deceased = ${person.deceased}, language = ${person.language}, external_id = ${person.external_id},
           tags = ${person.tags}, archived_at = ${person.archived_at}, anonymized_at = ${person.anonymized_at},
           anonymized_basis = ${person.anonymized_basis}, search_text = ${person.search_text},
           updated_at = ${now}, version = version + 1
     where organization_id = ${person.organization_id} and id = ${person.id}`);
}

export const personSorts = sortsOf({
  name: { column: 'name', keyForm: 'text' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export interface PersonFilter extends TimeFilters {
  search?: Search | undefined;
  document_number?: string | undefined;
  has_open?: boolean | undefined;
  has_overdue?: boolean | undefined;
  tag?: string | undefined;
  archived: boolean;
}

export interface ListedPersonRow extends PersonRow {
  open_cents: number;
  open_count: number;
}

/** Open means owed by the charge itself or by the agreement it is in. */
const stillOpen = raw(`status in ('pending', 'overdue', 'in_agreement')`);

/** Late by the calendar, whether or not the daily run has said so. */
function isOverdue(today: string): Sql {
  return sql`(status = 'overdue' or (status = 'pending' and adjusted_due_date < ${today}::date))`;
}

export function selectPeople(
  db: Db,
  organizationId: string,
  filter: PersonFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
  today: string,
): Promise<ListedPersonRow[]> {
  return db.rows<ListedPersonRow>(sql`
    select people.*, open.cents as open_cents, open.count as open_count
      from (
        select * from dunning_people p
         where ${matches(organizationId, filter, today)}
           ${after(page.sort, page.position)}
         ${orderAndLimit(page.sort, page.limit)}) people
      cross join lateral (
        select coalesce(sum(open_cents), 0)::bigint as cents, count(*) as count from dunning_charges
         where organization_id = ${organizationId} and person_id = people.id and ${stillOpen}) open
     order by ${raw(`people.${page.sort.column} ${page.sort.direction}, people.id ${page.sort.direction}`)}`);
}

/** Ids of the debtors that a filter finds, in id order, at most `max`. */
export async function selectPersonIds(
  db: Db,
  organizationId: string,
  filter: PersonFilter,
  today: string,
  max: number,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from dunning_people p where ${matches(organizationId, filter, today)} order by id limit ${max}`);
  return rows.map(({ id }) => id);
}

export async function selectRecentPersonIds(
  db: Db,
  organizationId: string,
  typed: string,
): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds('dunning_people', organizationId, typed))).map(
    ({ id }) => id,
  );
}

/** Those of the debtors who owe nothing and stand in no legal action. */
export async function selectArchivable(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.rows(sql`
    select id, name from dunning_people p
     where organization_id = ${organizationId} and id = any(${ids}::uuid[])
       and not exists (select 1 from dunning_charges c
                        where c.organization_id = p.organization_id and c.person_id = p.id
                          and (${stillOpen} or legal_kind is not null))
     order by id`);
}

function matches(organizationId: string, filter: PersonFilter, today: string): Sql {
  const { search, document_number: document, has_open: hasOpen, has_overdue: hasOverdue, tag } = filter;
  return sql`p.organization_id = ${organizationId}
    ${all(
      filter.archived ? sql`p.archived_at is not null` : sql`p.archived_at is null`,
      document !== undefined && sql`p.document_number = ${document}`,
      tag !== undefined && sql`${tag} = any(p.tags)`,
      hasOpen !== undefined &&
        sql`${hasOpen} = exists (
              select 1 from dunning_charges
               where organization_id = ${organizationId} and person_id = p.id and ${stillOpen})`,
      hasOverdue !== undefined &&
        sql`${hasOverdue} = exists (
              select 1 from dunning_charges
               where organization_id = ${organizationId} and person_id = p.id and ${isOverdue(today)})`,
      search !== undefined && isFound(organizationId, search, 'p.id', 'p.search_text'),
    )}
    ${timeFilters(filter, 'p')}`;
}

/** Without an address the column is null, not the JSON value `null`. */
function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
