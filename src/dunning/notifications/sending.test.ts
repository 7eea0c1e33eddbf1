import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import {
  type FoundMessage,
  MessageOutcomeUnknown,
  type MessagePort,
  MessageRefused,
  MessageUnreachable,
  type OutgoingMessage,
} from '../../gateways/messages/port.ts';
import { createSimulatedMessages } from '../../gateways/messages/simulator.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning', poolSize: 8 });
});
beforeEach(async () => {
  await world.look('delete from dunning_notifications');
  await world.look('delete from dunning_contact_slots');
  world.setNow('2026-10-01T12:00:00Z');
});
afterAll(() => world.close());

const email = {
  channel: 'email',
  subject: 'Uma mensagem para você',
  body: 'Olá, {{debtor_name}}.\n{{charges}}\n{{total_due}}',
};

/** A carrier that keeps what it took, and does with each message first what the test says. */
function carrier(before: (message: OutgoingMessage) => void | Promise<void> = () => {}) {
  const taken: OutgoingMessage[] = [];
  const port: MessagePort = {
    name: 'carrier',
    async send(message) {
      await before(message);
      taken.push(message);
      return { providerId: `carrier-${message.key}` };
    },
    async find(key): Promise<FoundMessage> {
      return taken.some((one) => one.key === key)
        ? { state: 'taken', providerId: `carrier-${key}` }
        : { state: 'absent' };
    },
  };
  return { taken, port, gateways: gatewaysOf(port) };
}

function gatewaysOf(port: MessagePort): DunningGateways {
  return { messages: { email: port, sms: port, whatsapp: port, letter: port } } as unknown as DunningGateways;
}

const send = (gateways: DunningGateways) => runDunningJob(world, gateways, 'dunning_send_messages');

async function debtWith(fields: Parameters<typeof createDebtor>[1] = {}, amount_cents = 10_000) {
  const personId = await createDebtor(world, fields);
  return { personId, chargeId: await createCharge(world, { person_id: personId, amount_cents }) };
}

const notify = async (chargeId: string, channel = 'email'): Promise<string> =>
  (await world.call('dunning_charges_notify', { id: chargeId, channel }))['id'];

const get = (id: string) => world.call('dunning_notifications_get', { id });

const count = async (table: string): Promise<number> => {
  const [row] = await world.look<{ n: number }>(`select count(*)::integer as n from ${table}`);
  return row!.n;
};

/** The rule that the charge is under; the first time it comes under one. */
async function ruleOf(chargeId: string): Promise<string> {
  const [known] = await world.look<{ rule: string | null }>(
    'select collection_rule_id as rule from dunning_charges where id = $1',
    [chargeId],
  );
  if (known!.rule !== null) return known!.rule;
  const rule = newId();
  await world.look(
    `insert into dunning_collection_rules (organization_id, id, name, active, created_by) values ($1, $2, 'Régua', true, $1)`,
    [world.organizationId, rule],
  );
  await world.look(
    "update dunning_charges set collection_rule_id = $2, rule_started_at = now(), dunning_state = 'active' where id = $1",
    [chargeId, rule],
  );
  return rule;
}

/** A message of a rule, as the day's run writes it: its step is done once it is queued. */
async function ruleMessage(personId: string, chargeId: string, channel = 'sms', at = world.now()) {
  const [step, execution, id, template] = [newId(), newId(), newId(), newId()];
  const { organizationId } = world;
  const rule = await ruleOf(chargeId);
  await world.look(
    `insert into dunning_templates (organization_id, id, name, channel, body, created_by) values ($1, $2, 'Modelo', $3, 'Olá, {{debtor_name}}', $1)`,
    [organizationId, template, channel],
  );
  await world.look(
    `insert into dunning_template_versions (organization_id, template_id, text_version, body, created_by)
     values ($1, $2, 1, 'Olá, {{debtor_name}}', $1)`,
    [organizationId, template],
  );
  await world.look(
    `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action,
                                     channel, template_id, created_by)
     values ($1, $2, $3, 0, 1, 'calendar', '09:00', 'message', $4, $5, $1)`,
    [organizationId, step, rule, channel, template],
  );
  await world.look(
    `insert into dunning_step_executions (organization_id, id, charge_id, person_id, rule_id, step_id, cycle, action, channel,
                                          step_on, due_at, status, notification_id, done_at)
     values ($1, $2, $3, $4, $5, $6, 1, 'message', $7, $8::timestamptz::date, $8::timestamptz, 'done', $9, $8::timestamptz)`,
    [organizationId, execution, chargeId, personId, rule, step, channel, at, id],
  );
  await world.look(
    `insert into dunning_notifications (organization_id, id, person_id, charge_id, channel, template_id, template_version,
                                        trigger, execution_id, scheduled_for, status, queued_at, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, 1, 'rule', $7, $8, 'queued', $8, $1, $8)`,
    [organizationId, id, personId, chargeId, channel, template, execution, at],
  );
  return { id, execution, rule, step };
}

