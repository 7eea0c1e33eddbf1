import type { AccessLevel, Product } from '../core/caller.ts';
import type { Db } from '../core/ports.ts';
import { sql } from '../db/sql.ts';
import { isAccepted } from '../identity/queries.ts';

/** What the authorization server keeps under the SHA-256 of an id. */
export interface OAuthRecord {
  model: string;
  idHash: Buffer;
  payload: Readonly<Record<string, unknown>>;
  grantId: string | null;
  expiresAt: Date | null;
}

export function upsertRecord(db: Db, record: OAuthRecord): Promise<number> {
  return db.run(sql`
    insert into oauth_records (model, id_hash, payload, grant_id, expires_at)
    values (${record.model}, ${record.idHash}, ${JSON.stringify(record.payload)}, ${record.grantId}, ${record.expiresAt})
    on conflict (model, id_hash) do update
       set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`);
}

export interface RecordRow {
  payload: Record<string, unknown>;
  consumed_at: string | null;
  expires_at: string | null;
}

export function selectRecord(db: Db, model: string, idHash: Buffer): Promise<RecordRow | undefined> {
  return db.row<RecordRow>(sql`
    select payload, consumed_at, expires_at from oauth_records where model = ${model} and id_hash = ${idHash}`);
}

/** The first use counts: one row only for whoever comes first, on whichever server. */
export function updateRecordConsumed(db: Db, model: string, idHash: Buffer, at: Date): Promise<number> {
  return db.run(sql`
    update oauth_records set consumed_at = ${at}
     where model = ${model} and id_hash = ${idHash} and consumed_at is null`);
}

export function updateRecordExpiry(db: Db, model: string, idHash: Buffer, expiresAt: Date): Promise<number> {
  return db.run(sql`
    update oauth_records set expires_at = ${expiresAt} where model = ${model} and id_hash = ${idHash}`);
}

export function deleteRecord(db: Db, model: string, idHash: Buffer): Promise<number> {
  return db.run(sql`delete from oauth_records where model = ${model} and id_hash = ${idHash}`);
}

export function deleteRecordsOfGrant(db: Db, model: string, grantId: string): Promise<number> {
  return db.run(sql`delete from oauth_records where model = ${model} and grant_id = ${grantId}`);
}

export interface NewConnection {
  id: string;
  grantId: string;
  userId: string;
  organizationId: string;
  product: Product;
  access: AccessLevel;
  workspaceId: string | null;
  clientId: string;
  clientName: string;
  clientHost: string;
  isVerified: boolean;
  createdAt: Date;
  expiresAt: Date;
}

/** No row when the grant has its connection already. */
export function insertConnection(db: Db, connection: NewConnection): Promise<number> {
  return db.run(sql`
    insert into connections (id, grant_id, user_id, organization_id, product, access, workspace_id, client_id, client_name,
                             client_host, is_verified, created_at, expires_at)
    values (${connection.id}, ${connection.grantId}, ${connection.userId}, ${connection.organizationId},
            ${connection.product}, ${connection.access}, ${connection.workspaceId}, ${connection.clientId},
            ${connection.clientName}, ${connection.clientHost}, ${connection.isVerified}, ${connection.createdAt},
            ${connection.expiresAt})
    on conflict (grant_id) do nothing`);
}

/** The connection of a grant, revoked ones included. */
export function selectConnectionOfGrant(db: Db, grantId: string): Promise<{ id: string } | undefined> {
  return db.row(sql`select id from connections where grant_id = ${grantId}`);
}

/** Whether the grant's connection is live and its person still has a role in the organization. */
export async function selectIsGrantLive(db: Db, grantId: string, now: Date): Promise<boolean> {
  const row = await db.row(sql`
    select c.id from connections c
     where c.grant_id = ${grantId} and c.revoked_at is null and c.expires_at > ${now}
       and exists (select from memberships m
                    where m.organization_id = c.organization_id and m.user_id = c.user_id and ${isAccepted})`);
  return row !== undefined;
}

export interface NewAccessToken {
  id: string;
  secretHash: Buffer;
  grantId: string;
  access: AccessLevel;
  now: Date;
  expiresAt: Date;
}

/**
 * An access token with whatever its connection says of person, product, workspace and client; it outlives the connection
 * no more than it may do more. No row when the connection is revoked or over.
 */
export function insertAccessToken(db: Db, token: NewAccessToken): Promise<number> {
  return db.run(sql`
    with used as (
      update connections set last_used_at = ${token.now}
       where grant_id = ${token.grantId} and revoked_at is null and expires_at > ${token.now}
      returning *
    )
    insert into tokens (id, secret_hash, name, user_id, organization_id, product, access, client_id, workspace_id, expires_at,
                        connection_id)
    select ${token.id}, ${token.secretHash}, client_name, user_id, organization_id, product,
           case when access = 'write' then ${token.access} else 'read' end, client_id, workspace_id,
           least(expires_at, ${token.expiresAt}::timestamptz), id
      from used`);
}

export interface AccessTokenRow {
  user_id: string;
  client_id: string;
  grant_id: string;
  expires_at: string;
}

/** The access token with this hash, expired or revoked ones included; never a token made by hand. */
export function selectAccessToken(db: Db, secretHash: Buffer): Promise<AccessTokenRow | undefined> {
  return db.row<AccessTokenRow>(sql`
    select t.user_id, t.client_id, c.grant_id, t.expires_at
      from tokens t join connections c on c.id = t.connection_id
     where t.secret_hash = ${secretHash}`);
}
