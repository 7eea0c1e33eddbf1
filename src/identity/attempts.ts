/** Counts attempts in windows of time, for every process together. */

import { createHmac } from 'node:crypto';
import type { Db } from '../core/ports.ts';
import { sql } from '../db/sql.ts';

/**
 * Counts one attempt and gives how many there were in the present window of time, this one included. `kind` says what
 * is counted, such as `sign_in:address`; the digest of whose it is comes from `subjectDigestOf`.
 */
export async function countAttempt(
  db: Db,
  kind: string,
  subjectDigest: Buffer,
  now: Date,
  windowMs: number,
): Promise<number> {
  const row = await upsertAttempt(db, kind, subjectDigest, windowStartOf(now, windowMs));
  return row!.count;
}

/** Takes back one attempt of the present window, because it was none to be counted. */
export async function takeBackAttempt(
  db: Db,
  kind: string,
  subjectDigest: Buffer,
  now: Date,
  windowMs: number,
): Promise<void> {
  await updateAttemptTakenBack(db, kind, subjectDigest, windowStartOf(now, windowMs));
}

/** Forgets what was counted, in every window. */
export async function forgetAttempts(db: Db, kind: string, subjectDigest: Buffer): Promise<void> {
  await deleteAttemptsOf(db, kind, subjectDigest);
}

/** Seconds until the present window ends, at least one. */
export function secondsLeft(now: Date, windowMs: number): number {
  const leftMs = windowStartOf(now, windowMs).getTime() + windowMs - now.getTime();
  return Math.max(1, Math.ceil(leftMs / 1_000));
}

/** What stands for an e-mail address or a network address in the table: nobody without the key can tell which it is. */
export function subjectDigestOf(secretKey: string, subject: string): Buffer {
  return createHmac('sha256', secretKey).update(`attempts\0${subject}`).digest();
}

function windowStartOf(now: Date, windowMs: number): Date {
  return new Date(Math.floor(now.getTime() / windowMs) * windowMs);
}

function upsertAttempt(
  db: Db,
  kind: string,
  subject: Buffer,
  windowStart: Date,
): Promise<{ count: number } | undefined> {
  return db.row(sql`
    insert into attempts (kind, subject, window_start, count) values (${kind}, ${subject}, ${windowStart}, 1)
    on conflict (kind, subject, window_start) do update set count = attempts.count + 1
    returning count`);
}

function updateAttemptTakenBack(db: Db, kind: string, subject: Buffer, windowStart: Date): Promise<number> {
  return db.run(sql`
    update attempts set count = count - 1
     where kind = ${kind} and subject = ${subject} and window_start = ${windowStart} and count > 0`);
}

function deleteAttemptsOf(db: Db, kind: string, subject: Buffer): Promise<number> {
  return db.run(sql`delete from attempts where kind = ${kind} and subject = ${subject}`);
}
