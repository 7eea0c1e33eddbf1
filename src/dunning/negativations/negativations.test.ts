import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDunningJob, runDunningQueue } from '../../../test/support/dunning.ts';
import { type LegalWorld, openLegalWorld } from '../../../test/support/legal.ts';
import type { World } from '../../../test/support/world.ts';

let legal: LegalWorld;
let world: World;

beforeAll(async () => {
  legal = await openLegalWorld();
  world = legal.world;
});
afterAll(() => world.close());

const get = (id: string) => world.call('dunning_negativations_get', { id });
const eventsOf = async (id: string) =>
  (await world.call('dunning_negativation_events_list', { negativation_id: id, sort: 'at', limit: 100 }))[
    'items'
  ].map(({ event }: any) => event);
const commandsOf = (id: string) =>
  legal.bureau.requests.filter(({ request }) => request.actionKey === id).map(({ command }) => command);
const liveOf = (chargeId: string) =>
  world.look('select kind from dunning_live_legal_actions where charge_id = $1', [chargeId]);
const pay = (charge_id: string, amount = '100.00') =>
  world.call('dunning_payments_create', {
    charge_id,
    amount,
    paid_at: world.now().toISOString().slice(0, 10),
    method: 'pix',
  });

describe('the whole way', () => {
  it('goes from the request over notice and waiting to the registration, and is removed when the debt is paid', async () => {
    world.setNow('2026-10-01T12:00:00Z');
    const chargeId = await legal.charge({ state: 'SC' });
    const asked = await world.call('dunning_negativations_create', {
      charge_id: chargeId,
      bureau: 'serasa',
      reason: 'Sem resposta',
      expected_amount: '100.00',
    });
    expect(asked).toMatchObject({
      status: 'pending',
      amount: '100.00',
      debt_due_date: '2026-09-01',
      expires_on: '2031-09-01',
      prior_notice: null,
      version: 1,
    });
    const id = asked['id'];
    expect((await world.call('dunning_charges_get', { id: chargeId }))['legal_action']).toBe('negativation');
    await legal.on('2026-10-04');
    expect([(await get(id))['status'], commandsOf(id)]).toEqual(['pending', []]);

    const decision = { id, status: 'approved', note: 'Conferido' };
    const approved = await world.call('dunning_negativations_update', decision, 'colleague');
    expect(approved).toMatchObject({
      status: 'approved',
      prior_notice: { channel: 'letter', sent_at: null },
    });
    await legal.at('2026-10-05T15:00:00Z');
    const noticed = await get(id);
    expect(noticed).toMatchObject({
      status: 'notice_sent',
      prior_notice: { channel: 'letter', evidence: 'posted', waiting_days: 10, ends_on: '2026-10-15' },
    });
    expect(legal.messages.sent.at(-1)).toMatchObject({ channel: 'letter' });
    expect(legal.messages.sent.at(-1)!.text).toContain('Serasa');

    await legal.on('2026-10-15');
    expect([(await get(id))['status'], commandsOf(id)]).toEqual(['notice_sent', []]);
    await legal.on('2026-10-16');
    expect(commandsOf(id)).toEqual(['register']);
    expect(await get(id)).toMatchObject({ status: 'registered', status_reason: null });
    expect((await get(id))['bureau_reference']).toMatch(/^SIM/);

    await pay(chargeId);
    await legal.at('2026-10-19T12:00:00Z');
    expect(await get(id)).toMatchObject({
      status: 'removal_requested',
      removal: { reason: 'paid', deadline: '2026-10-23', done_at: null },
    });
    await legal.at('2026-10-19T13:00:00Z');
    expect(await get(id)).toMatchObject({ status: 'removed', status_reason: 'paid' });
    expect(commandsOf(id)).toEqual(['register', 'remove']);
    expect(await liveOf(chargeId)).toEqual([]);
    expect(await eventsOf(id)).toEqual([
      'requested',
      'approved',
      'notice_queued',
      'notice_sent',
      'notice_proven',
      'registration_asked',
      'registration_sent',
      'registered',
      'removal_requested',
      'removal_sent',
      'removed',
    ]);
  });

  it('the bureau is told what was frozen, and who owes whom', async () => {
    const { request } = legal.bureau.requests.find(({ command }) => command === 'register')!;
    expect(request).toMatchObject({
      bureau: 'serasa',
      amount: 10_000,
      debtDueDate: '2026-09-01',
      expiresOn: '2031-09-01',
      notice: { channel: 'letter', endsOn: '2026-10-15' },
      creditor: { name: 'Aurora Credora Ltda' },
      debtor: { kind: 'legal', address: { city: 'São Paulo' } },
    });
  });
});