const executionOf = async (id: string) => {
  const [row] = await world.look<{ status: string; skipped_reason: string | null }>(
    'select status, skipped_reason from dunning_step_executions where id = $1',
    [id],
  );
  return row!;
};

describe('a message on its way', () => {
  test('is sent once with the figures of the day, and tells which policy allowed it', async () => {
    const { chargeId } = await debtWith({ name: 'Padaria Sol', email: 'sol@example.com' });
    const id = await notify(chargeId);
    const { taken, gateways } = carrier();
    expect(await send(gateways)).toBeUndefined();
    expect(await send(gateways)).toBeUndefined();
    expect(taken).toHaveLength(1);
    expect(taken[0]).toMatchObject({
      key: id,
      channel: 'email',
      to: 'sol@example.com',
      recipientName: 'Padaria Sol',
    });
    expect(taken[0]!.text).toContain('R$ 100,00');
    const shown = await get(id);
    expect(shown).toMatchObject({
      status: 'sent',
      provider: 'carrier',
      sent_at: expect.stringContaining('2026-10-01T12:00:00'),
      policy_version: expect.stringMatching(/^2026-\d\d\.1$/),
      rendered: { body: taken[0]!.text, subject: taken[0]!.subject },
      trail: [{ status: 'sent', detail: null }],
    });
    const [slot] = await world.look('select * from dunning_contact_slots where notification_id = $1', [id]);
    expect(slot).toMatchObject({ ordinal: 1, channel: 'email', policy_version: shown['policy_version'] });
  });

  test('waits while the organization is frozen, whoever wrote it, and leaves once when it is not any more', async () => {
    const freeze = (at: Date | null) =>
      world.look(
        `insert into controls (tenant_id, organization_id, frozen_at, updated_at) values ($1, $1, $2, now())
         on conflict (tenant_id) do update set frozen_at = $2`,
        [world.organizationId, at],
      );
    const { chargeId } = await debtWith();
    const id = await notify(chargeId);
    const other = await debtWith();
    const rule = await ruleMessage(other.personId, other.chargeId);
    await freeze(world.now());
    const { taken, gateways } = carrier();
    for (let run = 0; run < 3; run += 1) expect(await send(gateways)).toBeUndefined();
    expect(taken).toEqual([]);
    for (const waiting of [id, rule.id]) {
      expect(await get(waiting)).toMatchObject({ status: 'queued', trail: [] });
    }
    expect(await count('dunning_contact_slots')).toBe(0);
    await freeze(null);
    await send(gateways);
    await send(gateways);
    expect(taken.map(({ key }) => key).sort()).toEqual([id, rule.id].sort());
  });

  test('PITFALLS 48: two charges in one message, each with its own amount', async () => {
    const { personId, chargeId } = await debtWith({}, 11_000);
    const other = await createCharge(world, { person_id: personId, amount_cents: 7_000 });
    await world.call('dunning_notifications_create', {
      person_id: personId,
      charge_ids: [chargeId, other],
      ...email,
    });
    const { taken, gateways } = carrier();
    await send(gateways);
    const [{ text }] = taken as [OutgoingMessage];
    expect(text.match(/R\$ [\d.,]+/g)).toEqual(['R$ 110,00', 'R$ 70,00', 'R$ 180,00']);
  });

  test('is about what is still due when it leaves, and is not sent when nothing is', async () => {
    const { personId, chargeId } = await debtWith({}, 11_000);
    const other = await createCharge(world, { person_id: personId, amount_cents: 7_000 });
    const template = await world.call('dunning_templates_create', { name: 'Todas', ...email });
    const args = {
      person_id: personId,
      charge_ids: [chargeId, other],
      channel: 'email',
      template_id: template['id'],
    };
    await world.call('dunning_notifications_create', { ...args, scheduled_for: '2026-10-02T12:00:00Z' });
    await world.look("update dunning_charges set status = 'paid', open_cents = 0 where id = $1", [chargeId]);
    world.setNow('2026-10-02T12:00:00Z');
    const { taken, gateways } = carrier();
    await send(gateways);
    expect(taken[0]!.text.match(/R\$ [\d.,]+/g)).toEqual(['R$ 70,00', 'R$ 70,00']);
    const rule = await ruleMessage(personId, chargeId);
    world.setNow('2026-10-05T12:00:00Z');
    await send(gateways);
    expect(taken).toHaveLength(1);
    expect(await get(rule.id)).toMatchObject({ status: 'skipped', status_reason: 'paid' });
    expect(await executionOf(rule.execution)).toEqual({ status: 'skipped', skipped_reason: 'paid' });
  });

  test('PITFALLS 50: a message about one charge leaves the others their own, only the day is full', async () => {
    const { personId, chargeId } = await debtWith();
    const others = [
      await createCharge(world, { person_id: personId }),
      await createCharge(world, { person_id: personId }),
    ];
    for (const one of [chargeId, ...others]) await ruleMessage(personId, one);
    const { taken, gateways } = carrier();
    await send(gateways);
    expect(taken).toHaveLength(1);
    world.setNow('2026-10-02T11:00:00Z');
    await send(gateways);
    world.setNow('2026-10-03T11:00:00Z');
    await send(gateways);
    expect(taken).toHaveLength(3);
    expect(new Set(taken.map(({ key }) => key)).size).toBe(3);
    expect(await count('dunning_contact_slots')).toBe(3);
  });

  test('PITFALLS 53: in a closed hour waits for the opening, in each state its own', async () => {
    world.setNow('2026-10-17T17:30:00Z');
    const sp = await debtWith();
    const rj = await debtWith({ state: 'RJ' });
    const first = await ruleMessage(sp.personId, sp.chargeId);
    const second = await ruleMessage(rj.personId, rj.chargeId);
    const { taken, gateways } = carrier();
    await send(gateways);
    expect(taken).toEqual([]);
    expect((await get(first.id))['scheduled_for']).toContain('2026-10-19T11:00:00');
    expect((await get(second.id))['scheduled_for']).toContain('2026-10-19T12:00:00');
    expect((await get(first.id))['trail']).toMatchObject([{ status: 'moved', detail: 'window_closed' }]);
    world.setNow('2026-10-19T11:00:00Z');
    await send(gateways);
    expect(taken.map(({ key }) => key)).toEqual([first.id]);
    world.setNow('2026-10-19T12:00:00Z');
    await send(gateways);
    expect(taken.map(({ key }) => key)).toEqual([first.id, second.id]);
  });

  test('is not begun in the last minutes of the hours', async () => {
    world.setNow('2026-10-01T22:59:00Z');
    const { personId, chargeId } = await debtWith();
    const { id } = await ruleMessage(personId, chargeId);
    const { taken, gateways } = carrier();
    await send(gateways);
    expect(taken).toEqual([]);
    expect((await get(id))['scheduled_for']).toContain('2026-10-02T11:00:00');
  });

  test.each([
    ['rule_changed', 'update dunning_charges set collection_rule_id = null where id = $1', 'chargeId'],
    ['reopened', 'update dunning_charges set rule_cycle = rule_cycle + 1 where id = $1', 'chargeId'],
    ['rule_inactive', 'update dunning_collection_rules set active = false where id = $1', 'rule'],
    ['step_removed', 'update dunning_rule_steps set deleted_at = now() where id = $1', 'step'],
    ['past_due', 'update dunning_rule_steps set offset_days = -1 where id = $1', 'step'],
  ] as const)('of a rule that waits overnight does not leave when it is %s', async (reason, change, of) => {
    const { personId, chargeId } = await debtWith({ state: 'SP' });
    world.setNow('2026-10-02T22:59:00Z');
    const message = await ruleMessage(personId, chargeId);
    const { taken, gateways } = carrier();
    await send(gateways);
    await world.look(change, [{ ...message, chargeId }[of]]);
    world.setNow('2026-10-03T11:05:00Z');
    await send(gateways);
    expect(taken).toEqual([]);
    expect(await get(message.id)).toMatchObject({ status: 'skipped', status_reason: reason });
    expect(await executionOf(message.execution)).toEqual({ status: 'skipped', skipped_reason: reason });
  });

  test('that could not leave in five days says nothing any more', async () => {
    const { personId, chargeId } = await debtWith();
    const { id, execution } = await ruleMessage(personId, chargeId);
    for (let day = 1; day <= 7; day += 1) {
      world.setNow(`2026-10-0${day}T13:00:00Z`);
      await world.look(
        `insert into dunning_contact_slots (organization_id, person_id, contact_on, ordinal, notification_id, channel,
                                            policy_version, taken_at)
         values ($1, $2, $3, 1, $4, 'sms', '1', now())`,
        [world.organizationId, personId, `2026-10-0${day}`, newId()],
      );
      await send(carrier().gateways);
    }
    expect(await get(id)).toMatchObject({ status: 'skipped', status_reason: 'daily_cap' });
    expect(await executionOf(execution)).toEqual({ status: 'skipped', skipped_reason: 'daily_cap' });
  });

  test('a letter goes to the address of the debtor', async () => {
    const { chargeId } = await debtWith();
    await notify(chargeId, 'letter');
    const { taken, gateways } = carrier();
    await send(gateways);
    expect(taken[0]).toMatchObject({
      to: '',
      address: { city: 'São Paulo', state: 'SP', postalCode: '01001000' },
    });
  });
});

