/** What leaves dunning for others, and what never does: addresses inside, tokens and headers of requests, secrets. */

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { DunningGateways } from '../../src/gateways/dunning.ts';
import { createSimulatedMessages } from '../../src/gateways/messages/simulator.ts';
import type { WebhookCall } from '../../src/gateways/webhooks/port.ts';
import { createWebhookSender } from '../../src/gateways/webhooks/sender.ts';
import { ask, call, confirm, errorOf, outputOf } from '../support/confirming.ts';
import { createCharge, createDebtor, runDunningJob, runDunningQueue } from '../support/dunning.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, type RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { clientOf } from './product.ts';

let world: World;
let server: HttpServer;
let client: RawClient;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  server = await openServer(world);
  client = clientOf(server.port, world.tokens.owner, 'dunning');
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const inside = [
  'https://127.0.0.1/hook',
  'https://[::1]/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.8/hook',
  'https://192.168.1.4/hook',
  'https://[fd00::1]/hook',
  'https://[::ffff:127.0.0.1]/hook',
  'https://2130706433/hook',
  'https://localhost/hook',
  'http://example.com/hook',
  'ftp://example.com/hook',
];

describe('SE-17: webhooks call nothing inside', () => {
  it.each(inside)('%s is refused when it is set up', async (url) => {
    const answer = await client.m(
      'tools/call',
      callOf('dunning_webhooks_create', { url, events: ['charge.paid'] }),
    );
    expect(errorOf(answer).code).toMatch(/^(webhook_address_refused|invalid_argument)$/);
  });

  it.each(['127.0.0.1', '169.254.169.254', '10.1.2.3', '::1', 'fd00::1'])(
    'nor is a name that leads to %s when it is called',
    async (address) => {
      const family = address.includes(':') ? 6 : 4;
      const sender = createWebhookSender({ resolve: async () => [{ address, family }] });
      const sent = await sender.send({ url: 'https://hooks.example.com/x', headers: {}, body: '{}' });
      expect(sent).toMatchObject({ kind: 'failed', reason: 'refused' });
    },
  );
});

test('SE-18: the secret of a webhook is shown once, to the person who made it, and is nowhere else', async () => {
  const key = { idempotency_key: 'webhook-1' };
  const args = { url: 'https://hooks.example.com/a', events: ['charge.paid'], ...key };
  const made = await call(client, 'dunning_webhooks_create', args);
  const { id } = made['webhook'];
  const rotate = { id, idempotency_key: 'rotate-1' };
  const { message, state } = await ask(client, 'dunning_webhooks_rotate_secret', rotate);
  const rotated = outputOf(await confirm(client, 'dunning_webhooks_rotate_secret', rotate, state));
  const secrets: string[] = [made['secret'], rotated['secret']];
  expect(new Set(secrets).size).toBe(2);
  const later = [
    message,
    JSON.stringify(await call(client, 'dunning_webhooks_create', args)),
    (await confirm(client, 'dunning_webhooks_rotate_secret', rotate, state)).text,
    ...(await Promise.all(
      [
        ['dunning_webhooks_get', { id }],
        ['dunning_webhooks_list', {}],
        ['dunning_webhook_deliveries_list', {}],
        ['dunning_events_list', {}],
      ].map(
        async ([name, given]) => (await client.m('tools/call', callOf(name as string, given as object))).text,
      ),
    )),
    JSON.stringify(await world.look('select body from events')),
    JSON.stringify(await world.look('select answer::text from idempotency_keys')),
    JSON.stringify(await world.look('select payload from graphile_worker._private_jobs')),
  ];
  for (const text of later)
    for (const secret of secrets) expect(text).not.toContain(secret.replace('whsec_', ''));
});

test('AU-10 UT-14: nothing of a request goes with what is sent for it: no token, no trace, no baggage', async () => {
  const calls: WebhookCall[] = [];
  const messages = createSimulatedMessages({ now: world.now });
  const gateways = {
    messages,
    webhooks: {
      name: 'spy',
      send: async (sent: WebhookCall) => {
        calls.push(sent);
        return { kind: 'answered', status: 200, text: '', durationMs: 1 };
      },
    },
  } as unknown as DunningGateways;
  await call(client, 'dunning_webhooks_create', {
    url: 'https://hooks.example.com/b',
    events: ['charge.paid'],
  });
  const person_id = await createDebtor(world);
  const [paid, reminded] = [
    await createCharge(world, { person_id }),
    await createCharge(world, { person_id }),
  ];
  const headers = {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'spy=1',
    baggage: 'segredo=42',
    cookie: 'session=abc',
  };
  const payment = { charge_id: paid, amount: '100.00', paid_at: '2026-10-01', method: 'pix' };
  outputOf(await client.m('tools/call', callOf('dunning_payments_create', payment), { headers }));
  const template = await call(client, 'dunning_templates_create', {
    name: 'Aviso',
    channel: 'email',
    subject: 'Aviso',
    body: 'Sobre a sua conta.',
  });
  const notice = { id: reminded, channel: 'email', template_id: template['id'] };
  const { state } = await ask(client, 'dunning_charges_notify', notice);
  outputOf(await confirm(client, 'dunning_charges_notify', notice, state, { headers }));
  await runDunningQueue(world, gateways);
  for (const task of ['dunning_publish_events', 'dunning_deliver_webhooks']) {
    expect(await runDunningJob(world, gateways, task)).toBeUndefined();
  }
  expect(calls.length).toBeGreaterThan(0);
  expect(messages.sent.length).toBeGreaterThan(0);
  const sent = JSON.stringify([calls, messages.sent]);
  for (const value of [
    world.tokens.owner,
    'kob_',
    ...Object.values(headers),
    '0af7651916cd43dd8448eb211c80319c',
  ]) {
    expect(sent).not.toContain(value);
  }
  for (const { headers: own } of calls) {
    expect(Object.keys(own).map((name) => name.toLowerCase())).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(authorization|cookie|traceparent|baggage)$/)]),
    );
  }
});
