import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCharge, createDebtor, runDunningJob, runDunningQueue } from '../../../test/support/dunning.ts';
import { cnpjOf } from '../../../test/support/records.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { SYSTEM_USER_ID } from '../../core/job.ts';
import type { Change } from '../../core/ports.ts';
import { appendEvent } from '../../db/events.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import type { WebhookAnswer, WebhookCall } from '../../gateways/webhooks/port.ts';
import { createWebhookSender } from '../../gateways/webhooks/sender.ts';
import { publishCharges } from './index.ts';

let world: World;
const URL_ONE = 'https://hooks.example.com/one';
const NOW = '2026-10-01T12:00:00Z';

let calls: WebhookCall[] = [];
let answers: ((call: WebhookCall) => WebhookAnswer) | undefined;
const answered = (status: number, text = 'ok'): WebhookAnswer => ({
  kind: 'answered',
  status,
  text,
  durationMs: 7,
});
const gateways = {
  webhooks: {
    name: 'test',
    send: async (call: WebhookCall) => {
      calls.push(call);
      return answers?.(call) ?? answered(200);
    },
  },
} as unknown as DunningGateways;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
afterAll(() => world.close());

beforeEach(async () => {
  world.setNow(NOW);
  await world.look('delete from dunning_webhooks');
  await world.look('delete from graphile_worker._private_jobs');
  calls = [];
  answers = undefined;
});

const create = async (args: object = {}, who?: Who) =>
  world.call('dunning_webhooks_create', { url: URL_ONE, events: ['*'], ...args }, who);
const deliveries = async (args: object = {}, who?: Who): Promise<Record<string, any>[]> =>
  (await world.call('dunning_webhook_deliveries_list', { sort: 'created_at', ...args }, who))['items'];
const deliver = () => runDunningJob(world, gateways, 'dunning_deliver_webhooks');
const run = () => runDunningQueue(world, gateways);
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const bodies = () => calls.map(({ body }) => JSON.parse(body));

/** Something that happened in the organization, as any operation writes it. */
async function happen(changes: readonly Change[], organizationId = world.organizationId): Promise<string> {
  const id = newId();
  await world.runtime.database.write({ organizationId, workspaceId: null }, (db) =>
    appendEvent(db, organizationId, {
      id,
      at: world.now().toISOString(),
      operation: 'dunning_charges_update',
      outcome: 'done',
      actor: { userId: SYSTEM_USER_ID, tokenId: null, clientId: 'worker', surface: 'job' },
      argumentsDigest: 'ab',
      changes,
    }),
  );
  return id;
}

const paid = (id = newId(), version = 2): Change => ({
  kind: 'charge',
  id,
  before: { id, status: 'overdue', version: version - 1 },
  after: { id, status: 'paid', version },
});