describe('PITFALLS 52: a process that dies', () => {
  test('after the carrier took the message: it is found there and not sent again', async () => {
    const { chargeId } = await debtWith();
    const id = await notify(chargeId);
    const { taken, port } = carrier();
    const dying = gatewaysOf({
      ...port,
      async send(message) {
        await port.send(message);
        throw new Error('killed');
      },
    });
    expect(await send(dying)).toMatchObject({ message: 'killed' });
    expect(await send(gatewaysOf(port))).toBeUndefined();
    expect(await get(id)).toMatchObject({ status: 'queued' });
    world.setNow('2026-10-01T12:03:00Z');
    await send(gatewaysOf(port));
    expect(taken).toHaveLength(1);
    expect(await get(id)).toMatchObject({
      status: 'sent',
      sent_at: expect.stringContaining('12:00:00'),
      provider: 'carrier',
    });
    expect(await count('dunning_contact_slots')).toBe(1);
  });

  test('before the carrier took it: it is sent once, by the run after', async () => {
    const { chargeId } = await debtWith();
    const id = await notify(chargeId);
    const { taken, port } = carrier();
    const dying = gatewaysOf({
      ...port,
      async send() {
        throw new Error('killed');
      },
    });
    await send(dying);
    world.setNow('2026-10-01T12:03:00Z');
    await send(gatewaysOf(port));
    expect(taken).toHaveLength(1);
    expect(await get(id)).toMatchObject({ status: 'sent' });
    expect(await count('dunning_contact_slots')).toBe(1);
  });

  test('with a carrier that cannot be asked: it has failed with an unknown outcome, and the day is used up', async () => {
    const { personId, chargeId } = await debtWith();
    const { id, execution } = await ruleMessage(personId, chargeId);
    const { port } = carrier();
    const mute = gatewaysOf({
      ...port,
      async send() {
        throw new MessageOutcomeUnknown('the connection broke');
      },
      async find() {
        return { state: 'unknowable' };
      },
    });
    expect(await send(mute)).toBeUndefined();
    world.setNow('2026-10-01T12:03:00Z');
    await send(mute);
    expect(await get(id)).toMatchObject({ status: 'failed', status_reason: 'outcome_unknown' });
    expect(await executionOf(execution)).toEqual({ status: 'failed', skipped_reason: 'outcome_unknown' });
    expect(await count('dunning_contact_slots')).toBe(1);
  });

  test('between claim and sending: nothing is lost', async () => {
    const { chargeId } = await debtWith();
    const id = await notify(chargeId);
    await world.look('update dunning_notifications set claimed_at = $2, claim_id = $3 where id = $1', [
      id,
      world.now(),
      newId(),
    ]);
    const { taken, gateways } = carrier();
    await send(gateways);
    expect(taken).toEqual([]);
    world.setNow('2026-10-01T12:05:00Z');
    await send(gateways);
    expect(taken).toHaveLength(1);
  });

  test('again and again on the same message: it is given up', async () => {
    const { chargeId } = await debtWith();
    const id = await notify(chargeId);
    const { port } = carrier();
    const dying = gatewaysOf({
      ...port,
      async send() {
        throw new Error('killed');
      },
    });
    for (let minute = 0; minute < 40; minute += 3) {
      world.setNow(`2026-10-01T12:${String(minute).padStart(2, '0')}:00Z`);
      await send(dying);
    }
    expect(await get(id)).toMatchObject({ status: 'failed', status_reason: 'unreachable' });
  });

  test('and a carrier that answers slowly when it is asked: nothing is claimed as of a time long past', async () => {
    const lost = await notify((await debtWith()).chargeId);
    await world.look('update dunning_notifications set claimed_at = $2, claim_id = $1 where id = $1', [
      lost,
      '2026-10-01T11:00:00Z',
    ]);
    const fresh = await notify((await debtWith()).chargeId);
    const { taken, port } = carrier();
    let clock = 0;
    const watch = vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const slow: MessagePort = {
      ...port,
      async find() {
        clock += 25_000;
        throw new MessageUnreachable('no answer in time');
      },
    };
    expect(await send(gatewaysOf(slow))).toBeUndefined();
    expect(taken).toEqual([]);
    // The run that is queued sees the time of then; what was just asked about is left alone for a while.
    expect(await send(gatewaysOf(slow))).toBeUndefined();
    watch.mockRestore();
    expect(taken.map(({ key }) => key)).toEqual([fresh]);
  });

  test('one of a batch leaves the others recorded', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await notify((await debtWith()).chargeId));
    const { taken, gateways } = carrier(({ key }) => {
      if (key === ids[2]) throw new Error('killed');
    });
    await send(gateways);
    expect(taken).toHaveLength(4);
    const states = await Promise.all(ids.map(async (id) => (await get(id))['status']));
    expect(states).toEqual(['sent', 'sent', 'queued', 'sent', 'sent']);
  });
});

