/** People signed in to the console: a random secret in a cookie, its hash and its facts in the database. */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller, Domain, VerificationMethod } from '../core/caller.ts';
import { newId } from '../core/ids.ts';
import type { Db } from '../core/ports.ts';
import {
  insertSession,
  type SessionRow,
  selectSession,
  updateSessionEnded,
  updateSessionSeen,
  updateSessionVerified,
} from './queries.ts';
import { callerOfSession } from './tokens.ts';

const SECRET_BYTES = 32;
export const SESSION_SECONDS = 12 * 3_600;
/** Signed out after this long without a page; written down at most once a minute. */
export const SESSION_IDLE_MS = 2 * 3_600_000;
const SEEN_EVERY_MS = 60_000;
const USER_AGENT_MAX = 200;
/** How old the last proof may be where a person makes or removes a key: theirs, or that of a client they let in. */
const FRESH_MS = 5 * 60_000;

export interface SessionRequest {
  readonly userId: string;
  readonly organizationId: string;
  readonly verifiedWith: VerificationMethod;
  /** When the person last proved to be there. Default: now. */
  readonly verifiedAt?: Date;
  /** Default: `SESSION_SECONDS` from now. */
  readonly expiresAt?: Date;
  readonly userAgent: string;
}

/** Starts a session and gives the secret for its cookie. */
export async function createSession(
  db: Db,
  request: SessionRequest,
  now: Date,
): Promise<{ id: string; secret: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const id = newId();
  await insertSession(db, {
    id,
    secretHash: hashOf(secret),
    userId: request.userId,
    organizationId: request.organizationId,
    verifiedWith: request.verifiedWith,
    verifiedAt: request.verifiedAt ?? now,
    userAgent: request.userAgent.slice(0, USER_AGENT_MAX),
    now,
    expiresAt: request.expiresAt ?? new Date(now.getTime() + SESSION_SECONDS * 1_000),
  });
  return { id, secret };
}

/** A live session: its row, and the caller it gives for each domain. */
export interface Session {
  readonly row: SessionRow;
  callerFor(domain: Domain): Promise<Caller | null>;
}

/** The live session behind a cookie's secret, or null. */
export async function findSession(db: Db, secret: string, now: Date): Promise<Session | null> {
  const row = await selectSession(db, hashOf(secret));
  if (row === undefined || row.ended_at !== null || Date.parse(row.expires_at) <= now.getTime()) return null;
  const idleMs = now.getTime() - Date.parse(row.last_seen_at);
  if (idleMs > SESSION_IDLE_MS) return null;
  if (idleMs > SEEN_EVERY_MS) await updateSessionSeen(db, row.id, now);
  return { row, callerFor: (domain) => callerOfSession(db, row, domain, now) };
}

/** Signs the person out of this session. */
export async function endSession(db: Db, id: string, now: Date): Promise<void> {
  await updateSessionEnded(db, id, now);
}

/** Whether a proof given at this instant is recent enough to make a key: who found an open browser has none. */
export function isFreshProof(verifiedAt: string, now: Date): boolean {
  return now.getTime() - Date.parse(verifiedAt) <= FRESH_MS;
}

/** Records that the person just proved to be there, and for what (null: for whatever comes next). */
export async function noteVerification(
  db: Db,
  id: string,
  method: VerificationMethod,
  purpose: string | null,
  now: Date,
): Promise<void> {
  await updateSessionVerified(db, id, { at: now, method, purpose });
}

/** The word that forms of this session carry; nobody without the cookie can make it. */
export function formWordOf(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

/** Whether a form came from a page of this session. */
export function isFormWord(secret: string, word: string | null): boolean {
  const right = Buffer.from(formWordOf(secret));
  const given = Buffer.from(word ?? '');
  return right.length === given.length && timingSafeEqual(right, given);
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
