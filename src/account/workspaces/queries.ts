import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import { sql } from '../../db/sql.ts';

export interface WorkspaceRow {
  id: string;
  name: string;
  time_zone: string;
  created_at: string;
}

export const byName = sortsOf({ name: { column: 'name', keyForm: 'text' } })['name']!;

/** Of the organization's workspaces, those with these ids. */
export function selectWorkspaces(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<WorkspaceRow[]> {
  return db.rows<WorkspaceRow>(sql`
    select id, name, time_zone, created_at from workspaces
     where organization_id = ${organizationId} and id = any(${ids}::uuid[])
           ${after(page.sort, page.position)} ${orderAndLimit(page.sort, page.limit)}`);
}

export function selectWorkspaceForUpdate(
  db: Db,
  organizationId: string,
  id: string,
): Promise<WorkspaceRow | undefined> {
  return db.row<WorkspaceRow>(sql`
    select id, name, time_zone, created_at from workspaces
     where organization_id = ${organizationId} and id = ${id} for no key update`);
}

export async function selectWorkspaceCount(db: Db, organizationId: string): Promise<number> {
  const row = await db.row<{ count: number }>(
    sql`select count(*) from workspaces where organization_id = ${organizationId}`,
  );
  return row!.count;
}

export function insertWorkspace(db: Db, organizationId: string, workspace: WorkspaceRow): Promise<number> {
  return db.run(sql`
    insert into workspaces (organization_id, id, name, time_zone, created_at)
    values (${organizationId}, ${workspace.id}, ${workspace.name}, ${workspace.time_zone}, ${workspace.created_at})`);
}

export function updateWorkspace(db: Db, organizationId: string, workspace: WorkspaceRow): Promise<number> {
  return db.run(sql`
    update workspaces set name = ${workspace.name}, time_zone = ${workspace.time_zone}
     where organization_id = ${organizationId} and id = ${workspace.id}`);
}

export function updateOrganization(db: Db, id: string, name: string): Promise<number> {
  return db.run(sql`update organizations set name = ${name} where id = ${id}`);
}
