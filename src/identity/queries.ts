import type { Locale, Product } from '../core/caller.ts';
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
}

const tokenWithOwner = raw(`
  select t.id, t.user_id, u.name as user_name, u.email as user_email, u.locale as user_locale,
         t.organization_id, o.name as organization_name, o.time_zone as organization_time_zone,
         t.product, t.access, t.client_id, t.workspace_id, t.expires_at, t.revoked_at
    from tokens t
    join users u on u.id = t.user_id
    join organizations o on o.id = t.organization_id`);

/** The token with this hash and whom it belongs to, expired or revoked ones included. */
export function selectToken(db: Db, secretHash: Buffer): Promise<TokenRow | undefined> {
  return db.row<TokenRow>(sql`${tokenWithOwner} where t.secret_hash = ${secretHash}`);
}

/** The same by id, to look again at a token whose secret is no longer at hand. */
export function selectTokenById(db: Db, id: string): Promise<TokenRow | undefined> {
  return db.row<TokenRow>(sql`${tokenWithOwner} where t.id = ${id}`);
}

export interface ReachRow {
  role: Role;
  /** Null for a membership in the whole organization. */
  workspace_id: string | null;
}

export function selectMemberships(db: Db, organizationId: string, userId: string): Promise<ReachRow[]> {
  return db.rows<ReachRow>(sql`
    select role, workspace_id from memberships
     where organization_id = ${organizationId} and user_id = ${userId}`);
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
}

export function insertToken(db: Db, token: NewToken): Promise<number> {
  return db.run(sql`
    insert into tokens (id, secret_hash, name, user_id, organization_id, product, access, client_id, workspace_id, expires_at)
    values (${token.id}, ${token.secretHash}, ${token.name}, ${token.userId}, ${token.organizationId}, ${token.product},
            ${token.access}, ${token.clientId}, ${token.workspaceId}, ${token.expiresAt})`);
}

export function updateTokenRevoked(db: Db, id: string, at: Date): Promise<number> {
  return db.run(sql`update tokens set revoked_at = ${at} where id = ${id} and revoked_at is null`);
}

export function updateTokensLastUsed(db: Db, ids: readonly string[], at: Date): Promise<number> {
  return db.run(sql`update tokens set last_used_at = ${at} where id = any(${ids}::uuid[])`);
}

export interface UserRow {
  id: string;
  organization_id: string;
}

/** The person with this e-mail and an organization they belong to, oldest membership first. */
export function selectUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.row<UserRow>(sql`
    select u.id, m.organization_id
      from users u join memberships m on m.user_id = u.id
     where u.email = ${email.toLowerCase()}
     order by m.created_at limit 1`);
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

/** Tells every process to forget what it remembers about identities. */
export function notifyIdentityChanged(db: Db): Promise<number> {
  return db.run(sql`select pg_notify('kobana_identity', '')`);
}