describe('asking', () => {
  it('checks every rule and gives the first day', async () => {
    world.setNow('2026-10-20T12:00:00Z');
    const chargeId = await legal.charge({ state: 'MT', due_date: '2026-10-20' });
    const check = await world.call('dunning_negativations_check', { charge_id: chargeId, bureau: 'spc' });
    expect(check).toMatchObject({ is_allowed: false, earliest_date: '2026-10-21', waiting_days: 45 });
    expect(check['checks'].filter(({ is_met }: any) => !is_met)).toEqual([
      {
        code: 'days_overdue',
        is_met: false,
        meaning: 'The charge is overdue for as long as the settings ask.',
      },
    ]);
  });

  it('PITFALLS 57, MODEL §14.13: a charge has one live action: a second report, or a protest, is refused', async () => {
    const chargeId = await legal.charge();
    const { id } = await world.call('dunning_negativations_create', { charge_id: chargeId, bureau: 'spc' });
    const exists = {
      code: 'legal_action_exists',
      details: { failed: ['no_other_action'], kind: 'negativation', id },
    };
    const again = { charge_id: chargeId, bureau: 'serasa' };
    await expect(world.call('dunning_negativations_create', again)).rejects.toMatchObject(exists);
    const protest = { charge_id: chargeId, title_kind: 'DMI' };
    await expect(world.call('dunning_protests_create', protest)).rejects.toMatchObject(exists);
  });

  it('refuses another amount than the one seen, a disputed charge, and a debt of more than five years', async () => {
    const create = (charge_id: string, more: object = {}) =>
      world.call('dunning_negativations_create', { charge_id, bureau: 'quod', ...more });
    const chargeId = await legal.charge();
    await expect(create(chargeId, { expected_amount: '99.99' })).rejects.toMatchObject({
      code: 'amount_changed',
      details: { expected: '99.99', actual: '100.00' },
    });
    await world.call('dunning_disputes_create', {
      charge_id: chargeId,
      reason: 'already_paid',
      description: 'Paguei em setembro.',
    });
    await expect(create(chargeId)).rejects.toMatchObject({ code: 'charge_disputed' });
    const old = await legal.charge({ due_date: '2021-10-01' });
    await expect(create(old)).rejects.toMatchObject({ code: 'debt_too_old' });
    const unnamed = await legal.charge({ document_number: null });
    await expect(create(unnamed)).rejects.toMatchObject({
      code: 'legal_check_failed',
      details: { failed: ['document_valid'] },
    });
    await expect(create(chargeId, { bureau: 'outro' })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await liveOf(old)).toEqual([]);
  });

  it('hides another organization: its charge and its report are not found', async () => {
    const chargeId = await legal.charge();
    const args = { charge_id: chargeId, bureau: 'serasa' };
    const missing = { code: 'not_found' };
    await expect(world.call('dunning_negativations_create', args, 'stranger')).rejects.toMatchObject(missing);
    await expect(world.call('dunning_negativations_check', args, 'stranger')).rejects.toMatchObject(missing);
    const { id } = await world.call('dunning_negativations_create', args);
    for (const [name, input] of [
      ['get', { id }],
      ['update', { id, status: 'approved', note: 'x' }],
      ['cancel', { id, reason: 'x' }],
    ] as const) {
      await expect(world.call(`dunning_negativations_${name}`, input, 'stranger')).rejects.toMatchObject(
        missing,
      );
    }
    const events = { negativation_id: id };
    await expect(world.call('dunning_negativation_events_list', events, 'stranger')).rejects.toMatchObject(
      missing,
    );
    expect((await world.call('dunning_negativations_list', {}, 'stranger'))['items']).toEqual([]);
  });

  it('the question names debtor, document, amount, bureau and what follows', async () => {
    const chargeId = await legal.charge({ name: 'Devedora "X" Ltda' });
    const args = { charge_id: chargeId, bureau: 'boavista' };
    const { message } = await world.ask('dunning_negativations_create', args);
    for (const part of ['"Devedora \\"X\\" Ltda"', 'Boa Vista', 'R$ 100,00', 'até que outra pessoa aprove']) {
      expect(message).toContain(part);
    }
  });

  it('lists by status, bureau, debtor and charge, page by page', async () => {
    const chargeId = await legal.charge();
    const { id, person } = await world.call('dunning_negativations_create', {
      charge_id: chargeId,
      bureau: 'boavista',
    });
    const list = async (filter: object) =>
      (await world.call('dunning_negativations_list', filter))['items'].map((item: any) => item.id);
    expect(await list({ charge_id: chargeId })).toEqual([id]);
    expect(await list({ person_id: person.id, status: 'pending' })).toEqual([id]);
    expect(await list({ charge_id: chargeId, bureau: 'spc' })).toEqual([]);
    const first = await world.call('dunning_negativations_list', { limit: 1, sort: 'created_at' });
    const cursor = first['next_cursor'];
    const [second] = await list({ limit: 1, sort: 'created_at', cursor });
    expect([second === undefined, second === first['items'][0].id]).toEqual([false, false]);
  });
});

