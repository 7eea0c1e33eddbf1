import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createBill, createCompany, createSupplier } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { AuditEvent } from '../../core/ports.ts';
import { appendEvent, verifyChain } from '../../db/events.ts';

let world: World;
let company_id: string;
let person_id: string;
let account_id: string;
let bill: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  account_id = await createAccount(world, { company_id });
  world.setNow('2026-09-28T12:00:00Z');
  person_id = await createSupplier(world);
  world.setNow('2026-09-29T12:00:00Z');
  bill = (await createBill(world, { company_id, person_id, description: 'Aluguel' }))['id'];
  // 22:30 of the day before in São Paulo.
  world.setNow('2026-10-01T01:30:00Z');
  await world.call('finance_payables_update', { id: bill, description: 'Aluguel de outubro' }, 'approver');
  world.setNow('2026-10-01T12:00:00Z');
  await world.call('finance_payables_settle', {
    id: bill,
    account_id,
    paid_at: '2026-10-01',
    amount: '100.00',
  });
});
afterAll(() => world.close());

const list = (args: object = {}, who?: Parameters<World['call']>[2]) =>
  world.call('finance_events_list', args, who);
const operationsOf = ({ items }: Record<string, any>) => items.map(({ operation }: any) => operation);
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const all = [
  'finance_payables_settle',
  'finance_payables_update',
  'finance_payables_create',
  'finance_people_create',
];

test('gives who did what, when and through which client, newest first', async () => {
  const result = await list();
  expect(operationsOf(result)).toEqual(all);
  const approver = (await world.caller('approver')).user.id;
  expect(result['items'][1]).toEqual({
    id: expect.any(String),
    position: 3,
    at: '2026-10-01T01:30:00Z',
    actor: {
      user_id: approver,
      name: 'Person approver',
      client_id: expect.any(String),
      client_name: null,
      surface: 'mcp',
    },
    operation: 'finance_payables_update',
    outcome: 'done',
    error_code: null,
    is_confirmed: false,
    confirmation: null,
    changes: [
      {
        kind: 'payable',
        id: bill,
        what: 'changed',
        fields: [{ name: 'description', before: 'Aluguel', after: 'Aluguel de outubro' }],
      },
    ],
    changes_count: 1,
    is_cut: false,
  });
  expect(operationsOf(await list({ sort: 'at' }))).toEqual(all.toReversed());
});

test('filters by record, kind, actor, operation and day at the place of the books', async () => {
  const approver = (await world.caller('approver')).user.id;
  expect(operationsOf(await list({ id: bill }))).toEqual(all.slice(0, 3));
  expect(operationsOf(await list({ resource: 'payable', id: bill, actor: approver }))).toEqual([all[1]]);
  expect(operationsOf(await list({ resource: 'settlement' }))).toEqual([all[0]]);
  expect(operationsOf(await list({ resource: 'payable', operation: all[2] }))).toEqual([all[2]]);
  expect(operationsOf(await list({ resource: 'person', id: bill }))).toEqual([]);
  expect(operationsOf(await list({ actor: approver }))).toEqual([all[1]]);
  expect(operationsOf(await list({ operation: 'finance_people_create' }))).toEqual([all[3]]);
  expect(operationsOf(await list({ date_from: '2026-09-30', date_to: '2026-09-30' }))).toEqual([all[1]]);
  expect(operationsOf(await list({ date_from: '2026-10-01' }))).toEqual([all[0]]);
  expect(operationsOf(await list({ created_to: '2026-09-29T00:00:00Z' }))).toEqual([all[3]]);
  expect(operationsOf(await list({ updated_from: '2026-10-01T12:00:00Z' }))).toEqual([all[0]]);
  expect(operationsOf(await list({ id: bill, date_to: '2026-09-29' }))).toEqual([all[2]]);
});

test('the changes of the record that was asked for come first', async () => {
  const [settled] = (await list({ id: bill }))['items'];
  expect(settled.changes_count).toBeGreaterThan(1);
  expect(settled.changes[0]).toMatchObject({ kind: 'payable', id: bill });
});

