/** Links that let somebody in, once: an invitation to an organization, or one from the command line. */

import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../core/ids.ts';
import type { Db } from '../core/ports.ts';
import { deleteOpenInvitations, insertInvitation } from './sign-in-queries.ts';

const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;
/** An invitation may wait over a weekend and a holiday. */
const INVITED_HOURS = 7 * 24;
/** A link from the command line is for who stands beside it. */
const COMMAND_LINE_HOURS = 24;

export interface InvitationRequest {
  readonly userId: string;
  readonly organizationId: string;
  /** Null: made on the command line. */
  readonly invitedBy: string | null;
}

export interface InvitationLink {
  readonly id: string;
  /** The path of the page that takes it, with the secret; shown once. */
  readonly path: string;
  readonly expiresAt: Date;
}

/**
 * Makes a link in place of those of its kind that are still open. While one by somebody is open, the person's roles in
 * the organization do not count: whoever writes them does so in the same transaction.
 */
export async function createInvitation(
  db: Db,
  { userId, organizationId, invitedBy }: InvitationRequest,
  now: Date,
): Promise<InvitationLink> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const id = newId();
  const isByHand = invitedBy === null;
  const hours = isByHand ? COMMAND_LINE_HOURS : INVITED_HOURS;
  const expiresAt = new Date(now.getTime() + hours * HOUR_MS);
  await deleteOpenInvitations(db, organizationId, userId, isByHand ? 'command_line' : 'invited');
  await insertInvitation(db, {
    id,
    secretHash: invitationHashOf(secret),
    userId,
    organizationId,
    invitedBy,
    now,
    expiresAt,
  });
  return { id, path: `/console/invitation/${secret}`, expiresAt };
}

/** What stands for the secret of a link in the database. */
export function invitationHashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
