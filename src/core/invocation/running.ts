/** Running an operation: a read, a write in its transaction, or a write that is rolled back. */

import { newId } from '../ids.ts';
import { type Operation, selectFields } from '../operation.ts';
import type { AuditEvent, Change, Db, Job, Transaction } from '../ports.ts';
import {
  type Call,
  contextOf,
  done,
  type IdempotencyKey,
  type InvokePorts,
  type Outcome,
  writeContextOf,
} from './call.ts';

export async function runRead(ports: InvokePorts, call: Call): Promise<Outcome> {
  return ports.database.read(call.place, async (db) => {
    const context = contextOf(ports, call, db, false);
    const output = checkedOutput(
      call.operation,
      await call.operation.run(call.input as never, context as never),
    );
    return done(selectFields(call.input, output));
  });
}

/** The same code in a transaction that is rolled back. */
export async function runDry(ports: InvokePorts, call: Call): Promise<Outcome> {
  const rollback = new Error('dry run');
  let output: Record<string, unknown> = {};
  try {
    await ports.database.write(call.place, async (db) => {
      const context = writeContextOf(ports, call, db, [], []);
      output = checkedOutput(call.operation, await call.operation.run(call.input as never, context as never));
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return done(output);
}

/** Idempotency key, run, output check, event and jobs, in the caller's transaction. */
export async function runWrite(
  ports: InvokePorts,
  call: Call,
  db: Transaction,
  confirmation: AuditEvent['confirmation'],
): Promise<Record<string, unknown>> {
  const key = idempotencyKeyOf(call);
  if (key !== null) {
    const stored = await ports.idempotency.begin(db, key, call.digest);
    if (stored !== null) return stored;
  }
  const changes: Change[] = [];
  const jobs: Job[] = [];
  const context = writeContextOf(ports, call, db, changes, jobs);
  const output = checkedOutput(
    call.operation,
    await call.operation.run(call.input as never, context as never),
  );
  if (key !== null) await ports.idempotency.finish(db, key, keptOf(call.operation, output));
  for (const job of jobs) await ports.enqueue(db, job);
  await appendEvent(ports, call, db, { outcome: 'done', ...(confirmation && { confirmation }), changes });
  return output;
}

/** What is kept for a repetition of the call: all but its secrets. */
export function keptOf({ onceOnly }: Operation, output: Record<string, unknown>): Record<string, unknown> {
  return { ...output, ...Object.fromEntries(onceOnly.map((field) => [field, null])) };
}

export function appendEvent(
  ports: InvokePorts,
  call: Pick<Call, 'caller' | 'operation' | 'request' | 'place' | 'digest' | 'now'>,
  db: Db,
  event: Pick<AuditEvent, 'outcome' | 'errorCode' | 'confirmation' | 'changes'> & { operation?: string },
): Promise<void> {
  const { caller, operation, request } = call;
  return ports.appendEvent(db, tenantIdOf(call), {
    id: newId(),
    at: call.now.toISOString(),
    operation: operation.name,
    actor: {
      userId: caller.user.id,
      tokenId: caller.tokenId,
      clientId: caller.clientId,
      surface: request.surface,
    },
    argumentsDigest: call.digest,
    ...event,
  });
}

function tenantIdOf(call: Pick<Call, 'place'>): string {
  return call.place.workspaceId ?? call.place.organizationId;
}

export function idempotencyKeyOf(call: Call): IdempotencyKey | null {
  const key = call.input['idempotency_key'];
  if (typeof key !== 'string') return null;
  return { tenantId: tenantIdOf(call), userId: call.caller.user.id, operation: call.operation.name, key };
}

function checkedOutput(operation: Operation, output: unknown): Record<string, unknown> {
  const result = operation.output.safeParse(output);
  if (!result.success) {
    throw new Error(
      `${operation.name} broke its own output: ${result.error.issues[0]?.path.join('.')} ${result.error.issues[0]?.message}`,
    );
  }
  return result.data;
}
