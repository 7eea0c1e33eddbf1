import type { Locale, Product, VerificationMethod } from '../core/caller.ts';
import type { Db } from '../core/ports.ts';
import { raw, sql } from '../db/sql.ts';
import type { Role } from './roles.ts';

export interface TokenRow {
  id: string;
  user_id: string;
  user_name: string;
  user_email: string;
  user_locale: Locale;
  organization_id: string;
  organization_name: string;
  organization_time_zone: string;
  product: Product;
  access: 'read' | 'write';
  client_id: string;
  workspace_id: string | null;
  expires_at: string;
  revoked_at: string | null;
  is_for_programs: boolean;
  connection_id: string | null;
  /** Whether the connection the token belongs to was revoked, or its time is over. */
  connection_ended: boolean;
}

const tokenWithOwner = (now: Date) => sql`
  select t.id, t.user_id, u.name as user_name, u.email as user_email, u.locale as user_locale,
         t.organization_id, o.name as organization_name, o.time_zone as organization_time_zone,
         t.product, t.access, t.client_id, t.workspace_id, t.expires_at, t.revoked_at, t.is_for_programs, t.connection_id,
         (c.revoked_at is not null or c.expires_at <= ${now}) is true as connection_ended
    from tokens t
    join users u on u.id = t.user_id
    join organizations o on o.id = t.organization_id
    left join connections c on c.id = t.connection_id`;

/** The token with this hash and whom it belongs to, expired or revoked ones included. */
export function selectToken(db: Db, secretHash: Buffer, now: Date): Promise<TokenRow | undefined> {
  return db.row<TokenRow>(sql`${tokenWithOwner(now)} where t.secret_hash = ${secretHash}`);
}

/** The same by id, to look again at a token whose secret is no longer at hand. */
export function selectTokenById(db: Db, id: string, now: Date): Promise<TokenRow | undefined> {
  return db.row<TokenRow>(sql`${tokenWithOwner(now)} where t.id = ${id}`);
}

export interface ReachRow {
  role: Role;
  /** Null for a membership in the whole organization. */
  workspace_id: string | null;
}

/**
 * Whether the membership `m` counts: who was invited by somebody belongs to the organization from when they accepted.
 * Else whoever holds an account in that name, made by another organization, would be in without having been let in.
 */
export const isAccepted = raw(`not exists (
  select from invitations i
   where i.organization_id = m.organization_id and i.user_id = m.user_id
     and i.invited_by is not null and i.used_at is null)`);

/** The roles that count. */
export function selectMemberships(db: Db, organizationId: string, userId: string): Promise<ReachRow[]> {
  return db.rows<ReachRow>(sql`
    select m.role, m.workspace_id from memberships m
     where m.organization_id = ${organizationId} and m.user_id = ${userId} and ${isAccepted}`);
}

export interface WorkspaceRow {
  id: string;
  name: string;
  time_zone: string;
}

export function selectWorkspaces(db: Db, organizationId: string): Promise<WorkspaceRow[]> {
  return db.rows<WorkspaceRow>(sql`
    select id, name, time_zone from workspaces where organization_id = ${organizationId} order by name, id`);
}

export interface NewToken {
  id: string;
  secretHash: Buffer;
  name: string;
  userId: string;
  organizationId: string;
  product: Product;
  access: 'read' | 'write';
  clientId: string;
  workspaceId: string | null;
  expiresAt: Date;
  connectionId: string | null;
  isForPrograms: boolean;
}

export function insertToken(db: Db, token: NewToken): Promise<number> {
  return db.run(sql`
    insert into tokens (id, secret_hash, name, user_id, organization_id, product, access, client_id, workspace_id, expires_at,
                        connection_id, is_for_programs)
    values (${token.id}, ${token.secretHash}, ${token.name}, ${token.userId}, ${token.organizationId}, ${token.product},
            ${token.access}, ${token.clientId}, ${token.workspaceId}, ${token.expiresAt}, ${token.connectionId},
            ${token.isForPrograms})`);
}

export function updateTokenRevoked(db: Db, id: string, at: Date): Promise<number> {
  return db.run(sql`update tokens set revoked_at = ${at} where id = ${id} and revoked_at is null`);
}

/** A connection was used when one of its tokens was. */
export function updateTokensLastUsed(db: Db, ids: readonly string[], at: Date): Promise<number> {
  return db.run(sql`
    with used as (
      update tokens set last_used_at = ${at} where id = any(${ids}::uuid[]) returning connection_id
    )
    update connections set last_used_at = ${at} where id in (select connection_id from used)`);
}

export interface UserRow {
  id: string;
  organization_id: string;
}

/** The person with this e-mail and the organization they have belonged to longest. */
export function selectUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.row<UserRow>(sql`
    select u.id, m.organization_id
      from users u join memberships m on m.user_id = u.id
     where u.email = ${email.toLowerCase()} and ${isAccepted}
     order by m.created_at, m.organization_id limit 1`);
}

/** The person with this e-mail, whether they have a password, and whether they own an organization of this name. */
export function selectUserToEnrol(
  db: Db,
  email: string,
  organizationName: string,
): Promise<{ id: string; has_password: boolean; owns_it: boolean } | undefined> {
  return db.row(sql`
    select u.id, u.password_hash is not null as has_password,
           exists (select from memberships m join organizations o on o.id = m.organization_id
                    where m.user_id = u.id and m.role = 'owner' and o.name = ${organizationName}) as owns_it
      from users u where u.email = ${email.toLowerCase()}`);
}

