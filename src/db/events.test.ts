import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner, cloneDatabase, type TestDatabase } from '../../test/support/database.ts';
import { newId } from '../core/ids.ts';
import type { AuditEvent } from '../core/ports.ts';
import { type AppDatabase, openDatabase } from './database.ts';
import { appendEvent, verifyChain } from './events.ts';

let own: TestDatabase;
let database: AppDatabase;

beforeAll(async () => {
  own = await cloneDatabase();
  database = openDatabase({ connectionString: own.url, size: 8 });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

/** A chain of its own with this many events, appended by as many transactions at once. */
async function chainOf(count: number) {
  const tenant = { organizationId: newId(), workspaceId: newId() };
  const append = () => database.write(tenant, (db) => appendEvent(db, tenant.workspaceId, eventOf()));
  await Promise.all(Array.from({ length: count }, append));
  return { ...tenant, verify: () => database.read(tenant, (db) => verifyChain(db, tenant.workspaceId)) };
}

function eventOf(): AuditEvent {
  return {
    id: newId(),
    at: '2026-10-01T12:00:00.000Z',
    operation: 'finance_payables_create',
    outcome: 'done',
    actor: { userId: newId(), tokenId: null, clientId: 'test', surface: 'mcp' },
    argumentsDigest: 'ab',
    changes: [
      { kind: 'payable', id: newId(), before: null, after: { description: 'Café "especial" \\ ção' } },
    ],
  };
}

test('appends from many transactions at once make one whole chain', async () => {
  const chain = await chainOf(60);
  expect(await chain.verify()).toMatchObject({ events: 60, broken: null });
});

test('an event for another tenant than the bound one is refused', async () => {
  const [bound, other] = [await chainOf(1), await chainOf(1)];
  const append = database.write(bound, (db) => appendEvent(db, other.workspaceId, eventOf()));
  await expect(append).rejects.toMatchObject({ code: '42501' });
  expect(await other.verify()).toMatchObject({ events: 1, broken: null });
});

test('a chain nobody wrote to is whole', async () => {
  const tenant = { organizationId: newId(), workspaceId: newId() };
  expect(await database.read(tenant, (db) => verifyChain(db, tenant.workspaceId))).toMatchObject({
    events: 0,
    broken: null,
  });
});

const tamperings: [
  what: string,
  statement: string,
  position: number,
  kind: 'changed' | 'missing' | 'cut_off',
][] = [
  [
    'a changed event',
    "update events set body = replace(body, 'payables', 'people') where tenant_id = $1 and position = 3",
    3,
    'changed',
  ],
  ['a removed event', 'delete from events where tenant_id = $1 and position = 3', 3, 'missing'],
  ['a cut-off end', 'delete from events where tenant_id = $1 and position = 5', 5, 'cut_off'],
  [
    'a changed hash',
    "update events set hash = sha256('x') where tenant_id = $1 and position = 2",
    2,
    'changed',
  ],
  [
    'an inserted event',
    'insert into events select tenant_id, 6, at, operation, actor_id, body, hash from events where tenant_id = $1 and position = 5',
    6,
    'changed',
  ],
];

test.each(tamperings)('%s shows, with its position', async (_what, statement, position, kind) => {
  const chain = await chainOf(5);
  await asOwner(own.url, statement, [chain.workspaceId]);
  expect((await chain.verify()).broken).toEqual({ position, kind, problem: expect.any(String) });
});