describe('several senders at once', () => {
  test('MODEL §14.15: send each message once and nobody more than the day allows', async () => {
    await world.call('dunning_settings_update', { daily_cap_per_person: 2 });
    const people: string[] = [];
    for (let index = 0; index < 25; index += 1) {
      const { personId, chargeId } = await debtWith();
      people.push(personId);
      for (let message = 0; message < 3; message += 1) await ruleMessage(personId, chargeId);
    }
    const { taken, gateways } = carrier(() => new Promise((resolve) => setTimeout(resolve, 2)));
    const failures = await Promise.all(Array.from({ length: 4 }, () => send(gateways)));
    expect(failures).toEqual([undefined, undefined, undefined, undefined]);
    await send(gateways);
    expect(taken).toHaveLength(50);
    expect(new Set(taken.map(({ key }) => key)).size).toBe(50);
    const slots = await world.look<{ n: number }>(
      'select count(*)::integer as n from dunning_contact_slots group by person_id, contact_on',
    );
    expect(slots.map(({ n }) => n)).toEqual(people.map(() => 2));
    world.setNow('2026-10-02T12:00:00Z');
    await send(gateways);
    expect(taken).toHaveLength(75);
    await world.call('dunning_settings_update', { daily_cap_per_person: 1 });
  });

  test('keep to the cap of a channel too', async () => {
    await world.call('dunning_settings_update', { daily_cap_per_person: 3 });
    await world.call('dunning_notification_preferences_update', { channel_caps: { sms: 1 } });
    const people: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      const { personId, chargeId } = await debtWith();
      people.push(personId);
      for (const channel of ['sms', 'sms', 'whatsapp']) await ruleMessage(personId, chargeId, channel);
    }
    const { taken, gateways } = carrier();
    await Promise.all([send(gateways), send(gateways), send(gateways)]);
    await send(gateways);
    expect(taken.filter(({ channel }) => channel === 'sms')).toHaveLength(people.length);
    expect(taken.filter(({ channel }) => channel === 'whatsapp')).toHaveLength(people.length);
    await world.call('dunning_settings_update', { daily_cap_per_person: 1 });
    await world.call('dunning_notification_preferences_update', { channel_caps: { sms: null } });
  });
});

