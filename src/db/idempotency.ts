import { fail } from '../core/errors.ts';
import type { Idempotency, IdempotencyKey } from '../core/invoke.ts';
import type { Db } from '../core/ports.ts';
import { sql } from './sql.ts';

interface KeyRow {
  arguments_digest: string;
  answer: string | null;
}

/** Answers by the caller's idempotency key, kept for 24 hours. */
export const idempotency: Idempotency = {
  async begin(db, key, digest) {
    await deleteExpiredKey(db, key);
    if ((await insertKey(db, key, digest)) === 1) return null;
    return answerOf(await selectKey(db, key), digest);
  },
  async find(db, key, digest) {
    const row = await selectKey(db, key);
    return row === undefined ? null : answerOf(row, digest);
  },
  async finish(db, key, answer) {
    await updateAnswer(db, key, JSON.stringify(answer));
  },
};

function answerOf(row: KeyRow | undefined, digest: string): Record<string, unknown> {
  if (row === undefined || row.arguments_digest !== digest || row.answer === null)
    fail('idempotency_key_reused');
  return JSON.parse(row.answer) as Record<string, unknown>;
}

function selectKey(
  db: Db,
  { tenantId, userId, operation, key }: IdempotencyKey,
): Promise<KeyRow | undefined> {
  return db.row<KeyRow>(sql`
    select arguments_digest, answer from idempotency_keys
     where tenant_id = ${tenantId} and user_id = ${userId} and operation = ${operation} and key = ${key}
       and created_at > now() - interval '24 hours'`);
}

/** Waits for another transaction that is using the same key right now. */
function insertKey(
  db: Db,
  { tenantId, userId, operation, key }: IdempotencyKey,
  digest: string,
): Promise<number> {
  return db.run(sql`
    insert into idempotency_keys (tenant_id, user_id, operation, key, arguments_digest)
    values (${tenantId}, ${userId}, ${operation}, ${key}, ${digest})
    on conflict do nothing`);
}

function updateAnswer(
  db: Db,
  { tenantId, userId, operation, key }: IdempotencyKey,
  answer: string,
): Promise<number> {
  return db.run(sql`
    update idempotency_keys set answer = ${answer}
     where tenant_id = ${tenantId} and user_id = ${userId} and operation = ${operation} and key = ${key}`);
}

function deleteExpiredKey(db: Db, { tenantId, userId, operation, key }: IdempotencyKey): Promise<number> {
  return db.run(sql`
    delete from idempotency_keys
     where tenant_id = ${tenantId} and user_id = ${userId} and operation = ${operation} and key = ${key}
       and created_at <= now() - interval '24 hours'`);
}