describe('webhooks', () => {
  test('are created, read, changed, listed and deleted, in their usual form', async () => {
    const { webhook } = await create({
      events: ['charge.paid', 'agreement.*', 'charge.paid'],
      description: 'ERP',
    });
    expect(webhook).toEqual({
      id: expect.any(String),
      url: URL_ONE,
      events: ['agreement.*', 'charge.paid'],
      description: 'ERP',
      active: true,
      previous_secret_until: null,
      created_at: NOW,
      updated_at: NOW,
      version: 1,
    });
    world.setNow('2026-10-01T13:00:00Z');
    const changed = await world.call('dunning_webhooks_update', {
      id: webhook.id,
      description: null,
      active: false,
    });
    expect(changed).toMatchObject({
      description: null,
      active: false,
      version: 2,
      updated_at: '2026-10-01T13:00:00Z',
    });
    expect(await world.call('dunning_webhooks_get', { id: webhook.id }, 'viewer')).toEqual(changed);
    const { webhook: second } = await create();
    const listed = async (args: object) =>
      (await world.call('dunning_webhooks_list', args))['items'].map(({ id }: any) => id);
    expect(await listed({})).toEqual([second.id, webhook.id]);
    expect(await listed({ active: false })).toEqual([webhook.id]);
    expect(await world.call('dunning_webhooks_delete', { id: webhook.id })).toEqual({
      id: webhook.id,
      deleted: true,
    });
    expect(await listed({})).toEqual([second.id]);
  });

  test('pages hold each once', async () => {
    for (let index = 0; index < 5; index += 1) await create();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await world.call('dunning_webhooks_list', {
        limit: 2,
        ...(cursor !== null && { cursor }),
      });
      seen.push(...page['items'].map(({ id }: any) => id));
      cursor = page['next_cursor'];
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });

  test('refuse addresses inside, unknown codes and unknown fields, and nothing is written', async () => {
    for (const url of ['http://hooks.example.com/', 'https://127.1/', 'https://0x7f.1/', 'https://[::1]/']) {
      expect(await failureOf(create({ url }))).toMatchObject({ code: 'webhook_address_refused' });
    }
    expect(await failureOf(create({ events: ['charge.eaten'] }))).toMatchObject({
      details: { path: 'events' },
    });
    expect(await failureOf(create({ events: [] }))).toMatchObject({ code: 'invalid_argument' });
    expect(await failureOf(create({ secret: 'whsec_own' }))).toMatchObject({ code: 'invalid_argument' });
    const { webhook } = await create();
    const update = { id: webhook.id, url: 'https://10.0.0.1/' };
    expect(await failureOf(world.call('dunning_webhooks_update', update))).toMatchObject({
      code: 'webhook_address_refused',
    });
    expect((await world.call('dunning_webhooks_list'))['items']).toEqual([webhook]);
  });

  test('are of one organization: to another they are missing', async () => {
    const { webhook } = await create();
    await happen([paid()]);
    await run();
    const [delivery] = await deliveries();
    for (const [name, args] of [
      ['dunning_webhooks_get', { id: webhook.id }],
      ['dunning_webhooks_update', { id: webhook.id, active: false }],
      ['dunning_webhooks_delete', { id: webhook.id }],
      ['dunning_webhooks_test', { id: webhook.id }],
      ['dunning_webhooks_rotate_secret', { id: webhook.id }],
      ['dunning_webhook_deliveries_get', { id: delivery!['id'] }],
      ['dunning_webhook_deliveries_retry', { id: delivery!['id'] }],
    ] as const) {
      expect(await failureOf(world.call(name, args, 'stranger')), name).toMatchObject({ code: 'not_found' });
    }
    expect(await deliveries({}, 'stranger')).toEqual([]);
    expect((await world.call('dunning_webhooks_list', {}, 'stranger'))['items']).toEqual([]);
  });

  test('are changed by owners, not by who only looks', async () => {
    expect(await failureOf(create({}, 'viewer'))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(create({}, 'reader'))).toMatchObject({ code: 'insufficient_scope' });
  });

  test('there are fifty at most', async () => {
    await create();
    await world.look(
      `insert into dunning_webhooks (organization_id, id, url, events, secret, created_by)
       select organization_id, gen_random_uuid(), url, events, secret, created_by from dunning_webhooks, generate_series(1, 49)`,
    );
    expect(await failureOf(create())).toMatchObject({ code: 'invalid_argument', details: { path: 'url' } });
  });
});

