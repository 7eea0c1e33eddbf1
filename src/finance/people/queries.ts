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
import { raw, sql } from '../../db/sql.ts';

export type PersonRow = Tables['people'];

export const personSorts = sortsOf({
  name: { column: 'name', keyForm: 'text' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export interface PersonFilter extends TimeFilters {
  search?: string | undefined;
  role?: string | undefined;
  document_number?: string | undefined;
  active?: boolean | undefined;
}

export function selectPeople(
  db: Db,
  workspaceId: string,
  filter: PersonFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<PersonRow[]> {
  return db.rows<PersonRow>(sql`
    select * from people
     where workspace_id = ${workspaceId}
       ${all(
         filter.active !== undefined && sql`active = ${filter.active}`,
         filter.role !== undefined && sql`${filter.role} = any(roles)`,
         filter.document_number !== undefined && sql`document_number = ${filter.document_number}`,
         filter.search !== undefined && sql`search_text like ${filter.search}`,
       )}
       ${timeFilters(filter, 'people')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** How long the row stays as it is: `share` keeps others from changing it, `update` is for changing it here. */
type Lock = 'none' | 'share' | 'update';

const lockClauses: Readonly<Record<Lock, string>> = { none: '', share: 'for share', update: 'for update' };

export function selectPerson(
  db: Db,
  workspaceId: string,
  id: string,
  lock: Lock,
): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`
    select * from people where workspace_id = ${workspaceId} and id = ${id} ${raw(lockClauses[lock])}`);
}

export function selectPersonByDocument(
  db: Db,
  workspaceId: string,
  documentNumber: string,
): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`
    select * from people where workspace_id = ${workspaceId} and document_number = ${documentNumber}`);
}

/**
 * Makes everyone who wants this document wait until the transaction ends, so that two people who take it at the
 * same time become a `duplicate` and not a broken constraint.
 */
export async function lockDocument(db: Db, workspaceId: string, documentNumber: string): Promise<void> {
  await db.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`people/${workspaceId}/${documentNumber}`}, 0))`,
  );
}

export async function selectRecentPersonIds(db: Db, workspaceId: string, typed: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds('people', workspaceId, typed))).map(({ id }) => id);
}

/** Payables of the person on which money is still to be paid. */
export async function countOpenPayables(db: Db, workspaceId: string, personId: string): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from payables
     where workspace_id = ${workspaceId} and person_id = ${personId}
       and status in ('draft', 'open', 'partially_paid')`);
  return row!.count;
}

export type PersonInsert = Omit<PersonRow, 'updated_at' | 'version' | 'bank_details_changed_at'>;

export function insertPerson(db: Db, person: PersonInsert): Promise<number> {
  return db.run(sql`
    insert into people (workspace_id, id, name, kind, document_number, roles, emails, phones, address,
                        bank_accounts, pix_keys, search_text, active, created_by, created_at, updated_at)
    values (${person.workspace_id}, ${person.id}, ${person.name}, ${person.kind}, ${person.document_number},
            ${person.roles}, ${person.emails}, ${person.phones}, ${jsonOrNull(person.address)}::jsonb,
            ${JSON.stringify(person.bank_accounts)}::jsonb, ${JSON.stringify(person.pix_keys)}::jsonb,
            ${person.search_text}, ${person.active}, ${person.created_by}, ${person.created_at}, ${person.created_at})`);
}

export function updatePerson(db: Db, person: PersonRow, now: Date): Promise<number> {
  return db.run(sql`
    update people
       set name = ${person.name}, kind = ${person.kind}, document_number = ${person.document_number},
           roles = ${person.roles}, emails = ${person.emails}, phones = ${person.phones},
           address = ${jsonOrNull(person.address)}::jsonb,
           bank_accounts = ${JSON.stringify(person.bank_accounts)}::jsonb,
           pix_keys = ${JSON.stringify(person.pix_keys)}::jsonb,
           bank_details_changed_at = ${person.bank_details_changed_at},
           search_text = ${person.search_text}, active = ${person.active},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${person.workspace_id} and id = ${person.id}`);
}

export function deletePerson(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from people where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Without an address the column is null, not the JSON value `null`. */
function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
