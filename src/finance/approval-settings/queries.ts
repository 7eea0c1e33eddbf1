import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type SettingsRow = Tables['approval_settings'];

/** Every change of settings of a workspace waits for the one before it, so that none is lost. */
export function lockSettings(db: Db, workspaceId: string): Promise<number> {
  return db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`approval_settings/${workspaceId}`}, 0))`);
}

/** The company's own settings, else those of the workspace. */
export function selectSettings(
  db: Db,
  workspaceId: string,
  companyId: string | null,
): Promise<SettingsRow | undefined> {
  return db.row<SettingsRow>(sql`
    select * from approval_settings
     where workspace_id = ${workspaceId} and (company_id is null or company_id = ${companyId}::uuid)
     order by company_id nulls last limit 1`);
}

/** The table is outside row-level security, so both keys are named. */
export async function selectWorkspaceSettings(
  db: Db,
  organizationId: string,
  workspaceId: string,
): Promise<unknown> {
  const row = await db.row<{ settings: unknown }>(sql`
    select settings from workspaces where organization_id = ${organizationId} and id = ${workspaceId}`);
  return row?.settings;
}

/** Which of the users belong to the workspace. The table is outside row-level security, so both keys are named. */
export async function selectMembers(
  db: Db,
  place: { organizationId: string; workspaceId: string },
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.rows<{ user_id: string }>(sql`
    select distinct user_id from memberships
     where organization_id = ${place.organizationId}
       and (workspace_id is null or workspace_id = ${place.workspaceId}) and user_id = any(${userIds}::uuid[])`);
  return new Set(rows.map(({ user_id }) => user_id));
}

export function upsertSettings(
  db: Db,
  settings: Omit<SettingsRow, 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into approval_settings as current
      (workspace_id, id, company_id, thresholds, require_second_person, safety, updated_by, created_at, updated_at)
    values (${settings.workspace_id}, ${settings.id}, ${settings.company_id}::uuid,
            ${JSON.stringify(settings.thresholds)}::jsonb, ${settings.require_second_person},
            ${JSON.stringify(settings.safety)}::jsonb, ${settings.updated_by}, ${now}, ${now})
    on conflict (workspace_id, company_id) do update
       set thresholds = excluded.thresholds, require_second_person = excluded.require_second_person,
           safety = excluded.safety, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
           version = current.version + 1`);
}

export function deleteSettings(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from approval_settings where workspace_id = ${workspaceId} and id = ${id}`);
}
