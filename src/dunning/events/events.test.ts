import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';

let world: World;
let webhook: string;
const URL_ONE = 'https://hooks.example.com/one';

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  world.setNow('2026-09-30T12:00:00Z');
  webhook = (await world.call('dunning_webhooks_create', { url: URL_ONE, events: ['*'] }))['webhook'].id;
  // 22:30 of the day before in São Paulo.
  world.setNow('2026-10-02T01:30:00Z');
  await world.call('dunning_webhooks_update', { id: webhook, description: 'ERP' }, 'colleague');
  world.setNow('2026-10-02T12:00:00Z');
  await world.call('dunning_webhooks_rotate_secret', { id: webhook });
});
afterAll(() => world.close());

const list = (args: object = {}, who?: Who) => world.call('dunning_events_list', args, who);
const operationsOf = ({ items }: Record<string, any>) => items.map(({ operation }: any) => operation);
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const all = ['dunning_webhooks_rotate_secret', 'dunning_webhooks_update', 'dunning_webhooks_create'];

test('gives who did what in the organization, newest first, and which of it a person confirmed', async () => {
  const { items } = await list();
  expect(operationsOf({ items })).toEqual(all);
  expect(items[0]).toMatchObject({ is_confirmed: true, position: 3 });
  expect(items[1]).toMatchObject({
    at: '2026-10-02T01:30:00Z',
    actor: { name: 'Person colleague', surface: 'mcp' },
    is_confirmed: false,
    changes: [
      {
        kind: 'webhook',
        id: webhook,
        what: 'changed',
        fields: [{ name: 'description', before: null, after: 'ERP' }],
      },
    ],
  });
  expect(operationsOf(await list({ sort: 'at' }))).toEqual(all.toReversed());
});

test('filters by record, kind, actor, operation and day of the organization', async () => {
  const colleague = (await world.caller('colleague')).user.id;
  expect(operationsOf(await list({ id: webhook, actor: colleague }))).toEqual([all[1]]);
  expect(operationsOf(await list({ resource: 'webhook' }))).toEqual(all);
  expect(operationsOf(await list({ resource: 'charge' }))).toEqual([]);
  expect(operationsOf(await list({ operation: all[2] }))).toEqual([all[2]]);
  expect(operationsOf(await list({ date_from: '2026-10-01', date_to: '2026-10-01' }))).toEqual([all[1]]);
});

test('pages hold each event once', async () => {
  const first = await list({ limit: 2 });
  const rest = await list({ limit: 2, cursor: first['next_cursor'] });
  expect(operationsOf({ items: [...first['items'], ...rest['items']] })).toEqual(all);
  expect(rest['next_cursor']).toBeNull();
});

test('is for those who audit, of their own organization only', async () => {
  for (const who of ['viewer', 'collector'] as const) {
    expect(await failureOf(list({}, who))).toMatchObject({ code: 'forbidden' });
  }
  expect(await list({}, 'stranger')).toEqual({ items: [], next_cursor: null });
  expect(await list({ id: webhook }, 'stranger')).toEqual({ items: [], next_cursor: null });
});

test('refuses what is no id, no date and no cursor', async () => {
  for (const [args, path] of [
    [{ id: 'x' }, 'id'],
    [{ date_from: '2026-02-30' }, 'date_from'],
    [{ cursor: 'x' }, 'cursor'],
  ] as const) {
    expect(await failureOf(list(args))).toMatchObject({ code: 'invalid_argument', details: { path } });
  }
});

test('checks the chain of the organization, for those who audit', async () => {
  expect(await world.call('dunning_events_verify')).toEqual({ is_whole: true, events: 3, broken: null });
  expect(await failureOf(world.call('dunning_events_verify', {}, 'viewer'))).toMatchObject({
    code: 'forbidden',
  });
});
