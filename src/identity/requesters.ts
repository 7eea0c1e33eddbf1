/** People whose calls wait for a yes, and the proof of whoever says it. */

import type { Requester } from '../core/approvals.ts';
import type { Caller, VerificationMethod } from '../core/caller.ts';
import type { Db } from '../core/ports.ts';
import { selectOwner, selectTokenById, type TokenRow, updateProofConsumed } from './queries.ts';
import { personOf } from './tokens.ts';

/**
 * The caller that somebody would be now who asked some time ago; null when they may not call any more. An access token
 * of a connection is good for minutes and its connection for months, so there the connection decides, while a token
 * made by hand has to be good itself. Whoever asked from the console has no token.
 */
export async function requesterOf(db: Db, requester: Requester, now: Date): Promise<Caller | null> {
  const { product, organizationId, userId, tokenId, clientId } = requester;
  if (tokenId === null) {
    const owner = await selectOwner(db, organizationId, userId);
    const person = owner && (await personOf(db, owner, { product, access: 'write', pinned: null }));
    return person ? { ...person, tokenId: null, clientId, tokenExpiresAt: null } : null;
  }
  const row = await selectTokenById(db, tokenId, now);
  if (row === undefined || !isGood(row, now)) return null;
  if (row.product !== product || row.organization_id !== organizationId || row.user_id !== userId)
    return null;
  const person = await personOf(db, row, { product, access: row.access, pinned: row.workspace_id });
  if (person === null) return null;
  return { ...person, tokenId, clientId, tokenExpiresAt: row.expires_at, connectionId: row.connection_id };
}

function isGood(row: TokenRow, now: Date): boolean {
  if (row.revoked_at !== null || row.connection_ended) return false;
  return row.connection_id !== null || Date.parse(row.expires_at) > now.getTime();
}

/**
 * Takes the proof that a session holds for this purpose, given not before `since`: how the person gave it, or null when
 * there is none. It is gone with the transaction, so that one proof allows one act.
 */
export async function consumeVerification(
  db: Db,
  sessionId: string,
  purpose: string,
  since: Date,
): Promise<VerificationMethod | null> {
  return (await updateProofConsumed(db, sessionId, purpose, since))?.verified_with ?? null;
}
