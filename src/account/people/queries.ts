import type { Locale } from '../../core/caller.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, all, type ListSort, orderAndLimit, plainText, sortsOf } from '../../db/listing.ts';
import { raw, sql } from '../../db/sql.ts';
import { isAccepted } from '../../identity/queries.ts';
import type { Role } from '../../identity/roles.ts';
import type { GivenRole } from './schema.ts';

export interface PersonRow {
  id: string;
  name: string;
  email: string;
  roles: { workspace_id: string | null; workspace_name: string | null; role: Role }[];
  joined_at: string;
  last_seen_at: string | null;
  /** Of an invitation that waits; null for who is in. */
  invitation_expires_at: string | null;
  shown_as: string;
}

/** Who waits is known by the e-mail alone: what a person is called in other organizations is not for this one. */
const people = raw(`
  select u.id, u.name, u.email, min(m.created_at) as joined_at, v.expires_at as invitation_expires_at,
         case when v.id is null then u.name else u.email end as shown_as,
         json_agg(json_build_object('workspace_id', m.workspace_id, 'workspace_name', w.name, 'role', m.role)
                  order by w.name nulls first, w.id) as roles,
         (select max(s.last_seen_at) from sessions s
           where s.user_id = u.id and s.organization_id = m.organization_id) as last_seen_at
    from memberships m
    join users u on u.id = m.user_id
    left join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
    left join invitations v on v.organization_id = m.organization_id and v.user_id = m.user_id
                           and v.invited_by is not null and v.used_at is null`);
const inOnePiece = raw('group by m.organization_id, u.id, v.id');

export const personSort = sortsOf({ shown_as: { column: 'shown_as', keyForm: 'text' } })['shown_as']!;

/** `pattern` is a `like` pattern over name and e-mail as they are shown. */
export function selectPeople(
  db: Db,
  organizationId: string,
  filter: { pattern: string | undefined },
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<PersonRow[]> {
  const found =
    filter.pattern !== undefined && sql`${plainText("shown_as || ' ' || email")} like ${filter.pattern}`;
  return db.rows<PersonRow>(sql`
    select * from (${people} where m.organization_id = ${organizationId} ${inOnePiece}) people
     where true ${all(found)} ${after(page.sort, page.position)} ${orderAndLimit(page.sort, page.limit)}`);
}

export function selectPerson(db: Db, organizationId: string, id: string): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(
    sql`${people} where m.organization_id = ${organizationId} and u.id = ${id} ${inOnePiece}`,
  );
}

/** Changes of who may what in an organization go one after the other, so that two of them never leave it without an owner. */
export function selectOrganizationForUpdate(db: Db, organizationId: string): Promise<unknown> {
  return db.row(sql`select from organizations where id = ${organizationId} for no key update`);
}

/** How many owners there are who can come in, this person aside. */
export async function selectOtherOwners(db: Db, organizationId: string, userId: string): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(distinct m.user_id) from memberships m
     where m.organization_id = ${organizationId} and m.user_id <> ${userId}
       and m.role = 'owner' and m.workspace_id is null and ${isAccepted}`);
  return row!.count;
}

/** Of the ids, those of workspaces of the organization. */
export async function selectOwnWorkspaceIds(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from workspaces where organization_id = ${organizationId} and id = any(${ids}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Makes a person of the address unless there is one, of whatever organization. */
export function insertUserIfUnknown(
  db: Db,
  user: { id: string; email: string; name: string; locale: Locale },
): Promise<number> {
  return db.run(sql`
    insert into users (id, email, name, locale)
    values (${user.id}, ${user.email}, ${user.name}, ${user.locale})
    on conflict (email) do nothing`);
}

export function selectUserId(db: Db, email: string): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`select id from users where email = ${email}`);
}

export function deleteMemberships(db: Db, organizationId: string, userId: string): Promise<number> {
  return db.run(
    sql`delete from memberships where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}

export function insertMemberships(
  db: Db,
  person: { organizationId: string; userId: string; since: Date | string },
  roles: readonly GivenRole[],
): Promise<number> {
  return db.run(sql`
    insert into memberships (organization_id, user_id, workspace_id, role, created_at)
    select ${person.organizationId}, ${person.userId}, given.workspace_id, given.role, ${person.since}
      from unnest(${roles.map((each) => each.workspace_id)}::uuid[], ${roles.map((each) => each.role)}::text[])
           as given (workspace_id, role)`);
}

export function updateSessionsEnded(
  db: Db,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<number> {
  return db.run(sql`
    update sessions set ended_at = ${at}
     where organization_id = ${organizationId} and user_id = ${userId} and ended_at is null`);
}
