import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCharge, createContact, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { requireSendable } from '../templates/index.ts';
import { plainReminder } from './reminder.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
beforeEach(() => world.setNow('2026-10-01T12:00:00Z'));
afterAll(() => world.close());

const email = {
  channel: 'email',
  subject: 'Uma mensagem para você',
  body: 'Olá, {{debtor_name}}: {{total_due}}.',
};

async function debtWith(fields: Parameters<typeof createDebtor>[1] = {}, amount_cents = 10_000) {
  const personId = await createDebtor(world, fields);
  return { personId, chargeId: await createCharge(world, { person_id: personId, amount_cents }) };
}

const createTemplate = (fields: object = {}) =>
  world.call('dunning_templates_create', {
    name: 'Lembrete',
    channel: 'email',
    subject: 'Uma mensagem para você',
    body: 'Olá, {{debtor_name}}.\n{{charges}}\nTotal: {{total_due}}',
    ...fields,
  });

describe('dunning_notifications_create', () => {
  test('asks with debtor, channel, contact, figures, time and text, and then queues one message', async () => {
    const { personId, chargeId } = await debtWith({
      name: 'Padaria Aurora Ltda',
      email: 'contas@example.com',
    });
    const other = await createCharge(world, { person_id: personId, amount_cents: 7_000 });
    const template = await createTemplate({ name: 'Dois valores' });
    const args = {
      person_id: personId,
      charge_ids: [chargeId, other],
      channel: 'email',
      template_id: template['id'],
    };
    const { message } = await world.ask('dunning_notifications_create', args);
    for (const shown of [
      '"Padaria Aurora Ltda"',
      'e-mail',
      'co***@example.com',
      'R$ 170,00',
      'R$ 100,00',
      'R$ 70,00',
      'agora',
      '"Dois valores"',
      'Uma mensagem para você',
      'Total: R$ 170,00',
    ]) {
      expect(message).toContain(shown);
    }
    const made = await world.call('dunning_notifications_create', args);
    expect(made).toMatchObject({
      person: { id: personId, name: 'Padaria Aurora Ltda' },
      charge_ids: [chargeId, other].sort(),
      status: 'queued',
      trigger: 'manual',
      template_version: 1,
    });
    const jobs = await world.look(
      `select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'dunning_send_messages'`,
    );
    expect(jobs).toHaveLength(1);
  });

  test('takes a text of its own, held to what may be said', async () => {
    const { personId, chargeId } = await debtWith();
    const args = { person_id: personId, charge_ids: [chargeId], ...email };
    await expect(
      world.call('dunning_notifications_create', { ...args, body: 'Pague ou a polícia vai até você.' }),
    ).rejects.toMatchObject({ code: 'unsafe_template' });
    await expect(
      world.call('dunning_notifications_create', { ...args, body: 'Olá {{nobody}}' }),
    ).rejects.toMatchObject({ code: 'unknown_variable' });
    await expect(
      world.call('dunning_notifications_create', { ...args, subject: undefined }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'subject' } });
    expect(await world.call('dunning_notifications_create', args)).toMatchObject({ template_id: null });
  });

  test('takes a template or a text, not both and not neither', async () => {
    const { personId, chargeId } = await debtWith();
    const base = { person_id: personId, charge_ids: [chargeId], channel: 'email' };
    const template = await createTemplate({ name: 'Um dos dois' });
    await expect(world.call('dunning_notifications_create', base)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(
      world.call('dunning_notifications_create', { ...base, ...email, template_id: template['id'] }),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
    const sms = { ...base, channel: 'sms', template_id: template['id'] };
    await expect(world.call('dunning_notifications_create', sms)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'template_id' },
    });
  });

  test('refuses charges of somebody else, and charges that may not be spoken of, and names the one', async () => {
    const { personId, chargeId } = await debtWith();
    const stranger = await debtWith();
    const args = { person_id: personId, ...email };
    await expect(
      world.call('dunning_notifications_create', { ...args, charge_ids: [chargeId, stranger.chargeId] }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'charge_ids' } });
    const disputed = await createCharge(world, { person_id: personId });
    await world.look('update dunning_charges set is_disputed = true where id = $1', [disputed]);
    await expect(
      world.call('dunning_notifications_create', { ...args, charge_ids: [chargeId, disputed] }),
    ).rejects.toMatchObject({ code: 'charge_disputed', details: { charge_id: disputed } });
  });

  test('out of hours says when the debtor may be written to, and takes that time', async () => {
    const { personId, chargeId } = await debtWith();
    const args = { person_id: personId, charge_ids: [chargeId], ...email };
    world.setNow('2026-10-17T17:30:00Z');
    await expect(world.call('dunning_notifications_create', args)).rejects.toMatchObject({
      code: 'contact_window_closed',
    });
    world.setNow('2026-10-16T15:00:00Z');
    const closed = { ...args, scheduled_for: '2026-10-17T17:30:00Z' };
    const refusal = await world.call('dunning_notifications_create', closed).catch((error: unknown) => error);
    const next = (refusal as { details: { next: string } }).details.next;
    expect(new Date(next).toISOString()).toBe('2026-10-19T11:00:00.000Z');
    const { message } = await world.ask('dunning_notifications_create', { ...args, scheduled_for: next });
    expect(message).toContain('19/10/2026 08:00');
    const made = await world.call('dunning_notifications_create', { ...args, scheduled_for: next });
    expect(made['status']).toBe('scheduled');
  });

  test('a second message of the day is refused with the next morning', async () => {
    const { personId, chargeId } = await debtWith();
    const args = { person_id: personId, charge_ids: [chargeId], ...email };
    await world.call('dunning_notifications_create', args);
    await expect(world.call('dunning_notifications_create', args)).rejects.toMatchObject({
      code: 'contact_limit_reached',
    });
  });

  test('with the same key twice it makes one message', async () => {
    const { personId, chargeId } = await debtWith();
    const args = { person_id: personId, charge_ids: [chargeId], ...email, idempotency_key: 'once' };
    const first = await world.call('dunning_notifications_create', args);
    const again = await world.call('dunning_notifications_create', args);
    expect(again['id']).toBe(first['id']);
  });

  test('is not reached without the right to send, nor by another organization', async () => {
    const { personId, chargeId } = await debtWith();
    const args = { person_id: personId, charge_ids: [chargeId], ...email };
    await expect(world.call('dunning_notifications_create', args, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call('dunning_notifications_create', args, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('dunning_charges_notify', () => {
  test('sends a plain text in the language of the debtor, with the amount of the day', async () => {
    const { personId, chargeId } = await debtWith({ name: 'Oficina Um' });
    await world.look("update dunning_people set language = 'en' where id = $1", [personId]);
    const args = { id: chargeId, channel: 'email' };
    const { message } = await world.ask('dunning_charges_notify', args);
    expect(message).toContain('Dear Oficina Um');
    expect(await world.call('dunning_charges_notify', args)).toMatchObject({
      charge_ids: [chargeId],
      status: 'queued',
    });
  });

  test('stops when the amount is not the one a person has seen', async () => {
    const { chargeId } = await debtWith();
    const args = { id: chargeId, channel: 'sms', expected_amount: '99.00' };
    await expect(world.call('dunning_charges_notify', args)).rejects.toMatchObject({
      code: 'amount_changed',
      details: { expected: '99.00', actual: '100.00' },
    });
    const right = await world.call('dunning_charges_notify', { ...args, expected_amount: '100.00' });
    expect(right['channel']).toBe('sms');
  });

  test.each([
    ["status = 'paid', open_cents = 0", 'invalid_state'],
    ["dunning_state = 'paused', paused_reason = 'manual'", 'charge_paused'],
    ["dunning_state = 'paused', paused_reason = 'promise'", 'charge_paused'],
    ["status = 'in_agreement'", 'charge_in_agreement'],
  ])('MODEL §14.14: with %s it is refused, whoever asks', async (columns, code) => {
    const { chargeId } = await debtWith();
    await world.look(`update dunning_charges set ${columns} where id = $1`, [chargeId]);
    await expect(
      world.call('dunning_charges_notify', { id: chargeId, channel: 'email' }),
    ).rejects.toMatchObject({ code });
  });

  test('to a contact that opted out it is refused', async () => {
    const { personId, chargeId } = await debtWith({ phone: null });
    const contact = await createContact(world, personId, 'sms', '+5511987650000');
    await world.look("update dunning_contacts set consent = 'opted_out' where id = $1", [contact]);
    await expect(
      world.call('dunning_charges_notify', { id: chargeId, channel: 'sms', contact_id: contact }),
    ).rejects.toMatchObject({ code: 'contact_opted_out' });
  });
});

describe('dunning_notifications_cancel', () => {
  test('calls off what waits, once', async () => {
    const { chargeId } = await debtWith();
    const made = await world.call('dunning_charges_notify', { id: chargeId, channel: 'email' });
    const args = { id: made['id'] };
    const { message } = await world.ask('dunning_notifications_cancel', args);
    expect(message).toContain('a mensagem não será enviada');
    expect(await world.call('dunning_notifications_cancel', args)).toMatchObject({ status: 'canceled' });
    await expect(world.call('dunning_notifications_cancel', args)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled' },
    });
    // Its place of the day is free again.
    await world.call('dunning_charges_notify', { id: chargeId, channel: 'email' });
  });

  test('does not take back what is being sent', async () => {
    const { chargeId } = await debtWith();
    const made = await world.call('dunning_charges_notify', { id: chargeId, channel: 'email' });
    await world.look('update dunning_notifications set claimed_at = now() where id = $1', [made['id']]);
    await expect(world.call('dunning_notifications_cancel', { id: made['id'] })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'sending' },
    });
  });
});

describe('dunning_notifications_list and _get', () => {
  test('find messages by debtor, by any of their charges, by channel and state', async () => {
    const { personId, chargeId } = await debtWith();
    const other = await createCharge(world, { person_id: personId });
    const both = { person_id: personId, charge_ids: [chargeId, other], ...email };
    const made = await world.call('dunning_notifications_create', both);
    for (const filter of [
      { person_id: personId },
      { charge_id: chargeId },
      { charge_id: other },
      { person_id: personId, channel: 'email', status: 'queued', trigger: 'manual' },
      { person_id: personId, date_from: '2026-10-01', date_to: '2026-10-01' },
    ]) {
      const { items } = await world.call('dunning_notifications_list', filter);
      expect(items.map(({ id }: { id: string }) => id)).toEqual([made['id']]);
    }
    for (const filter of [
      { charge_id: other, status: 'sent' },
      { charge_id: other, date_to: '2026-09-30' },
      { charge_id: other, date_from: '2026-10-02' },
    ]) {
      const none = await world.call('dunning_notifications_list', filter);
      expect(none).toEqual({ items: [], next_cursor: null });
    }
  });

  test('pages are stable, newest first', async () => {
    const { items, next_cursor } = await world.call('dunning_notifications_list', { limit: 2 });
    const rest = await world.call('dunning_notifications_list', { limit: 100, cursor: next_cursor });
    const all = await world.call('dunning_notifications_list', { limit: 100 });
    expect([...items, ...rest['items']]).toEqual(all['items']);
  });

  test('hide a message from another organization', async () => {
    const { chargeId } = await debtWith();
    const { id } = await world.call('dunning_charges_notify', { id: chargeId, channel: 'email' });
    await expect(world.call('dunning_notifications_get', { id }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await world.call('dunning_notifications_list', {}, 'stranger'))['items']).toEqual([]);
  });
});

test('the plain reminder may be sent over every channel, in both languages', () => {
  for (const channel of ['email', 'sms', 'whatsapp', 'letter'] as const) {
    for (const language of ['pt-BR', 'en'] as const) {
      requireSendable({ channel, ...plainReminder(channel, language) });
    }
  }
});