export function insertUser(
  db: Db,
  user: { id: string; email: string; name: string; locale: Locale },
): Promise<number> {
  return db.run(sql`
    insert into users (id, email, name, locale)
    values (${user.id}, ${user.email.toLowerCase()}, ${user.name}, ${user.locale})`);
}

export function insertOrganization(db: Db, organization: { id: string; name: string }): Promise<number> {
  return db.run(sql`insert into organizations (id, name) values (${organization.id}, ${organization.name})`);
}

export function insertWorkspace(
  db: Db,
  workspace: { organizationId: string; id: string; name: string },
): Promise<number> {
  return db.run(sql`
    insert into workspaces (organization_id, id, name)
    values (${workspace.organizationId}, ${workspace.id}, ${workspace.name})`);
}

export function insertMembership(
  db: Db,
  membership: { organizationId: string; userId: string; workspaceId: string | null; role: Role },
): Promise<number> {
  return db.run(sql`
    insert into memberships (organization_id, user_id, workspace_id, role)
    values (${membership.organizationId}, ${membership.userId}, ${membership.workspaceId}, ${membership.role})`);
}

export interface SessionRow {
  id: string;
  user_id: string;
  user_name: string;
  user_email: string;
  user_locale: Locale;
  organization_id: string;
  organization_name: string;
  organization_time_zone: string;
  verified_at: string;
  verified_with: VerificationMethod;
  verified_for: string | null;
  last_seen_at: string;
  expires_at: string;
  ended_at: string | null;
}

const sessionWithOwner = raw(`
  select s.id, s.user_id, u.name as user_name, u.email as user_email, u.locale as user_locale,
         s.organization_id, o.name as organization_name, o.time_zone as organization_time_zone,
         s.verified_at, s.verified_with, s.verified_for, s.last_seen_at, s.expires_at, s.ended_at
    from sessions s
    join users u on u.id = s.user_id
    join organizations o on o.id = s.organization_id`);

/** The session whose cookie has this hash, ended ones included. */
export function selectSession(db: Db, secretHash: Buffer): Promise<SessionRow | undefined> {
  return db.row<SessionRow>(sql`${sessionWithOwner} where s.secret_hash = ${secretHash}`);
}

export function selectSessionById(db: Db, id: string): Promise<SessionRow | undefined> {
  return db.row<SessionRow>(sql`${sessionWithOwner} where s.id = ${id}`);
}

export interface NewSession {
  id: string;
  secretHash: Buffer;
  userId: string;
  organizationId: string;
  verifiedWith: VerificationMethod;
  verifiedAt: Date;
  userAgent: string;
  now: Date;
  expiresAt: Date;
}

export function insertSession(db: Db, session: NewSession): Promise<number> {
  return db.run(sql`
    insert into sessions (id, secret_hash, user_id, organization_id, verified_at, verified_with, user_agent,
                          created_at, last_seen_at, expires_at)
    values (${session.id}, ${session.secretHash}, ${session.userId}, ${session.organizationId}, ${session.verifiedAt},
            ${session.verifiedWith}, ${session.userAgent}, ${session.now}, ${session.now}, ${session.expiresAt})`);
}

export function updateSessionEnded(db: Db, id: string, at: Date): Promise<number> {
  return db.run(sql`update sessions set ended_at = ${at} where id = ${id} and ended_at is null`);
}

export function updateSessionSeen(db: Db, id: string, at: Date): Promise<number> {
  return db.run(sql`update sessions set last_seen_at = ${at} where id = ${id}`);
}

/** Records a fresh proof that the person is there, and what it was given for. */
export function updateSessionVerified(
  db: Db,
  id: string,
  proof: { at: Date; method: VerificationMethod; purpose: string | null },
): Promise<number> {
  return db.run(sql`
    update sessions set verified_at = ${proof.at}, verified_with = ${proof.method}, verified_for = ${proof.purpose}
     where id = ${id} and ended_at is null`);
}

/** Tells every process to forget what it remembers about identities. */
export function notifyIdentityChanged(db: Db): Promise<number> {
  return db.run(sql`select pg_notify('kobana_identity', '')`);
}

/** A person and an organization, whether or not they belong together: that is for the memberships to say. */
export function selectOwner(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<Pick<TokenRow, OwnerColumn> | undefined> {
  return db.row(sql`
    select u.id as user_id, u.name as user_name, u.email as user_email, u.locale as user_locale,
           o.id as organization_id, o.name as organization_name, o.time_zone as organization_time_zone
      from users u cross join organizations o
     where u.id = ${userId} and o.id = ${organizationId}`);
}

type OwnerColumn =
  | 'user_id'
  | 'user_name'
  | 'user_email'
  | 'user_locale'
  | 'organization_id'
  | 'organization_name'
  | 'organization_time_zone';

/** Takes the proof a session holds for the purpose, given not before `since`; undefined when it holds none. */
export function updateProofConsumed(
  db: Db,
  id: string,
  purpose: string,
  since: Date,
): Promise<{ verified_with: VerificationMethod } | undefined> {
  return db.row(sql`
    update sessions set verified_for = null
     where id = ${id} and verified_for = ${purpose} and verified_at >= ${since} and ended_at is null
    returning verified_with`);
}