test('pages hold each event once, also where many are of one instant and change the same kind', async () => {
  world.setNow('2026-10-02T12:00:00Z');
  const people: string[] = [];
  for (let index = 0; index < 7; index += 1) people.push(await createSupplier(world));
  for (const args of [
    {},
    { resource: 'person' },
    { sort: 'at' },
    { operation: 'finance_people_create', sort: 'at' },
  ]) {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Record<string, any> = await list({
        ...args,
        limit: 3,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page['items'].map(({ position }: any) => position));
      cursor = page['next_cursor'];
    } while (cursor !== null);
    const whole = (await list({ ...args, limit: 100 }))['items'].map(({ position }: any) => position);
    expect(seen).toEqual(whole);
    expect(new Set(seen).size).toBe(seen.length);
  }
  world.setNow('2026-10-01T12:00:00Z');
});

test('a confirmed action says that a person was asked', async () => {
  const other = (await createBill(world, { company_id, person_id }))['id'];
  await world.call('finance_payables_cancel', { id: other, reason: 'twice' });
  expect((await list({ id: other }))['items']).toMatchObject([
    {
      operation: 'finance_payables_cancel',
      is_confirmed: true,
      confirmation: {
        question: expect.stringContaining('finance_payables_cancel'),
        approved_by: null,
        approval_id: null,
      },
      outcome: 'done',
    },
    { operation: 'finance_payables_create', is_confirmed: false, confirmation: null },
  ]);
});

test('a confirmed action that failed says why, and one of the system has no name', async () => {
  const place = { organizationId: world.organizationId, workspaceId: world.workspaceId };
  const event: AuditEvent = {
    id: newId(),
    at: world.now().toISOString(),
    operation: 'bank_send',
    outcome: 'failed',
    errorCode: 'invalid_state',
    actor: { userId: newId(), tokenId: null, clientId: 'worker', surface: 'job' },
    argumentsDigest: 'ab',
    confirmation: { id: newId(), question: 'Pay?', answer: 'accepted' },
    changes: [],
  };
  await world.runtime.database.write(place, (db) => appendEvent(db, world.workspaceId, event));
  expect((await list({ operation: 'bank_send' }))['items']).toMatchObject([
    {
      id: event.id,
      outcome: 'failed',
      error_code: 'invalid_state',
      is_confirmed: true,
      actor: { name: null, surface: 'job' },
    },
  ]);
});

test('a yes given in the console says whose it was and how they proved to be there', async () => {
  const place = { organizationId: world.organizationId, workspaceId: world.workspaceId };
  const approvedBy = (await world.caller('approver')).user.id;
  const approval = { id: newId(), approvedBy, verifiedWith: 'passkey' as const };
  const event: AuditEvent = {
    id: newId(),
    at: world.now().toISOString(),
    operation: 'finance_payables_send_to_bank',
    outcome: 'done',
    actor: { userId: newId(), tokenId: null, clientId: 'agent', surface: 'mcp' },
    argumentsDigest: 'ab',
    confirmation: { id: newId(), question: 'é'.repeat(3_000), answer: 'accepted', approval },
    changes: [],
  };
  await world.runtime.database.write(place, (db) => appendEvent(db, world.workspaceId, event));
  const [found] = (await list({ operation: 'finance_payables_send_to_bank' }))['items'];
  expect(found.confirmation).toEqual({
    question: `${'é'.repeat(1_999)}…`,
    approved_by: { user_id: approvedBy, name: 'Person approver', verified_with: 'passkey' },
    approval_id: approval.id,
  });
});

test('a client has the name of its newest connection in the organization, and none of another organization', async () => {
  const here = await world.caller('owner');
  const there = await world.caller('stranger');
  const connect = (who: typeof here, clientId: string, name: string, at: string) =>
    world.look(
      `insert into connections (id, grant_id, user_id, organization_id, product, access, client_id, client_name,
                                client_host, is_verified, created_at, expires_at)
       values ($1::uuid, $1::text, $2, $3, 'finance', 'write', $4, $5, 'x.example', true, $6, '2030-01-01')`,
      [newId(), who.user.id, who.organization.id, clientId, name, at],
    );
  await connect(here, 'client a', 'Agent', '2026-09-02T00:00:00Z');
  await connect(here, 'client a', 'Agent before', '2026-09-01T00:00:00Z');
  await connect(there, 'client b', 'Of others', '2026-09-03T00:00:00Z');
  const place = { organizationId: world.organizationId, workspaceId: world.workspaceId };
  for (const clientId of ['client a', 'client b']) {
    const event: AuditEvent = {
      id: newId(),
      at: world.now().toISOString(),
      operation: 'named_client',
      outcome: 'done',
      actor: { userId: here.user.id, tokenId: null, clientId, surface: 'mcp' },
      argumentsDigest: 'ab',
      changes: [],
    };
    await world.runtime.database.write(place, (db) => appendEvent(db, world.workspaceId, event));
  }
  const { items } = await list({ operation: 'named_client', sort: 'at' });
  expect(items.map(({ actor }: any) => [actor.client_id, actor.client_name])).toEqual([
    ['client a', 'Agent'],
    ['client b', null],
  ]);
});

