import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { jobContextOf } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import { appendEvent } from '../../db/events.ts';
import { postTransaction, requireAccount } from '../accounts/index.ts';
import {
  requireTransaction,
  restore,
  setReconciled,
  setTransfer,
  supersede,
  transactionCompletion,
} from './index.ts';
import { requireReconcilable } from './rules.ts';

let world: World;
let companyId: string;
let accountId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
  accountId = await createAccount(world, { company_id: companyId });
});
afterAll(() => world.close());

/** One transaction in a workspace, as a slice that uses the doors has it. */
function write<T>(work: (context: WriteContext) => Promise<T>, workspaceId = world.workspaceId): Promise<T> {
  const { database, invokers, now } = world.runtime;
  const ports = {
    database,
    appendEvent,
    enqueue: async () => {},
    catalogue: invokers.finance.catalogue,
    now,
  };
  const place = { organizationId: world.organizationId, workspaceId, timeZone: 'America/Sao_Paulo' };
  return jobContextOf(ports, 'test', {}, place, {}).write(work);
}

const post = (
  fields: { source?: 'payment' | 'import'; account?: string; amount?: number; direction?: 'credit' } = {},
) =>
  write(async (context) =>
    postTransaction(context, {
      account: await requireAccount(context, fields.account ?? accountId),
      date: '2026-09-15',
      direction: fields.direction ?? 'debit',
      amount: fields.amount ?? 1_000,
      description: 'PIX ENVIADO',
      source: fields.source ?? 'payment',
    }),
  );

const rowOf = (id: string) => write((context) => requireTransaction(context, id));

test('an entry of another workspace looks like one that does not exist', async () => {
  const id = await post();
  await expect(
    write((context) => requireTransaction(context, id), world.otherWorkspaceId),
  ).rejects.toMatchObject({ code: 'not_found', details: { kind: 'financial_transaction', id } });
  await expect(rowOf(newId())).rejects.toMatchObject({ code: 'not_found' });
});

describe('reconciling', () => {
  test('says how much of the entry is reconciled, and records it', async () => {
    const id = await post();
    await write((context) => setReconciled(context, id, 1_000));
    expect(await rowOf(id)).toMatchObject({ reconciled_cents: 1_000 });
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'test' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body).changes).toMatchObject([
      {
        kind: 'financial_transaction',
        id,
        before: { reconciled_amount: '0.00', reconciled: false },
        after: { reconciled_amount: '10.00', reconciled: true },
      },
    ]);
    await write((context) => setReconciled(context, id, 0));
    expect(await rowOf(id)).toMatchObject({ reconciled_cents: 0 });
  });

  test('takes nothing more of an ignored entry, and lets go of it', async () => {
    const id = await post();
    await write((context) => setReconciled(context, id, 500));
    await world.look('update financial_transactions set ignored = true where id = $1', [id]);
    await expect(write((context) => setReconciled(context, id, 501))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'ignored' },
    });
    await write((context) => setReconciled(context, id, 0));
  });

  test('MODEL 14.3: never takes more than the amount', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(2_000), (amount, reconciled, wanted) => {
        const entry = {
          amount_cents: amount,
          reconciled_cents: Math.min(amount, reconciled),
          ignored: false,
        };
        const taking = () => requireReconcilable(entry, wanted);
        if (wanted <= amount) expect(taking).not.toThrow();
        else expect(taking).toThrow('more than what is open');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('superseding', () => {
  test('MODEL 14.5: gives the place to the line of the statement and takes it back exactly', async () => {
    const entry = await post();
    const line = await post({ source: 'import' });
    const before = await rowOf(entry);
    await write((context) => supersede(context, entry, line));
    expect(await rowOf(entry)).toMatchObject({ ignored: true, superseded_by: line });
    await expect(write((context) => supersede(context, entry, line))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'superseded' },
    });
    await write((context) => restore(context, entry));
    const { version, updated_at, ...rest } = await rowOf(entry);
    expect({ ...rest, version: 1, updated_at: before.updated_at }).toEqual(before);
    await expect(write((context) => restore(context, entry))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { allowed: ['superseded'] },
    });
  });

  test('refuses lines themselves, ignored and reconciled entries, and lines of another account or direction', async () => {
    const line = await post({ source: 'import' });
    await expect(write((context) => supersede(context, line, line))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'import' },
    });
    const ignored = await post();
    await world.look('update financial_transactions set ignored = true where id = $1', [ignored]);
    await expect(write((context) => supersede(context, ignored, line))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'ignored' },
    });
    const reconciled = await post();
    await write((context) => setReconciled(context, reconciled, 1));
    await expect(write((context) => supersede(context, reconciled, line))).rejects.toMatchObject({
      code: 'already_reconciled',
    });
    const entry = await post();
    const elsewhere = await createAccount(world, { company_id: companyId });
    for (const other of [
      await post({ source: 'import', account: elsewhere }),
      await post({ source: 'import', direction: 'credit' }),
    ]) {
      await expect(write((context) => supersede(context, entry, other))).rejects.toMatchObject({
        code: 'invalid_argument',
      });
    }
  });
});

test('MODEL 14.9: in closed books nothing is superseded, given back, or made a leg of a transfer', async () => {
  const closing = await createCompany(world);
  const account = await createAccount(world, { company_id: closing });
  const [entry, superseded] = [await post({ account }), await post({ account })];
  const line = await post({ account, source: 'import' });
  await write((context) => supersede(context, superseded, line));
  await world.call('finance_companies_update', { id: closing, books_closed_until: '2026-09-30' });
  for (const work of [
    (context: WriteContext) => supersede(context, entry, line),
    (context: WriteContext) => restore(context, superseded),
    (context: WriteContext) => setTransfer(context, entry, null),
  ]) {
    await expect(write(work)).rejects.toMatchObject({
      code: 'books_closed',
      details: { until: '2026-09-30' },
    });
  }
});

test('suggests the newest ids that begin as typed', async () => {
  if (transactionCompletion.kind !== 'records') throw new Error('entries are records');
  const { suggest } = transactionCompletion;
  const id = await post();
  const found = await write((context) => suggest(context, id.slice(0, 30)));
  expect(found).toContain(id);
});
