import type { Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';

/** Belongs to the workspace, so it is written while bound to it. False when the receivable is linked already. */
export async function insertLink(
  db: Db,
  workspaceId: string,
  receivableId: string,
  organizationId: string,
  chargeId: string,
): Promise<boolean> {
  const count = await db.run(sql`
    insert into dunning_receivable_links (workspace_id, receivable_id, organization_id, charge_id)
    values (${workspaceId}, ${receivableId}, ${organizationId}, ${chargeId})
    on conflict do nothing`);
  return count === 1;
}

export async function selectLinkedChargeId(
  db: Db,
  workspaceId: string,
  receivableId: string,
): Promise<string | undefined> {
  const row = await db.row<{ charge_id: string }>(sql`
    select charge_id from dunning_receivable_links
     where workspace_id = ${workspaceId} and receivable_id = ${receivableId}`);
  return row?.charge_id;
}