describe('checking the chain', () => {
  const verify = (who?: Parameters<World['call']>[2]) => world.call('finance_events_verify', {}, who);

  test('is for those who audit, and of their own workspace', async () => {
    const [{ count }] = (await world.look<{ count: number }>(
      'select count(*)::int as count from events where tenant_id = $1',
      [world.workspaceId],
    )) as [{ count: number }];
    expect(await verify('accountant')).toEqual({ is_whole: true, events: count, broken: null });
    expect(await failureOf(verify('viewer'))).toMatchObject({ code: 'forbidden' });
    expect(await verify('stranger')).toEqual({ is_whole: true, events: 0, broken: null });
  });

  test('finds the first event that was changed', async () => {
    const at = [world.workspaceId, 3];
    const [{ body }] = (await world.look<{ body: string }>(
      'select body from events where tenant_id = $1 and position = $2',
      at,
    )) as [{ body: string }];
    const put = (text: string) =>
      world.look('update events set body = $3 where tenant_id = $1 and position = $2', [...at, text]);
    await put(body.replace('Aluguel', 'Aluguer'));
    expect(await verify()).toEqual({
      is_whole: false,
      events: 3,
      broken: { position: 3, problem: 'changed' },
    });
    await put(body);
    expect(await verify()).toMatchObject({ is_whole: true });
  });
});

test('is for those who audit only, and of no other workspace', async () => {
  expect(operationsOf(await list({ id: bill }, 'accountant'))).toEqual(all.slice(0, 3));
  for (const who of ['viewer', 'approver'] as const) {
    expect(await failureOf(list({}, who))).toMatchObject({ code: 'forbidden' });
  }
  expect(await list({ id: bill }, 'stranger')).toEqual({ items: [], next_cursor: null });
  expect(await list({}, 'stranger')).toEqual({ items: [], next_cursor: null });
  expect(await list({ workspace_id: world.otherWorkspaceId }, 'several')).toEqual({
    items: [],
    next_cursor: null,
  });
});

test('refuses what is no id, no date, and a cursor of another order', async () => {
  for (const [args, path] of [
    [{ id: 'x' }, 'id'],
    [{ actor: 'x' }, 'actor'],
    [{ date_from: '2026-02-30' }, 'date_from'],
    [{ resource: '' }, 'resource'],
    [{ cursor: 'x' }, 'cursor'],
  ] as const) {
    expect(await failureOf(list(args))).toMatchObject({ code: 'invalid_argument', details: { path } });
  }
  const { next_cursor } = await list({ limit: 1 });
  expect(await failureOf(list({ cursor: next_cursor, sort: 'at' }))).toMatchObject({
    details: { path: 'cursor' },
  });
});

test('which records an event changed is written by the chain itself: the application cannot', async () => {
  const place = { organizationId: world.organizationId, workspaceId: world.workspaceId };
  const run = (text: string, values: unknown[]) =>
    failureOf(world.runtime.database.write(place, (db) => db.run({ text, values })));
  const row = [world.workspaceId, newId()];
  expect(
    await run(
      "insert into event_records (tenant_id, record_id, kind, at, position) values ($1, $2, 'payable', now(), 1)",
      row,
    ),
  ).toMatchObject({ code: '42501' });
  expect(await run('delete from event_records where tenant_id = $1', [world.workspaceId])).toMatchObject({
    code: '42501',
  });
  expect(
    await run('update event_records set position = 1 where tenant_id = $1', [world.workspaceId]),
  ).toMatchObject({ code: '42501' });
  const report = await world.runtime.database.read(place, (db) => verifyChain(db, world.workspaceId));
  expect(report.broken).toBeNull();
});

test('every record that an event names can be found by it', async () => {
  const missing = await world.look(
    `select change->>'id' as id from events e, json_array_elements(e.body::json->'changes') change
      where not exists (select from event_records r where r.tenant_id = e.tenant_id and r.position = e.position
                           and r.kind = change->>'kind' and r.record_id = change->>'id' and r.at = e.at)`,
  );
  expect(missing).toEqual([]);
});
