import type { Db } from '../core/ports.ts';
import { sql } from '../db/sql.ts';

export interface UsedConfirmation {
  organizationId: string;
  id: string;
  status: 'used' | 'declined';
  workspaceId: string | null;
  userId: string;
  clientId: string;
  operation: string;
  argumentsDigest: string;
  usedAt: Date;
}

export function selectStatus(
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ status: string } | undefined> {
  return db.row(sql`
    select status from used_confirmations where organization_id = ${organizationId} and id = ${id}`);
}

/** True when this transaction, and no other, now works on the id; held until it ends. */
export async function tryLock(db: Db, organizationId: string, id: string): Promise<boolean> {
  const row = await db.row<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`${organizationId}/${id}`}, 0)) as locked`);
  return row?.locked === true;
}

/** 1 when the id is now recorded, 0 when it was before. */
export function insertUsedConfirmation(db: Db, use: UsedConfirmation): Promise<number> {
  return db.run(sql`
    insert into used_confirmations (organization_id, id, status, workspace_id, user_id, client_id, operation, arguments_digest, used_at)
    values (${use.organizationId}, ${use.id}, ${use.status}, ${use.workspaceId}, ${use.userId}, ${use.clientId},
            ${use.operation}, ${use.argumentsDigest}, ${use.usedAt})
    on conflict do nothing`);
}

export function updateFailed(db: Db, organizationId: string, id: string, code: string): Promise<number> {
  return db.run(sql`
    update used_confirmations set status = 'failed', error_code = ${code}
     where organization_id = ${organizationId} and id = ${id}`);
}

/** When the person last confirmed this very action and it ran. */
export function selectLastUse(
  db: Db,
  action: { organizationId: string; userId: string; operation: string; argumentsDigest: string; since: Date },
): Promise<{ used_at: string } | undefined> {
  return db.row(sql`
    select used_at from used_confirmations
     where organization_id = ${action.organizationId} and user_id = ${action.userId}
       and operation = ${action.operation} and arguments_digest = ${action.argumentsDigest}
       and status = 'used' and used_at >= ${action.since}
     order by used_at desc limit 1`);
}