describe('a carrier that does not take a message', () => {
  test('for good: it has failed, the contact is marked, and the day is not used up', async () => {
    const { personId, chargeId } = await debtWith();
    const { id, execution } = await ruleMessage(personId, chargeId);
    const { gateways } = carrier(() => {
      throw new MessageRefused('invalid_contact', 'no such number');
    });
    expect(await send(gateways)).toBeUndefined();
    expect(await get(id)).toMatchObject({ status: 'failed', status_reason: 'invalid_contact' });
    expect(await executionOf(execution)).toEqual({ status: 'failed', skipped_reason: 'invalid_contact' });
    const [contact] = await world.look(
      "select validity from dunning_contacts where person_id = $1 and channel = 'sms'",
      [personId],
    );
    expect(contact).toEqual({ validity: 'bounced' });
    expect(await count('dunning_contact_slots')).toBe(0);
  });

  test('for now: it is tried again later and later, and given up after five times', async () => {
    const { chargeId } = await debtWith();
    const id = await notify(chargeId);
    let attempts = 0;
    const { gateways } = carrier(() => {
      attempts += 1;
      throw new MessageUnreachable('nobody answers');
    });
    const waits: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await send(gateways);
      await send(gateways);
      expect(attempts).toBe(round + 1);
      const { scheduled_for, status } = await get(id);
      if (status !== 'queued') break;
      waits.push((Date.parse(scheduled_for) - world.now().getTime()) / 60_000);
      world.setNow(scheduled_for);
    }
    expect(waits).toEqual([1, 5, 15, 60]);
    expect(await get(id)).toMatchObject({ status: 'failed', status_reason: 'unreachable' });
    expect(await count('dunning_contact_slots')).toBe(0);
  });
});

