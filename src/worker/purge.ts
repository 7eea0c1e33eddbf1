import type { JobPorts } from '../core/job.ts';
import type { Db } from '../core/ports.ts';
import {
  deleteExpiredKeys,
  deleteExpiredUploadLinks,
  deleteOldApprovals,
  deleteOldConfirmations,
  selectTenants,
} from '../db/tenants.ts';
import { purgeIdentity } from '../identity/purge.ts';

export const PURGE_TASK = 'purge';

/**
 * Deletes idempotency keys and upload links older than 24 hours, used confirmations older than 30 days, approvals older
 * than 35 days, and what identity keeps for a time only. All but identity are under row-level security, so it goes from
 * tenant to tenant; identity comes last, because approvals name the tokens they were asked by.
 */
export async function purge(
  { database, now }: Pick<JobPorts, 'database' | 'now'>,
  shared: Db,
): Promise<void> {
  for (const { organization_id: organizationId, workspace_id: workspaceId } of await selectTenants(shared)) {
    await database.write({ organizationId, workspaceId }, async (db) => {
      await deleteExpiredKeys(db, workspaceId ?? organizationId, now());
      await deleteOldApprovals(db, workspaceId ?? organizationId, now());
      if (workspaceId === null) await deleteOldConfirmations(db, organizationId, now());
      else await deleteExpiredUploadLinks(db, workspaceId, now());
    });
  }
  await purgeIdentity(shared, now());
}
