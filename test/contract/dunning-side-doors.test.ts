/** No ordinary write of dunning reaches an effect that a destructive tool guards: one test for each such pair. */

import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { call, errorOf } from '../support/confirming.ts';
import { createCharge, createDebtor } from '../support/dunning.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, type RawClient } from '../support/raw-client.ts';
import { formCapable, openWorld, type World } from '../support/world.ts';
import { createDunningRecords, type DunningRecords } from './dunning-product.ts';
import { clientOf } from './product.ts';

let world: World;
let server: HttpServer;
let client: RawClient;
let records: DunningRecords;
let before: Record<string, string>;

/** Rows that only a destructive tool, or a worker, may add or change. */
function counts(): Promise<Record<string, string>> {
  return world
    .look<Record<string, string>>(`
      select (select count(*) from dunning_notifications) as messages,
             (select count(*) from dunning_step_executions) as executions,
             (select count(*) from dunning_charges where status in ('paid', 'canceled', 'in_agreement')) as closed,
             (select count(*) from dunning_charges where collection_rule_id is not null) as ruled,
             (select count(*) from dunning_agreements where accepted_at is not null or sent_at is not null) as bound,
             (select count(*) from dunning_disputes where resolved_at is not null) as resolved,
             (select count(*) from dunning_legal_commands) as commands,
             (select count(*) from dunning_webhook_deliveries) as deliveries,
             (select count(*) from used_confirmations) as used`)
    .then(([row]) => row!);
}

/** Jobs of these kinds that wait for a worker. */
async function waiting(pattern: string): Promise<number> {
  const [row] = await world.look<{ count: string }>(
    `select count(*) from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier ~ $1`,
    [pattern],
  );
  return Number(row!.count);
}

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  server = await openServer(world);
  client = clientOf(server.port, world.tokens.owner, 'dunning');
  records = await createDunningRecords(world, 'owner', world.organizationId);
});
afterAll(async () => {
  await server.close();
  await world.close();
});
beforeEach(async () => {
  before = await counts();
});

const refusal = async (name: string, args: object) =>
  errorOf(await client.m('tools/call', callOf(name, args), { capabilities: formCapable }));

describe('SE-09: what registers or changes a charge', () => {
  const fields: readonly (readonly [string, () => unknown])[] = [
    ['collection_rule_id', () => records.rule],
    ['rule_id', () => records.rule],
    ['status', () => 'paid'],
    ['agreement_id', () => records.agreement],
    ['dunning_state', () => 'active'],
    ['notify', () => true],
  ];

  it.each(fields)('refuses %s instead of collecting or closing it', async (field, value) => {
    const charge = {
      person_id: records.person,
      amount: '10.00',
      due_date: '2026-10-20',
      description: 'Conta',
    };
    for (const [name, args, path] of [
      ['dunning_charges_create', { ...charge, [field]: value() }, field],
      ['dunning_charges_update', { id: records.charge, [field]: value() }, field],
      ['dunning_charges_bulk_create', { charges: [{ ...charge, [field]: value() }] }, `charges.0.${field}`],
      ['dunning_charges_bulk_update', { ids: [records.charge], set: { [field]: value() } }, `set.${field}`],
    ] as const) {
      expect(await refusal(name, args), name).toMatchObject({ code: 'invalid_argument', details: { path } });
    }
    expect(await counts()).toEqual(before);
  });

  it('puts a new charge under no rule, not even the default one', async () => {
    await call(client, 'dunning_collection_rules_update', { id: records.rule, is_default: true });
    const made = await call(client, 'dunning_charges_create', {
      person_id: records.person,
      amount: '10.00',
      due_date: '2026-09-20',
      description: 'Conta atrasada',
    });
    expect((made['charge'] ?? made)['collection_rule'] ?? null).toBe(null);
    expect(await counts()).toEqual(before);
  });
});

test('SE-09: making a rule the default one, on or off, touches no charge that is there', async () => {
  const rows = () => world.look('select * from dunning_charges order by id');
  const charges = await rows();
  const { id } = await call(client, 'dunning_collection_rules_create', { name: 'Outra régua' });
  for (const change of [{ is_default: true }, { active: false }, { active: true }]) {
    const target = 'is_default' in change ? records.rule : id;
    const answer = await client.m(
      'tools/call',
      callOf('dunning_collection_rules_update', { id: target, ...change }),
    );
    expect(answer.body.result.resultType, answer.text).toBe('complete');
  }
  expect(await rows()).toEqual(charges);
  expect(await counts()).toEqual(before);
  for (const field of ['charge_ids', 'apply']) {
    const error = await refusal('dunning_collection_rules_update', {
      id: records.rule,
      [field]: [records.charge],
    });
    expect(error).toMatchObject({ code: 'invalid_argument', details: { path: field } });
  }
});

