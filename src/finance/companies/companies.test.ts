import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let id: string;

beforeAll(async () => {
  world = await openWorld();
  id = await createCompany(world, { document_number: '12ABC34501DE35', legal_name: 'Aurora Comércio Ltda' });
});
afterAll(() => world.close());

test('gives one company with its data', async () => {
  const company = await world.call('finance_companies_get', { id });
  expect(company).toMatchObject({
    id,
    document_number: '12ABC34501DE35',
    legal_name: 'Aurora Comércio Ltda',
    active: true,
  });
});

test('finds a company by part of its name, whatever case and accents', async () => {
  const { items, next_cursor } = await world.call('finance_companies_list', { search: 'aurora comercio' });
  expect(items.map((company: { id: string }) => company.id)).toEqual([id]);
  expect(next_cursor).toBeNull();
});

test('pages without losing or repeating a record', async () => {
  for (let number = 0; number < 5; number += 1) {
    await createCompany(world, { legal_name: `Beta ${number}`, active: false });
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.call('finance_companies_list', {
      active: false,
      limit: 2,
      ...(cursor && { cursor }),
    });
    seen.push(...page['items'].map((company: { legal_name: string }) => company.legal_name));
    cursor = page['next_cursor'] ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(['Beta 0', 'Beta 1', 'Beta 2', 'Beta 3', 'Beta 4']);
});

test('changes only the fields given and records before and after', async () => {
  const changed = await world.call('finance_companies_update', {
    id,
    trade_name: 'Aurora',
    books_closed_until: '2026-08-31',
  });
  expect(changed).toMatchObject({
    trade_name: 'Aurora',
    books_closed_until: '2026-08-31',
    legal_name: 'Aurora Comércio Ltda',
    version: 2,
  });
  const events = await world.look<{ body: string }>(
    "select body from events where operation = 'finance_companies_update'",
  );
  const [change] = JSON.parse(events[0]!.body).changes;
  expect(change.before.trade_name).toBeNull();
  expect(change.after.trade_name).toBe('Aurora');
});

test('names the field of a wrong argument and its right form', async () => {
  await expect(
    world.call('finance_companies_update', { id, books_closed_until: '2026-02-30' }),
  ).rejects.toMatchObject({
    code: 'invalid_argument',
    details: { path: 'books_closed_until', expected: 'a real calendar date as YYYY-MM-DD' },
  });
  await expect(world.call('finance_companies_get', { di: id })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

test('refuses a change by a connection that may only read, and by a role that may not', async () => {
  await expect(
    world.call('finance_companies_update', { id, trade_name: 'X' }, 'reader'),
  ).rejects.toMatchObject({
    code: 'insufficient_scope',
    details: { required: ['finance:write'] },
  });
  await expect(
    world.call('finance_companies_update', { id, trade_name: 'X' }, 'viewer'),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

test('hides it from another workspace and another organization, like one that does not exist', async () => {
  const missing = { code: 'not_found', details: { kind: 'company' } };
  await expect(world.call('finance_companies_get', { id: newId() })).rejects.toMatchObject(missing);
  await expect(world.call('finance_companies_get', { id }, 'stranger')).rejects.toMatchObject(missing);
  await expect(
    world.call('finance_companies_get', { id, workspace_id: world.otherWorkspaceId }, 'several'),
  ).rejects.toMatchObject(missing);
});

test('asks for the workspace when the connection has none, and lists the reachable ones', async () => {
  await expect(world.call('finance_companies_get', { id }, 'several')).rejects.toMatchObject({
    code: 'workspace_required',
    details: {
      workspaces: [
        { id: world.otherWorkspaceId, name: 'Filial' },
        { id: world.workspaceId, name: 'Matriz' },
      ],
    },
  });
});

test('gives the same answer for a repeated idempotency key, and refuses it for other arguments', async () => {
  const args = { id, trade_name: 'Once', idempotency_key: 'k1' };
  const first = await world.call('finance_companies_update', args);
  expect(await world.call('finance_companies_update', args)).toEqual(first);
  await expect(
    world.call('finance_companies_update', { ...args, trade_name: 'Twice' }),
  ).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});