describe('deciding', () => {
  it('MODEL §14.17: takes another person, who may approve; collectors may only ask', async () => {
    const chargeId = await legal.charge();
    const args = { charge_id: chargeId, bureau: 'serasa' };
    const { id } = await world.call('dunning_negativations_create', args, 'collector');
    const decision = { id, status: 'approved', note: 'ok' };
    await expect(world.call('dunning_negativations_update', decision, 'collector')).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|insufficient_scope/),
    });
    const own = await world.call('dunning_negativations_create', {
      charge_id: await legal.charge(),
      bureau: 'spc',
    });
    for (const status of ['approved', 'rejected']) {
      const args = { id: own['id'], status, note: 'eu mesma' };
      await expect(world.call('dunning_negativations_update', args)).rejects.toMatchObject({
        code: 'same_person_approval',
      });
    }
    expect(await world.call('dunning_negativations_update', decision)).toMatchObject({ status: 'approved' });
    await expect(world.call('dunning_negativations_update', decision)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'approved', allowed: ['pending'] },
    });
  });

  it('a rejected one ends, and the charge is free for another', async () => {
    const chargeId = await legal.charge();
    const { id } = await world.call('dunning_negativations_create', { charge_id: chargeId, bureau: 'spc' });
    const rejected = await world.call(
      'dunning_negativations_update',
      { id, status: 'rejected', note: 'Cliente antigo' },
      'colleague',
    );
    expect(rejected).toMatchObject({
      status: 'rejected',
      approved_by: null,
      decision_note: 'Cliente antigo',
    });
    expect(await liveOf(chargeId)).toEqual([]);
    await world.call('dunning_negativations_create', { charge_id: chargeId, bureau: 'serasa' });
  });

  it('all rules are looked at again: what was paid meanwhile is not approved', async () => {
    const chargeId = await legal.charge();
    const { id } = await world.call('dunning_negativations_create', { charge_id: chargeId, bureau: 'spc' });
    await pay(chargeId, '60.00');
    const decision = { id, status: 'approved', note: 'ok' };
    await expect(world.call('dunning_negativations_update', decision, 'colleague')).rejects.toMatchObject({
      code: 'legal_check_failed',
      details: { failed: ['amount_still_owed'] },
    });
  });
});

