import type { Locale } from '../../core/caller.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import { sql } from '../../db/sql.ts';
import { isAccepted } from '../../identity/queries.ts';

export interface OrganizationRow {
  id: string;
  name: string;
}

export const byName = sortsOf({ name: { column: 'o.name', keyForm: 'text' } })['name']!;

/** The organizations in which the person has a role that counts: the one list that goes beyond an organization. */
export function selectOrganizationsOf(
  db: Db,
  userId: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<OrganizationRow[]> {
  return db.rows<OrganizationRow>(sql`
    select o.id, o.name from organizations o
     where exists (select from memberships m
                    where m.organization_id = o.id and m.user_id = ${userId} and ${isAccepted})
           ${after(page.sort, page.position, 'o.id')} ${orderAndLimit(page.sort, page.limit, 'o.id')}`);
}

export function updateUser(db: Db, id: string, user: { name: string; locale: Locale }): Promise<number> {
  return db.run(sql`update users set name = ${user.name}, locale = ${user.locale} where id = ${id}`);
}
