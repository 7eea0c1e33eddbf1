/** Statements of the worker: where jobs work, and what has served its time. */

import type { Db } from '../core/ports.ts';
import { sql } from './sql.ts';

/** Both kinds of tenant have keys; the row-level rule shows those of the bound one. */
export function deleteExpiredKeys(db: Db, tenantId: string, now: Date): Promise<number> {
  return db.run(sql`
    delete from idempotency_keys
     where tenant_id = ${tenantId} and created_at < ${now}::timestamptz - interval '24 hours'`);
}

/** Used confirmations are remembered for 30 days, so that a late repeat is told so (PROTOCOL C-08). */
export function deleteOldConfirmations(db: Db, organizationId: string, now: Date): Promise<number> {
  return db.run(sql`
    delete from used_confirmations
     where organization_id = ${organizationId} and used_at < ${now}::timestamptz - interval '30 days'`);
}

/** Approvals live a week at most; what came of them stays in the audit chain. */
export function deleteOldApprovals(db: Db, tenantId: string, now: Date): Promise<number> {
  return db.run(sql`
    delete from approvals
     where tenant_id = ${tenantId} and requested_at < ${now}::timestamptz - interval '35 days'`);
}

/** Upload links of workspaces whose time is over. */
export function deleteExpiredUploadLinks(db: Db, workspaceId: string, now: Date): Promise<number> {
  return db.run(sql`
    delete from upload_links
     where workspace_id = ${workspaceId} and expires_at < ${now}::timestamptz - interval '24 hours'`);
}

export interface TenantRow {
  organization_id: string;
  workspace_id: string | null;
}

/** Every organization, and every workspace of each. */
export function selectTenants(db: Db): Promise<TenantRow[]> {
  return db.rows<TenantRow>(sql`
    select id as organization_id, null::uuid as workspace_id from organizations
    union all
    select organization_id, id from workspaces
    order by 1, 2 nulls first`);
}

/** The time zone of a workspace of the organization, or of the organization itself; undefined when there is none. */
export async function selectTimeZone(
  db: Db,
  organizationId: string,
  workspaceId: string | null,
): Promise<string | undefined> {
  const statement =
    workspaceId === null
      ? sql`select time_zone from organizations where id = ${organizationId}`
      : sql`select time_zone from workspaces where organization_id = ${organizationId} and id = ${workspaceId}`;
  return (await db.row<{ time_zone: string }>(statement))?.time_zone;
}
