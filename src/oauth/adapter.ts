/**
 * Where `oidc-provider` keeps its things: in PostgreSQL, so that any process can go on where another one stopped. Ids
 * are credentials (codes, refresh tokens, consents in progress), so the table has their SHA-256 and what is derived of
 * them is put back when somebody brings the id.
 */

import { createHash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { newId } from '../core/ids.ts';
import type { Db } from '../core/ports.ts';
import { revokeConnection } from '../identity/connections.ts';
import {
  deleteRecord,
  deleteRecordsOfGrant,
  insertAccessToken,
  selectAccessToken,
  selectConnectionOfGrant,
  selectRecord,
  updateRecordConsumed,
  updateRecordExpiry,
  upsertRecord,
} from './queries.ts';

/** A client that lost the answer of a refresh may ask again for so long; a later reuse is theft (RFC 9700, 4.14.2). */
const REUSE_MS = 30_000;
const DAY_MS = 86_400_000;
/** A registered client that nobody uses is kept so long, counted from its last use with the grain of a day. */
const CLIENT_KEPT_MS = 90 * DAY_MS;

export interface AdapterOptions {
  readonly db: Db;
  readonly now: () => Date;
  /** Refuses a grant in the words of the library. */
  readonly invalidGrant: (detail: string) => Error;
}

/** The adapter of one model of the library. */
export function createAdapter(options: AdapterOptions, model: string): Adapter {
  // Who is signed in is known by the session of the console: the library never recognizes anybody on its own.
  if (model === 'Session') return { ...createRecords(options, model), ...nothing };
  if (model === 'AccessToken') return createAccessTokens(options);
  return createRecords(options, model);
}

const nothing = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  destroy: async () => undefined,
};

function createRecords(options: AdapterOptions, model: string): Adapter {
  const { db, now, invalidGrant } = options;
  return {
    async upsert(id, payload, expiresIn) {
      const keptMs = model === 'Client' ? CLIENT_KEPT_MS : expiresIn && expiresIn * 1_000;
      await upsertRecord(db, {
        model,
        idHash: hashOf(id),
        payload: withoutId(payload, id),
        // The record of a grant goes with the rest of it.
        grantId: model === 'Grant' ? id : (payload.grantId ?? null),
        expiresAt: keptMs === undefined ? null : new Date(now().getTime() + keptMs),
      });
    },
    async find(id) {
      const row = await selectRecord(db, model, hashOf(id));
      if (row === undefined) return undefined;
      if (model === 'Client') await keepClient(options, id, row.expires_at);
      const consumedAt = row.consumed_at === null ? null : Date.parse(row.consumed_at);
      const graceMs = model === 'RefreshToken' ? REUSE_MS : 0;
      const isConsumed = consumedAt !== null && now().getTime() - consumedAt >= graceMs;
      return { ...withId(row.payload, id, model), ...(isConsumed && { consumed: true }) };
    },
    async consume(id) {
      const count = await updateRecordConsumed(db, model, hashOf(id), now());
      // Two servers may have found the same code unused; one of them uses it.
      if (count === 0 && model === 'AuthorizationCode') throw invalidGrant('the code was used already');
    },
    async destroy(id) {
      if (model === 'Grant') await endGrant(options, id);
      await deleteRecord(db, model, hashOf(id));
    },
    async revokeByGrantId(grantId) {
      await deleteRecordsOfGrant(db, model, grantId);
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

/** Access tokens are tokens like those made by hand, so that whoever checks a token knows one table. */
function createAccessTokens({ db, now, invalidGrant }: AdapterOptions): Adapter {
  return {
    async upsert(id, payload, expiresIn) {
      const inserted = await insertAccessToken(db, {
        id: newId(),
        secretHash: hashOf(id),
        grantId: payload.grantId ?? '',
        access: (payload.scope ?? '').split(' ').some((scope) => scope.endsWith(':write')) ? 'write' : 'read',
        now: now(),
        expiresAt: new Date(now().getTime() + expiresIn! * 1_000),
      });
      if (inserted === 0) throw invalidGrant('the connection is over');
    },
    async find(id) {
      const row = await selectAccessToken(db, hashOf(id));
      if (row === undefined) return undefined;
      return {
        jti: id,
        kind: 'AccessToken',
        accountId: row.user_id,
        clientId: row.client_id,
        grantId: row.grant_id,
        exp: Math.floor(Date.parse(row.expires_at) / 1_000),
      };
    },
    // A single access token is never ended alone: what is revoked is the connection it belongs to.
    consume: async () => undefined,
    destroy: async () => undefined,
    revokeByGrantId: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

async function endGrant({ db, now }: AdapterOptions, grantId: string): Promise<void> {
  const connection = await selectConnectionOfGrant(db, grantId);
  if (connection !== undefined) await revokeConnection(db, connection.id, null, now());
}

async function keepClient({ db, now }: AdapterOptions, id: string, expiresAt: string | null): Promise<void> {
  const keptUntil = now().getTime() + CLIENT_KEPT_MS;
  if (expiresAt !== null && keptUntil - Date.parse(expiresAt) < DAY_MS) return;
  await updateRecordExpiry(db, 'Client', hashOf(id), new Date(keptUntil));
}

/** Where a consent goes on ends with its id. */
function withoutId(payload: AdapterPayload, id: string): Record<string, unknown> {
  const { jti: _jti, returnTo, ...rest } = payload;
  return { ...rest, ...(returnTo !== undefined && { returnTo: returnTo.slice(0, -id.length) }) };
}

function withId(payload: Record<string, unknown>, id: string, model: string): AdapterPayload {
  if (model === 'Client') return payload;
  const { returnTo } = payload;
  return { ...payload, jti: id, ...(typeof returnTo === 'string' && { returnTo: returnTo + id }) };
}

function hashOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
