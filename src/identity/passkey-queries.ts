import type { Db } from '../core/ports.ts';
import { sql } from '../db/sql.ts';

export type ChallengePurpose = 'register' | 'sign_in' | 'verify';

export function insertChallenge(
  db: Db,
  challenge: {
    id: string;
    purpose: ChallengePurpose;
    userId: string | null;
    challenge: string;
    expiresAt: Date;
  },
): Promise<number> {
  return db.run(sql`
    insert into passkey_challenges (id, purpose, user_id, challenge, expires_at)
    values (${challenge.id}, ${challenge.purpose}, ${challenge.userId}, ${challenge.challenge}, ${challenge.expiresAt})`);
}

/** Takes the challenge, so that it is used once; none when it is not of this purpose and person, or too old. */
export async function deleteChallenge(
  db: Db,
  id: string,
  purpose: ChallengePurpose,
  userId: string | null,
  now: Date,
): Promise<string | undefined> {
  const row = await db.row<{ challenge: string }>(sql`
    delete from passkey_challenges
     where id = ${id} and purpose = ${purpose} and user_id is not distinct from ${userId} and expires_at > ${now}
    returning challenge`);
  return row?.challenge;
}

export interface PasskeyRow {
  id: string;
  user_id: string;
  name: string;
  public_key: Buffer;
  sign_count: number;
  transports: string[];
  created_at: string;
  last_used_at: string | null;
}

export function selectPasskey(db: Db, id: string): Promise<PasskeyRow | undefined> {
  return db.row<PasskeyRow>(sql`select * from passkeys where id = ${id}`);
}

export function selectPasskeysOf(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db.rows<PasskeyRow>(sql`select * from passkeys where user_id = ${userId} order by created_at, id`);
}

/** None when the passkey is registered already, for whomever, or the person has as many as they may have. */
export function insertPasskey(
  db: Db,
  passkey: Omit<PasskeyRow, 'created_at' | 'last_used_at'>,
  perPersonMax: number,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into passkeys (id, user_id, name, public_key, sign_count, transports, created_at)
    select ${passkey.id}, ${passkey.user_id}, ${passkey.name}, ${passkey.public_key}, ${passkey.sign_count},
           ${passkey.transports}::text[], ${now}
     where (select count(*) from passkeys where user_id = ${passkey.user_id}) < ${perPersonMax}
    on conflict (id) do nothing`);
}

/** None when the counter did not go on since it was read: two answers of one key, of which one may be a copy's. */
export function updatePasskeyUsed(db: Db, id: string, signCount: number, now: Date): Promise<number> {
  return db.run(sql`
    update passkeys set sign_count = ${signCount}, last_used_at = ${now}
     where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`);
}

export function deletePasskey(db: Db, userId: string, id: string): Promise<number> {
  return db.run(sql`delete from passkeys where user_id = ${userId} and id = ${id}`);
}

export function deletePasskeysOf(db: Db, userId: string): Promise<number> {
  return db.run(sql`delete from passkeys where user_id = ${userId}`);
}