describe('the prior notice', () => {
  it('PITFALLS 55: a bounced e-mail is no notice; the next channel is tried, and the days count from its proof', async () => {
    world.setNow('2026-10-05T15:00:00Z');
    const chargeId = await legal.charge({ state: 'SC', address: null, email: 'bounce@example.com' });
    const id = await legal.approvedReport(chargeId);
    expect((await get(id))['prior_notice']).toMatchObject({ channel: 'email' });
    await legal.at('2026-10-05T15:01:00Z');
    expect(await get(id)).toMatchObject({
      status: 'notice_sent',
      prior_notice: { evidence: null, ends_on: null },
    });
    await legal.at('2026-10-05T15:10:00Z');
    expect((await get(id))['prior_notice']).toMatchObject({
      channel: 'whatsapp',
      tried: [{ channel: 'email', outcome: 'bounced' }],
    });
    // The debtor has had the one message of the day: it waits for the next one.
    await legal.on('2026-10-06');
    expect((await get(id))['prior_notice']).toMatchObject({
      channel: 'whatsapp',
      evidence: 'delivered',
      waiting_days: 10,
      ends_on: '2026-10-16',
    });
    await legal.on('2026-10-16');
    expect(commandsOf(id)).toEqual([]);
    await legal.on('2026-10-17');
    expect(commandsOf(id)).toEqual(['register']);
  });

  it('that reached somebody else is no notice, even when its delivery is proven', async () => {
    world.setNow('2026-10-05T15:00:00Z');
    const chargeId = await legal.charge({
      state: 'SC',
      address: null,
      email: 'outra@example.com',
      phone: null,
    });
    const id = await legal.approvedReport(chargeId);
    await legal.at('2026-10-05T15:01:00Z');
    await legal.at('2026-10-05T15:10:00Z');
    const { prior_notice } = await get(id);
    expect(prior_notice).toMatchObject({ evidence: 'delivered', ends_on: '2026-10-15' });
    await world.call('dunning_person_contacts_update', {
      id: prior_notice.contact_id,
      validity: 'wrong_person',
    });
    await legal.on('2026-10-16');
    await legal.on('2026-10-17');
    expect(commandsOf(id)).toEqual([]);
    expect(await get(id)).toMatchObject({
      status: 'notice_sent',
      prior_notice: { evidence: null, ends_on: null, tried: [{ channel: 'email', outcome: 'wrong_person' }] },
    });
  });

  it('waits no less than the days it names, whatever is changed after it was written', async () => {
    world.setNow('2026-10-05T15:00:00Z');
    const chargeId = await legal.charge({ state: 'SP' });
    const id = await legal.approvedReport(chargeId);
    const { person } = await get(id);
    await world.call('dunning_people_update', {
      id: person.id,
      address: { street: 'Rua Nova', number: '1', city: 'Joinville', state: 'SC', postal_code: '89201000' },
    });
    await legal.at('2026-10-05T15:01:00Z');
    expect(legal.messages.sent.at(-1)!.text).toContain('20 dias');
    expect((await get(id))['prior_notice']).toMatchObject({ waiting_days: 20, ends_on: '2026-10-25' });
  });

  it('one that is never proven registers nothing, and another way is taken after a week', async () => {
    world.setNow('2026-11-03T15:00:00Z');
    const chargeId = await legal.charge({
      state: 'SC',
      address: null,
      email: 'silent@example.com',
      phone: null,
    });
    const id = await legal.approvedReport(chargeId);
    await legal.at('2026-11-03T16:00:00Z');
    await legal.on('2026-11-11');
    await legal.on('2026-11-30');
    expect(await get(id)).toMatchObject({
      status: 'notice_sent',
      status_reason: 'no_notice_channel',
      prior_notice: { tried: [{ channel: 'email', outcome: 'unproven' }] },
    });
    expect(commandsOf(id)).toEqual([]);
  });

  it('with no way to tell the debtor it stays approved and says so; a contact added later is tried', async () => {
    world.setNow('2026-12-01T15:00:00Z');
    const chargeId = await legal.charge({ state: 'SC', address: null, email: null });
    const { id } = await world.call('dunning_negativations_create', { charge_id: chargeId, bureau: 'spc' });
    await world.look("update dunning_contacts set consent = 'opted_out' where person_id = $1", [
      (await get(id))['person'].id,
    ]);
    // The check looks for a contact that may be used.
    await expect(
      world.call('dunning_negativations_update', { id, status: 'approved', note: 'ok' }, 'colleague'),
    ).rejects.toMatchObject({ details: { failed: ['notice_possible'] } });
    await world.look("update dunning_contacts set consent = 'unknown' where person_id = $1", [
      (await get(id))['person'].id,
    ]);
    await world.look('update dunning_people set do_not_contact = true where id = $1', [
      (await get(id))['person'].id,
    ]);
    await world.call('dunning_negativations_update', { id, status: 'approved', note: 'ok' }, 'colleague');
    expect(await get(id)).toMatchObject({ status: 'approved', status_reason: 'no_notice_channel' });
    await world.look('update dunning_people set do_not_contact = false where id = $1', [
      (await get(id))['person'].id,
    ]);
    await legal.on('2026-12-02');
    expect(await get(id)).toMatchObject({ status: 'notice_sent', status_reason: null });
  });
});