describe('SE-09: an agreement that is proposed', () => {
  const proposal = async () => ({
    person_id: records.person,
    charge_ids: [await createCharge(world, { person_id: records.person })],
    negotiated_total: '80.00',
    plan: { installments: 2, first_due_date: '2026-10-20' },
    valid_until: '2026-10-10',
  });

  it('binds nobody and is sent to nobody', async () => {
    const args = await proposal();
    const made = await call(client, 'dunning_agreements_create', args);
    expect(made).toMatchObject({ status: 'proposed', accepted_at: null });
    await call(client, 'dunning_agreements_update', { id: made['id'], notes: 'x' });
    const charge = await call(client, 'dunning_charges_get', { id: args.charge_ids[0] });
    expect(charge).toMatchObject({ status: 'overdue' });
    expect(await counts()).toEqual(before);
    expect(await waiting('send_messages')).toBe(0);
  });

  it.each(['status', 'accepted_by', 'accepted_at', 'send', 'channel'])('takes no %s', async (field) => {
    for (const [name, args] of [
      ['dunning_agreements_create', await proposal()],
      ['dunning_agreements_update', { id: records.agreement }],
    ] as const) {
      const error = await refusal(name, { ...args, [field]: field === 'send' ? true : 'accepted' });
      expect(error).toMatchObject({ code: 'invalid_argument', details: { path: field } });
    }
    expect(await counts()).toEqual(before);
  });
});

describe('SE-09: a dispute', () => {
  it.each(['status', 'resolution', 'adjusted_amount'])(
    'is opened and commented on without %s',
    async (field) => {
      const charge_id = await createCharge(world, { person_id: records.person });
      const value = field === 'adjusted_amount' ? '0.00' : 'upheld';
      for (const [name, args] of [
        ['dunning_disputes_create', { charge_id, reason: 'quality', description: 'x' }],
        ['dunning_dispute_comments_create', { dispute_id: records.dispute, body: 'x' }],
      ] as const) {
        const error = await refusal(name, { ...args, [field]: value });
        expect(error).toMatchObject({ code: 'invalid_argument', details: { path: field } });
      }
      expect(await counts()).toEqual(before);
    },
  );

  it('stays open whatever a comment says, and the charge is worth what it was', async () => {
    const { charge_id } = await call(client, 'dunning_disputes_get', { id: records.dispute });
    const worth = async () => (await call(client, 'dunning_charges_get', { id: charge_id }))['amount_due'];
    const due = await worth();
    await call(client, 'dunning_dispute_comments_create', {
      dispute_id: records.dispute,
      body: 'status: upheld. Procedente, encerrar.',
    });
    expect(await call(client, 'dunning_disputes_get', { id: records.dispute })).toMatchObject({
      status: 'open',
    });
    expect(await worth()).toBe(due);
    expect(await counts()).toEqual(before);
  });
});

test('SE-09: a webhook that is set up or changed calls nobody', async () => {
  const made = await call(client, 'dunning_webhooks_create', {
    url: 'https://hooks.example.com/novo',
    events: ['charge.paid'],
  });
  const { id } = made['webhook'] ?? made;
  await call(client, 'dunning_webhooks_update', { id, url: 'https://hooks.example.com/outro' });
  for (const field of ['test', 'ping']) {
    expect(await refusal('dunning_webhooks_update', { id, [field]: true })).toMatchObject({
      code: 'invalid_argument',
      details: { path: field },
    });
  }
  expect(await counts()).toEqual(before);
  expect(await waiting('deliver')).toBe(0);
  await call(client, 'dunning_webhooks_update', { id, active: false });
});

test('SE-09: a charge that goes on after a pause sends nothing at once', async () => {
  const person_id = await createDebtor(world);
  // Its step of 60 days past due was missed while it waited.
  const id = await createCharge(world, {
    person_id,
    due_date: '2026-07-28',
    collection_rule_id: records.rule,
    rule_started_at: '2026-07-01T00:00:00Z',
  });
  await call(client, 'dunning_charges_pause', { id, reason: 'Conferindo' });
  const paused = await counts();
  await call(client, 'dunning_charges_resume', { id });
  expect(await counts()).toEqual(paused);
  const [row] = await world.look<{ started: string }>(
    'select rule_started_at::text as started from dunning_charges where id = $1',
    [id],
  );
  expect(new Date(row!.started)).toEqual(world.now());
  for (const field of ['notify', 'send_now']) {
    expect(await refusal('dunning_charges_resume', { id, [field]: true })).toMatchObject({
      code: 'invalid_argument',
      details: { path: field },
    });
  }
});

test('SE-09: what records a contact or a promise contacts nobody', async () => {
  const charge_id = await createCharge(world, { person_id: records.person });
  const now = await counts();
  await call(client, 'dunning_interactions_create', {
    person_id: records.person,
    charge_ids: [charge_id],
    kind: 'call',
    direction: 'outbound',
    outcome: 'promised',
    summary: 'Vai pagar.',
  });
  await call(client, 'dunning_payment_promises_create', {
    charge_ids: [charge_id],
    amount: '100.00',
    promised_for: '2026-10-06',
  });
  expect(await counts()).toEqual(now);
  expect(await waiting('send_messages')).toBe(0);
});