describe('MODEL 14.21: the secret', () => {
  test('is shown at creation and rotation and is nowhere else', async () => {
    const first = await create({ idempotency_key: 'once' });
    const rotated = await world.call('dunning_webhooks_rotate_secret', {
      id: first.webhook.id,
      idempotency_key: 'r',
    });
    expect(first.secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(rotated['secret']).toMatch(/^whsec_[\w-]{43}$/);
    await world.call('dunning_webhooks_test', { id: first.webhook.id });
    await run();
    const [delivery] = await deliveries();
    const shown = JSON.stringify([
      await world.call('dunning_webhooks_get', { id: first.webhook.id }),
      await world.call('dunning_webhooks_list'),
      await world.call('dunning_webhook_deliveries_get', { id: delivery!['id'] }),
      await world.look('select body from events'),
      await world.look('select answer from idempotency_keys'),
      await world.look('select payload, attempts from dunning_webhook_deliveries'),
      await world.ask('dunning_webhooks_rotate_secret', { id: first.webhook.id }),
    ]);
    for (const secret of [first.secret, rotated['secret']]) expect(shown).not.toContain(secret.slice(6));
    const again = await create({ idempotency_key: 'once' });
    expect(again).toEqual({ webhook: first.webhook, secret: null });
  });

  test('signs each call; after a rotation the one before signs too while its grace lasts', async () => {
    const { webhook, secret: old } = await create();
    world.setNow('2026-10-01T12:30:00Z');
    const { secret, webhook: rotated } = await world.call('dunning_webhooks_rotate_secret', {
      id: webhook.id,
      grace_hours: 2,
    });
    expect(rotated).toMatchObject({ previous_secret_until: '2026-10-01T14:30:00Z', version: 2 });
    const signaturesAt = async (instant: string) => {
      world.setNow(instant);
      await world.call('dunning_webhooks_test', { id: webhook.id });
      await run();
      const { headers, body } = calls.at(-1)!;
      const signed = `${headers['kobana-timestamp']}.${body}`;
      expect(headers['kobana-timestamp']).toBe(String(Date.parse(instant) / 1_000));
      const known = [secret, old].map(
        (key) => `sha256=${createHmac('sha256', key).update(signed).digest('hex')}`,
      );
      return headers['kobana-signature']!.split(', ').map((signature) => known.indexOf(signature));
    };
    expect(await signaturesAt('2026-10-01T14:29:00Z')).toEqual([0, 1]);
    expect(await signaturesAt('2026-10-01T14:30:00Z')).toEqual([0]);
  });

  test('without grace the one before ends at once', async () => {
    const { webhook } = await create();
    const { webhook: after } = await world.call('dunning_webhooks_rotate_secret', {
      id: webhook.id,
      grace_hours: 0,
    });
    expect(after.previous_secret_until).toBeNull();
    expect(await world.look('select previous_secret from dunning_webhooks')).toEqual([
      { previous_secret: null },
    ]);
    expect(
      await failureOf(world.call('dunning_webhooks_rotate_secret', { id: webhook.id, grace_hours: 25 })),
    ).toMatchObject({ code: 'invalid_argument' });
  });
});

describe('publishing', () => {
  test('tells what happened once to each webhook that subscribes, in the form that is promised', async () => {
    const { webhook } = await create({ events: ['charge.paid'] });
    const { webhook: all } = await create({ url: 'https://hooks.example.com/all' });
    await create({ url: 'https://hooks.example.com/other', events: ['agreement.*'] });
    await create({ url: 'https://hooks.example.com/off', active: false });
    const charge = newId();
    const event = await happen([
      paid(charge, 4),
      { kind: 'settings', id: charge, before: {}, after: { a: 1 } },
    ]);
    await run();
    await runDunningJob(world, gateways, 'dunning_publish_events');
    expect(calls.map(({ url }) => url).sort()).toEqual(['https://hooks.example.com/all', URL_ONE]);
    expect(bodies()[0]).toEqual({
      id: `${event}.0.charge.paid`,
      event: 'charge.paid',
      created_at: '2026-10-01T12:00:00.000Z',
      organization_id: world.organizationId,
      version: 4,
      resource: { type: 'charge', id: charge },
      data: { id: charge, status: 'paid', version: 4 },
    });
    expect(bodies()[1]).toEqual(bodies()[0]);
    const found = await deliveries();
    expect(found.map(({ webhook_id }) => webhook_id).sort()).toEqual([webhook.id, all.id].sort());
    expect(found[0]).toMatchObject({
      event: 'charge.paid',
      resource: { type: 'charge', id: charge },
      status: 'delivered',
      attempts_count: 1,
      last_status_code: 200,
      delivered_at: NOW,
      next_attempt_at: null,
    });
    const ids = calls.map(({ headers }) => headers['kobana-delivery']);
    expect(ids.sort()).toEqual(found.map(({ id }) => id).sort());
  });

  test('does not tell what happened before anybody listened, or while nobody did', async () => {
    await happen([paid()]);
    world.setNow('2026-10-01T12:01:00Z');
    const { webhook } = await create();
    await run();
    expect(calls).toEqual([]);
    await world.call('dunning_webhooks_update', { id: webhook.id, active: false });
    await happen([paid()]);
    await world.call('dunning_webhooks_update', { id: webhook.id, active: true });
    await run();
    expect(calls).toEqual([]);
    const heard = paid();
    await happen([heard]);
    await run();
    expect(bodies().map(({ resource }) => resource.id)).toEqual([heard.id]);
  });

  test('a webhook added later is not told what others were still to hear', async () => {
    const { webhook } = await create();
    await happen([paid()]);
    world.setNow('2026-10-01T12:05:00Z');
    await create({ url: 'https://hooks.example.com/late' });
    await run();
    expect(calls.map(({ url }) => url)).toEqual([webhook.url]);
  });

  test('keeps up with many events, and another organization hears nothing of them', async () => {
    await create();
    await create({}, 'stranger');
    for (let index = 0; index < 130; index += 1) await happen([paid(newId(), index + 2)]);
    await runDunningJob(world, gateways, 'dunning_publish_events');
    for (let round = 0; round < 4; round += 1) await deliver();
    expect(bodies().map(({ version }) => version)).toHaveLength(130);
    expect(new Set(bodies().map(({ version }) => version)).size).toBe(130);
    expect(await deliveries({}, 'stranger')).toEqual([]);
  });

  test('runs at once that publish the same events tell each of them once', async () => {
    await create();
    for (let index = 0; index < 5; index += 1) await happen([paid()]);
    const runs = Array.from({ length: 4 }, () => runDunningJob(world, gateways, 'dunning_publish_events'));
    expect(await Promise.all(runs)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await deliveries()).toHaveLength(5);
  });

  test('telling and sending write nothing into the chain, which would have no end', async () => {
    await create();
    const positions = () =>
      world.look('select max(position) as last from events where tenant_id = $1', [world.organizationId]);
    const before = await positions();
    await run();
    expect(await positions()).toEqual(before);
  });

  test('what operations do is heard with the records as the samples show them', async () => {
    await create();
    const person = await world.call('dunning_people_create', {
      name: 'Devedora Ltda',
      kind: 'legal',
      document_number: cnpjOf(41_000),
      contacts: [{ channel: 'email', value: 'devedora@example.com' }],
    });
    const charge = await world.call('dunning_charges_create', {
      person_id: person['id'],
      amount: '100.00',
      due_date: '2026-09-10',
      description: 'Mensalidade',
    });
    await world.call('dunning_payments_create', {
      charge_id: charge['id'],
      amount: '100.00',
      paid_at: '2026-10-01',
      method: 'pix',
    });
    await runDunningJob(world, gateways, 'dunning_publish_events');
    await deliver();
    const samples = (await world.call('dunning_webhook_events_list', { prefix: 'p' }))['items'];
    const ofCharges = (await world.call('dunning_webhook_events_list', { prefix: 'c' }))['items'];
    const sampleOf = (event: string) =>
      JSON.parse([...samples, ...ofCharges].find((item: any) => item.event === event).sample);
    for (const event of [
      'person.created',
      'contact.created',
      'charge.created',
      'payment.created',
      'charge.paid',
    ]) {
      const told = bodies().find((body) => body.event === event);
      expect(told, event).toBeDefined();
      expect(Object.keys(told.data).sort(), event).toEqual(Object.keys(sampleOf(event).data).sort());
      expect(told.version).toBe(told.data.version);
    }
    expect(bodies().find(({ event }) => event === 'person.created')).toMatchObject({
      resource: { type: 'person', id: person['id'] },
      data: { name: 'Devedora Ltda' },
    });
  });
});

describe('many charges at once', () => {
  const publish = (ids: readonly string[]) =>
    world.runtime.database.write({ organizationId: world.organizationId, workspaceId: null }, async (db) => {
      const jobs: unknown[] = [];
      const context = {
        db,
        organizationId: world.organizationId,
        now: world.now(),
        enqueue: (job: unknown) => jobs.push(job),
      };
      await publishCharges(context as never, 'charge.overdue', ids);
      return jobs;
    });

  test('are told of by one statement, in each version once, with the record as it is sent first', async () => {
    const person_id = await createDebtor(world);
    const ids = [await createCharge(world, { person_id }), await createCharge(world, { person_id })];
    expect(await publish(ids)).toEqual([]);
    await create({ events: ['charge.overdue'] });
    await create({ events: ['charge.paid'], url: 'https://hooks.example.com/paid' });
    expect(await publish(ids)).toHaveLength(1);
    expect(await publish(ids)).toEqual([]);
    const [first] = await deliveries();
    expect(await world.call('dunning_webhook_deliveries_get', { id: first!['id'] })).toMatchObject({
      body: null,
    });
    answers = () => answered(503);
    await deliver();
    expect(bodies()).toHaveLength(2);
    expect(
      bodies()
        .map(({ resource }) => resource.id)
        .sort(),
    ).toEqual(ids.toSorted());
    expect(bodies()[0]).toMatchObject({
      event: 'charge.overdue',
      version: 1,
      data: { status: 'overdue', amount: '100.00', person: { id: person_id } },
    });
    await world.look("update dunning_charges set description = 'changed' where id = any($1)", [ids]);
    world.setNow('2026-10-01T12:01:00Z');
    await deliver();
    const byCharge = Map.groupBy(calls, ({ body }) => JSON.parse(body).resource.id);
    for (const id of ids) expect(new Set(byCharge.get(id)!.map(({ body }) => body)).size).toBe(1);
  });
});

describe('MODEL §17: deliveries', () => {
  const failing = async (answer: WebhookAnswer) => {
    answers = () => answer;
    const { webhook } = await create();
    await happen([paid()]);
    await run();
    const [delivery] = await deliveries();
    return { webhook, id: delivery!['id'] as string };
  };
  const get = (id: string) => world.call('dunning_webhook_deliveries_get', { id });

  test('that fail are tried again seven times over about nine hours, under one id and with one body', async () => {
    const { id } = await failing(answered(503, 'busy'));
    for (;;) {
      const { status, next_attempt_at } = await get(id);
      if (status !== 'pending') break;
      world.setNow(new Date(Date.parse(next_attempt_at) - 1_000).toISOString());
      const before = calls.length;
      await deliver();
      expect(calls).toHaveLength(before);
      world.setNow(next_attempt_at);
      await deliver();
    }
    const { attempts, status, attempts_count, last_status_code } = await get(id);
    expect([status, attempts_count, last_status_code, attempts.length]).toEqual(['failed', 8, 503, 8]);
    expect(attempts[0]).toEqual({
      number: 1,
      at: '2026-10-01T12:00:00.000Z',
      url: URL_ONE,
      status_code: 503,
      error: null,
      answer: 'busy',
      duration_ms: 7,
    });
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    expect(new Set(calls.map(({ headers }) => headers['kobana-delivery']))).toEqual(new Set([id]));
    expect(world.now().getTime() - Date.parse(NOW)).toBeGreaterThan(8.5 * 3_600_000);
  });

  test('come back by themselves when they are due', async () => {
    const { id } = await failing({ kind: 'failed', reason: 'timeout', durationMs: 5_000 });
    expect(await get(id)).toMatchObject({
      status: 'pending',
      last_error: 'timeout',
      next_attempt_at: '2026-10-01T12:01:00Z',
    });
    const queued = await world.look<{ run_at: Date }>(
      `select j.run_at from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'dunning_deliver_webhooks'`,
    );
    expect(queued.map(({ run_at }) => run_at.toISOString())).toEqual(['2026-10-01T12:01:00.000Z']);
  });

  test.each([
    [answered(404), { last_status_code: 404, last_error: null }],
    [answered(302), { last_status_code: 302, last_error: null }],
    [
      { kind: 'failed', reason: 'refused', durationMs: 1 } as const,
      { last_status_code: null, last_error: 'refused' },
    ],
  ])('%j has failed at once', async (answer, expected) => {
    const { id } = await failing(answer);
    expect(await get(id)).toMatchObject({
      status: 'failed',
      attempts_count: 1,
      next_attempt_at: null,
      ...expected,
    });
  });

  test('what comes back is data: cleaned and cut', async () => {
    const { id } = await failing(answered(404, `a\u202Eb\n${'x'.repeat(3_000)}`));
    const [attempt] = (await get(id))['attempts'];
    expect(attempt.answer).toMatch(/^ab x+…$/);
    expect(attempt.answer).toHaveLength(1_000);
  });

  test('are sent again on request: to the present address, under the same id, after a question', async () => {
    const { webhook, id } = await failing(answered(404));
    await world.call('dunning_webhooks_update', { id: webhook.id, url: 'https://hooks.example.com/new' });
    answers = undefined;
    const { delivery } = await world.call('dunning_webhook_deliveries_retry', { id });
    expect(delivery).toMatchObject({ id, status: 'pending', next_attempt_at: NOW });
    await run();
    expect(calls.map(({ url }) => url)).toEqual([URL_ONE, 'https://hooks.example.com/new']);
    expect(calls[1]!.headers['kobana-delivery']).toBe(id);
    expect(calls[1]!.body).toBe(calls[0]!.body);
    expect(await get(id)).toMatchObject({ status: 'delivered', attempts_count: 2 });
  });

  test('the question of a retry is asked again when the address changed meanwhile', async () => {
    const { webhook, id } = await failing(answered(404));
    const question = await world.ask('dunning_webhook_deliveries_retry', { id });
    await world.call('dunning_webhooks_update', { id: webhook.id, url: 'https://hooks.example.com/new' });
    expect(
      await failureOf(world.confirm('dunning_webhook_deliveries_retry', { id }, question.state)),
    ).toMatchObject({
      message: 'asked instead of running',
    });
    expect(calls).toHaveLength(1);
  });

  test('of a webhook that is switched off end, and none is sent to it', async () => {
    const { webhook, id } = await failing(answered(503));
    await world.call('dunning_webhooks_update', { id: webhook.id, active: false });
    expect(await get(id)).toMatchObject({ status: 'failed', attempts_count: 2, last_error: 'inactive' });
    for (const [name, args] of [
      ['dunning_webhook_deliveries_retry', { id }],
      ['dunning_webhooks_test', { id: webhook.id }],
    ] as const) {
      expect(await failureOf(world.call(name, args))).toMatchObject({
        code: 'invalid_state',
        details: { from: 'inactive', allowed: ['active'] },
      });
    }
  });

  test('a process that stops between sending and writing down sends again, later', async () => {
    await failing(answered(503));
    await world.look("update dunning_webhook_deliveries set claimed_at = '2026-10-01T12:01:00Z'");
    world.setNow('2026-10-01T12:02:00Z');
    await deliver();
    expect(calls).toHaveLength(1);
    world.setNow('2026-10-01T12:04:00Z');
    await deliver();
    expect(calls).toHaveLength(2);
  });

  test('runs at once send each once', async () => {
    await create();
    for (let index = 0; index < 6; index += 1) await happen([paid()]);
    await runDunningJob(world, gateways, 'dunning_publish_events');
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(calls).toHaveLength(6);
  });

  test('a test is a delivery named in the answer, told to nobody else', async () => {
    const { webhook } = await create({ events: ['charge.paid'] });
    await create({ url: 'https://hooks.example.com/all' });
    const { delivery } = await world.call('dunning_webhooks_test', { id: webhook.id });
    expect(delivery).toMatchObject({ webhook_id: webhook.id, event: 'ping', status: 'pending' });
    await run();
    expect(calls.map(({ url }) => url)).toEqual([URL_ONE]);
    expect(bodies()[0]).toMatchObject({ event: 'ping', resource: { type: 'webhook', id: webhook.id } });
    expect(await get(delivery.id)).toMatchObject({ status: 'delivered', body: calls[0]!.body });
  });

  test('a test asked for twice with one key sends one ping', async () => {
    const { webhook } = await create();
    const args = { id: webhook.id, idempotency_key: 'p' };
    const [one, two] = [
      await world.call('dunning_webhooks_test', args),
      await world.call('dunning_webhooks_test', args),
    ];
    await run();
    expect(two).toEqual(one);
    expect(calls).toHaveLength(1);
  });

  test('are listed by webhook, event and status', async () => {
    const { webhook, id } = await failing(answered(404));
    answers = undefined;
    const charge = newId();
    await happen([
      { kind: 'charge', id: charge, before: null, after: { id: charge, status: 'pending', version: 1 } },
    ]);
    await run();
    const idsOf = async (args: object) => (await deliveries(args)).map(({ id }) => id);
    expect(await idsOf({ status: 'failed' })).toEqual([id]);
    expect(await idsOf({ event: 'charge.created', webhook_id: webhook.id })).toHaveLength(1);
    expect(await idsOf({ webhook_id: newId() })).toEqual([]);
    const first = await world.call('dunning_webhook_deliveries_list', { limit: 1 });
    const rest = await world.call('dunning_webhook_deliveries_list', { cursor: first['next_cursor'] });
    expect([...first['items'], ...rest['items']]).toHaveLength(2);
    expect(rest['next_cursor']).toBeNull();
  });

  test('go with their webhook, of which the question says how many are not made', async () => {
    const { webhook } = await failing(answered(503));
    const question = await world.ask('dunning_webhooks_delete', { id: webhook.id });
    expect(question.message).toContain('Entregas que não serão feitas: 1');
    await world.call('dunning_webhooks_delete', { id: webhook.id });
    expect(await deliveries()).toEqual([]);
  });

  test('are forgotten 90 days later, those that wait never', async () => {
    const { id } = await failing(answered(404));
    answers = () => answered(503);
    await happen([paid()]);
    await run();
    const forget = () => runDunningJob(world, gateways, 'dunning_forget_deliveries');
    world.setNow('2026-12-30T11:59:00Z');
    await forget();
    expect(await deliveries()).toHaveLength(2);
    world.setNow('2026-12-30T12:01:00Z');
    await forget();
    const left = await deliveries();
    expect(left.map(({ status }) => status)).toEqual(['pending']);
    expect(left[0]!['id']).not.toBe(id);
  });
});

test('a receiver that checks signatures as docs/webhooks.md says takes ours and no others', async () => {
  const taken: unknown[] = [];
  let secret = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const rawBody = Buffer.concat(chunks);
    const expected = createHmac('sha256', secret)
      .update(`${request.headers['kobana-timestamp']}.`)
      .update(rawBody);
    const signatures = String(request.headers['kobana-signature']).split(', ');
    const isGenuine = signatures.includes(`sha256=${expected.digest('hex')}`);
    if (isGenuine) taken.push(JSON.parse(rawBody.toString('utf8')));
    response.writeHead(isGenuine ? 204 : 401).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const webhooks = createWebhookSender({ testHosts: [`127.0.0.1:${port}`] });
  const created = await create({ events: ['charge.paid'] });
  await world.look('update dunning_webhooks set url = $1', [`http://127.0.0.1:${port}/in`]);
  const tell = async () => {
    await happen([{ ...paid(), after: { status: 'paid', version: 2, description: 'Ação “nº 1”' } }]);
    for (const task of ['dunning_publish_events', 'dunning_deliver_webhooks']) {
      await runDunningJob(world, { webhooks } as unknown as DunningGateways, task);
    }
    return (await deliveries({ sort: '-created_at' })).map(({ status }) => status);
  };
  try {
    secret = created.secret;
    expect(await tell()).toEqual(['delivered']);
    expect(taken).toMatchObject([{ event: 'charge.paid', data: { description: 'Ação “nº 1”' } }]);
    secret = 'whsec_another';
    expect((await tell()).sort()).toEqual(['delivered', 'failed']);
    expect(taken).toHaveLength(1);
  } finally {
    await new Promise((done) => server.close(done));
  }
});

describe('the codes', () => {
  test('are listed with what they are, and with sample bodies for a prefix', async () => {
    const { items } = await world.call('dunning_webhook_events_list', {}, 'viewer');
    expect(items.length).toBeGreaterThan(50);
    expect(items[0]).toEqual({
      event: 'person.created',
      description: 'A debtor was registered.',
      resource: 'person',
      sample: null,
    });
    const { items: ofCharges } = await world.call('dunning_webhook_events_list', { prefix: 'Charge.' });
    expect(ofCharges.every(({ resource }: any) => resource === 'charge')).toBe(true);
    for (const { event, sample } of ofCharges) {
      expect(JSON.parse(sample)).toMatchObject({
        event,
        resource: { type: 'charge' },
        organization_id: expect.any(String),
      });
    }
    expect((await world.call('dunning_webhook_events_list', { prefix: 'none' }))['items']).toEqual([]);
  });
});