describe('reports of the carrier', () => {
  const collect = (gateways: DunningGateways) => runDunningJob(world, gateways, 'dunning_collect_reports');

  /** Sends to an address and lets the simulated carrier tell what became of it. */
  async function tell(address: string, minutes = 24 * 60) {
    const { personId, chargeId } = await debtWith({ email: address });
    const id = await notify(chargeId);
    const messages = createSimulatedMessages({ now: () => world.now() });
    const gateways = { messages } as unknown as DunningGateways;
    await send(gateways);
    world.setNow(new Date(world.now().getTime() + minutes * 60_000).toISOString());
    expect(await collect(gateways)).toBeUndefined();
    const shown = await get(id);
    expect(await collect(gateways)).toBeUndefined();
    expect(await get(id)).toEqual(shown);
    const [contact] = await world.look<{ validity: string; last_delivered_at: string | null }>(
      "select validity, last_delivered_at from dunning_contacts where person_id = $1 and channel = 'email'",
      [personId],
    );
    return { id, chargeId, personId, shown, contact: contact! };
  }

  test('PITFALLS 55: accepted is not delivered', async () => {
    const { shown, contact } = await tell('silent@example.com');
    expect(shown).toMatchObject({ status: 'sent', delivered_at: null });
    expect(contact.last_delivered_at).toBeNull();
  });

  test('PITFALLS 55: what bounced later is no delivery, and the address is not written to again', async () => {
    const { shown, contact, chargeId } = await tell('bounce@example.com');
    expect(shown).toMatchObject({ status: 'bounced', delivered_at: null });
    expect(contact.validity).toBe('bounced');
    await expect(
      world.call('dunning_charges_notify', { id: chargeId, channel: 'email' }),
    ).rejects.toMatchObject({
      code: 'contact_missing',
    });
  });

  test.each(['ana@example.com', 'twice@example.com', 'disorder@example.com'])(
    'told to %s, the message ends delivered, whatever comes twice or first',
    async (address) => {
      const { shown, contact } = await tell(address);
      expect(shown).toMatchObject({ status: 'delivered', delivered_at: expect.any(String) });
      expect(contact).toMatchObject({ validity: 'valid', last_delivered_at: expect.anything() });
      const kept = (shown['trail'] as { status: string }[]).filter(({ status }) => status === 'delivered');
      expect(kept).toHaveLength(1);
    },
  );

  test('a message is sent again as a new one, unless nothing is due any more', async () => {
    const { id, chargeId } = await tell('repete@example.com');
    const again = await world.call('dunning_notifications_resend', { id });
    expect(again).toMatchObject({
      trigger: 'resend',
      resent_from: id,
      status: 'queued',
      charge_ids: [chargeId],
    });
    await expect(world.call('dunning_notifications_resend', { id: again['id'] })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'queued' },
    });
    await world.look("update dunning_charges set status = 'paid', open_cents = 0 where id = $1", [chargeId]);
    world.setNow('2026-10-05T12:00:00Z');
    await expect(world.call('dunning_notifications_resend', { id })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'paid' },
    });
  });
});