describe('what happens meanwhile', () => {
  const until = async (status: string, fields: object = {}) => {
    world.setNow('2027-01-04T15:00:00Z');
    const chargeId = await legal.charge({ state: 'SC', ...fields });
    if (status === 'pending') {
      const args = { charge_id: chargeId, bureau: 'serasa' };
      return { chargeId, id: (await world.call('dunning_negativations_create', args))['id'] as string };
    }
    const id = await legal.approvedReport(chargeId);
    if (status === 'approved') return { chargeId, id };
    await legal.at('2027-01-04T16:00:00Z');
    if (status === 'registered') await legal.on('2027-01-15');
    expect((await get(id))['status']).toBe(status);
    return { chargeId, id };
  };

  it.each(['pending', 'approved', 'notice_sent'])(
    'paid while %s: canceled with the reason, the bureau never asked',
    async (status) => {
      const { chargeId, id } = await until(status);
      await pay(chargeId);
      await legal.at('2027-01-04T17:00:00Z');
      expect(await get(id)).toMatchObject({ status: 'canceled', status_reason: 'paid' });
      await legal.on('2027-01-20');
      expect(commandsOf(id)).toEqual([]);
      expect(await liveOf(chargeId)).toEqual([]);
    },
  );

  it('disputed before the registration: canceled; disputed after it: stays until the dispute is upheld', async () => {
    const dispute = (charge_id: string) =>
      world.call('dunning_disputes_create', { charge_id, reason: 'quality', description: 'Não serve.' });
    const early = await until('notice_sent');
    await dispute(early.chargeId);
    await legal.at('2027-01-04T17:00:00Z');
    expect(await get(early.id)).toMatchObject({ status: 'canceled', status_reason: 'disputed' });

    const late = await until('registered');
    const { id } = await dispute(late.chargeId);
    await legal.at('2027-01-15T17:00:00Z');
    expect((await get(late.id))['status']).toBe('registered');
    await world.call('dunning_disputes_update', { id, status: 'upheld', resolution: 'Procede.' });
    await legal.at('2027-01-15T18:00:00Z');
    expect(await get(late.id)).toMatchObject({
      status: 'removal_requested',
      removal: { reason: 'dispute_upheld' },
    });
  });

  it('a notice that waits is called off with the report', async () => {
    world.setNow('2027-02-06T20:00:00Z');
    const chargeId = await legal.charge({ state: 'SP', address: null });
    const id = await legal.approvedReport(chargeId);
    // A Saturday afternoon: it waits for the Monday.
    const notice = (await get(id))['prior_notice'];
    await world.call('dunning_negativations_cancel', { id, reason: 'Negociando' });
    expect(await world.call('dunning_notifications_get', { id: notice.notification_id })).toMatchObject({
      status: 'canceled',
    });
    expect(await get(id)).toMatchObject({ status: 'canceled', status_reason: 'requested' });
  });

  it('canceled after the registration: removed by the bureau; a second cancel is refused', async () => {
    const { id } = await until('registered');
    const removing = await world.call('dunning_negativations_cancel', { id, reason: 'Erro nosso' });
    expect(removing).toMatchObject({
      status: 'removal_requested',
      removal: { reason: 'requested', deadline: '2027-01-22' },
    });
    await expect(world.call('dunning_negativations_cancel', { id, reason: 'de novo' })).rejects.toMatchObject(
      { code: 'invalid_state' },
    );
    await legal.on('2027-01-16');
    expect((await get(id))['status']).toBe('removed');
    expect(commandsOf(id)).toEqual(['register', 'remove']);
  });

  it('the business day before the deadline of a removal somebody is warned, once', async () => {
    const { chargeId, id } = await until('registered');
    await pay(chargeId);
    await runDunningQueue(world, legal.gateways);
    // Registered on Friday the 15th and paid on that day: due on the next one.
    expect((await get(id))['removal'].deadline).toBe('2027-01-22');
    for (const day of ['20', '21', '21', '22']) {
      world.setNow(`2027-01-${day}T03:10:00Z`);
      expect(await runDunningJob(world, legal.gateways, 'dunning_negativations_daily')).toBeUndefined();
      const warnings = (await eventsOf(id)).filter((event: string) => event === 'removal_due');
      expect(warnings.length).toBe(day === '20' ? 0 : 1);
    }
    await legal.at('2027-01-22T12:00:00Z');
    expect((await get(id))['status']).toBe('removed');
  });

  it('the law asks for a removal at five years: asked for in time, over on the day', async () => {
    world.setNow('2027-03-01T15:00:00Z');
    const chargeId = await legal.charge({ state: 'SC', due_date: '2022-03-25' });
    const id = await legal.approvedReport(chargeId);
    await legal.at('2027-03-01T16:00:00Z');
    await legal.on('2027-03-17');
    expect((await get(id))['status']).toBe('registered');
    await legal.on('2027-03-18');
    expect(await get(id)).toMatchObject({
      status: 'removed',
      removal: { reason: 'expired', deadline: '2027-03-25' },
    });
  });

  it('a debt that would be too old by the end of the waiting is never registered', async () => {
    world.setNow('2027-04-01T15:00:00Z');
    const chargeId = await legal.charge({ state: 'MT', due_date: '2022-05-02' });
    const id = await legal.approvedReport(chargeId);
    await legal.at('2027-04-01T16:00:00Z');
    await legal.on('2027-05-02');
    expect((await get(id))['status']).toBe('notice_sent');
    await legal.on('2027-05-03');
    expect(await get(id)).toMatchObject({ status: 'canceled', status_reason: 'no_longer_allowed' });
    expect(commandsOf(id)).toEqual([]);
  });
});
