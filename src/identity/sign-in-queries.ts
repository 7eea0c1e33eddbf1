import type { Db } from '../core/ports.ts';
import { raw, sql } from '../db/sql.ts';
import { isAccepted } from './queries.ts';

/** Somebody who may sign in, with the organization they have belonged to longest. */
export interface PersonRow {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
  organization_id: string;
}

const personToSignIn = raw(`
  select u.id, u.email, u.name, u.password_hash, m.organization_id
    from users u join memberships m on m.user_id = u.id and ${isAccepted.text}`);
const oldestFirst = raw('order by m.created_at, m.organization_id limit 1');

export function selectPersonByEmail(db: Db, email: string): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`${personToSignIn} where u.email = ${email} ${oldestFirst}`);
}

export function selectPersonById(db: Db, userId: string): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`${personToSignIn} where u.id = ${userId} ${oldestFirst}`);
}

/** Replaces the hash it was checked against, and no other that came in between. */
export function updatePasswordHash(db: Db, userId: string, before: string, after: string): Promise<number> {
  return db.run(
    sql`update users set password_hash = ${after} where id = ${userId} and password_hash = ${before}`,
  );
}

/** No password opens the account until another one is chosen. */
export function updatePasswordForgotten(db: Db, userId: string): Promise<number> {
  return db.run(sql`update users set password_hash = null where id = ${userId}`);
}

/** Signs the person out everywhere. */
export function updateSessionsEndedOf(db: Db, userId: string, at: Date): Promise<number> {
  return db.run(sql`update sessions set ended_at = ${at} where user_id = ${userId} and ended_at is null`);
}

/** Ends a session that another one takes the place of, and gives when it would have ended; undefined when it is over. */
export function updateSessionReplaced(
  db: Db,
  id: string,
  at: Date,
): Promise<{ expires_at: string } | undefined> {
  return db.row<{ expires_at: string }>(sql`
    update sessions set ended_at = ${at} where id = ${id} and ended_at is null and expires_at > ${at}
    returning expires_at`);
}

export function updateOtherSessionsEnded(
  db: Db,
  userId: string,
  keptSessionId: string,
  at: Date,
): Promise<number> {
  return db.run(sql`
    update sessions set ended_at = ${at}
     where user_id = ${userId} and id <> ${keptSessionId} and ended_at is null`);
}

/** Whether the person has a role that counts in the organization. */
export async function selectIsMember(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const row = await db.row(sql`
    select from memberships m
     where m.organization_id = ${organizationId} and m.user_id = ${userId} and ${isAccepted} limit 1`);
  return row !== undefined;
}

export interface InvitationRow {
  id: string;
  user_id: string;
  email: string;
  user_name: string;
  password_hash: string | null;
  organization_id: string;
  organization_name: string;
  /** Null: made on the command line. */
  invited_by: string | null;
  inviter_name: string | null;
  /** Whether accepting means choosing a password: nobody has used the account yet, or the command line made the link. */
  chooses_password: boolean;
}

/** Nobody can have come in by this account: it has no password, no passkey and no role that counts anywhere. */
const isUnused = raw(`(
  u.password_hash is null
  and not exists (select from passkeys p where p.user_id = u.id)
  and not exists (select from memberships m where m.user_id = u.id and ${isAccepted.text}))`);

/** The invitation behind the link, while it can be accepted. */
export function selectInvitation(db: Db, secretHash: Buffer, now: Date): Promise<InvitationRow | undefined> {
  return db.row<InvitationRow>(sql`
    select v.id, v.user_id, u.email, u.name as user_name, u.password_hash, v.organization_id,
           o.name as organization_name, v.invited_by, b.name as inviter_name,
           (v.invited_by is null or ${isUnused}) as chooses_password
      from invitations v
      join users u on u.id = v.user_id
      join organizations o on o.id = v.organization_id
      left join users b on b.id = v.invited_by
     where v.secret_hash = ${secretHash} and v.used_at is null and v.expires_at > ${now}`);
}

/** Accepts it with the password the person has. None when somebody else accepted it in between. */
export function updateInvitationUsed(db: Db, id: string, now: Date): Promise<number> {
  return db.run(sql`
    update invitations set used_at = ${now} where id = ${id} and used_at is null and expires_at > ${now}`);
}

/**
 * Accepts it and sets the password, in one statement. None when somebody accepted it in between, or the password is not
 * the one that was looked at any more.
 */
export function updateInvitationUsedAndPassword(
  db: Db,
  invitation: InvitationRow,
  passwordHash: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    with used as (
      update invitations set used_at = ${now}
       where id = ${invitation.id} and used_at is null and expires_at > ${now}
      returning user_id
    )
    update users set password_hash = ${passwordHash} from used
     where users.id = used.user_id and users.password_hash is not distinct from ${invitation.password_hash}`);
}

export interface NewInvitation {
  id: string;
  secretHash: Buffer;
  userId: string;
  organizationId: string;
  invitedBy: string | null;
  now: Date;
  expiresAt: Date;
}

export function insertInvitation(db: Db, invitation: NewInvitation): Promise<number> {
  return db.run(sql`
    insert into invitations (id, secret_hash, user_id, organization_id, invited_by, created_at, expires_at)
    values (${invitation.id}, ${invitation.secretHash}, ${invitation.userId}, ${invitation.organizationId},
            ${invitation.invitedBy}, ${invitation.now}, ${invitation.expiresAt})`);
}

/** Takes back the links that the person has not used: those of somebody, or (null) those of the command line. */
export function deleteOpenInvitations(
  db: Db,
  organizationId: string,
  userId: string,
  kind: 'invited' | 'command_line',
): Promise<number> {
  const byWhom = raw(kind === 'invited' ? 'invited_by is not null' : 'invited_by is null');
  return db.run(sql`
    delete from invitations
     where organization_id = ${organizationId} and user_id = ${userId} and used_at is null and ${byWhom}`);
}
