/** What identity keeps for a time only. */

import type { Db } from '../core/ports.ts';
import { sql } from '../db/sql.ts';

/**
 * Deletes what has served its time: sessions and the tokens of connections 40 days after they ended, questions to passkeys
 * and counts of attempts a day after, links 30 days after, records of the authorization server when they are over.
 */
export async function purgeIdentity(db: Db, now: Date): Promise<void> {
  await deleteOldSessions(db, now);
  await deleteOldConnectionTokens(db, now);
  await deleteOldChallenges(db, now);
  await deleteOldAttempts(db, now);
  await deleteInvitationsNeverAccepted(db, now);
  await deleteOldInvitations(db, now);
  await deleteOldOauthRecords(db, now);
}

function deleteOldSessions(db: Db, now: Date): Promise<number> {
  return db.run(sql`delete from sessions where expires_at < ${now}::timestamptz - interval '40 days'`);
}

/** No approval names them any more, those are gone 35 days after they were asked for. Tokens made by hand stay, as a record. */
function deleteOldConnectionTokens(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    delete from tokens
     where connection_id is not null and expires_at < ${now}::timestamptz - interval '40 days'`);
}

function deleteOldChallenges(db: Db, now: Date): Promise<number> {
  return db.run(
    sql`delete from passkey_challenges where expires_at < ${now}::timestamptz - interval '1 day'`,
  );
}

function deleteOldAttempts(db: Db, now: Date): Promise<number> {
  return db.run(sql`delete from attempts where window_start < ${now}::timestamptz - interval '1 day'`);
}

/** Whoever never came is not waited for, and the roles go first: without the invitation they would count. */
function deleteInvitationsNeverAccepted(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    with over as (
      delete from invitations
       where invited_by is not null and used_at is null and expires_at < ${now}::timestamptz - interval '30 days'
      returning organization_id, user_id
    )
    delete from memberships m using over
     where m.organization_id = over.organization_id and m.user_id = over.user_id`);
}

function deleteOldInvitations(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    delete from invitations
     where (invited_by is null or used_at is not null) and expires_at < ${now}::timestamptz - interval '30 days'`);
}

function deleteOldOauthRecords(db: Db, now: Date): Promise<number> {
  return db.run(sql`delete from oauth_records where expires_at < ${now}`);
}
