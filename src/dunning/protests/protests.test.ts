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

const pdf = Buffer.from('%PDF-1.7\n% entrega assinada\n');
const attachment = {
  name: '../notas/entrega.pdf',
  content_type: 'application/pdf',
  content: pdf.toString('base64'),
};

const get = (id: string) => world.call('dunning_protests_get', { id });
const eventsOf = async (id: string) =>
  (await world.call('dunning_protest_events_list', { protest_id: id, sort: 'at', limit: 100 }))['items'].map(
    ({ event }: any) => event,
  );
const requestsOf = (id: string) => legal.notary.requests.filter(({ request }) => request.actionKey === id);
const commandsOf = (id: string) => requestsOf(id).map(({ command }) => command);
const liveOf = (chargeId: string) =>
  world.look('select kind from dunning_live_legal_actions where charge_id = $1', [chargeId]);
const pay = (charge_id: string, amount = '100.00') =>
  world.call('dunning_payments_create', {
    charge_id,
    amount,
    paid_at: world.now().toISOString().slice(0, 10),
    method: 'pix',
  });
/** An approved protest that has left. */
const sent = async (day: string, digit = 0) => {
  world.setNow(`${day}T12:00:00Z`);
  const chargeId = await legal.charge({ digit });
  const id = await legal.approvedProtest(chargeId);
  await runDunningQueue(world, legal.gateways);
  return { chargeId, id };
};

describe('the whole way', () => {
  it('goes from the request to the protest; paid afterwards, the creditor consents and it is canceled', async () => {
    world.setNow('2026-10-05T12:00:00Z');
    const chargeId = await legal.charge();
    const asked = await world.call('dunning_protests_create', {
      charge_id: chargeId,
      title_kind: 'DM',
      document_attachment: attachment,
      expected_amount: '100.00',
    });
    expect(asked).toMatchObject({
      status: 'pending',
      amount: '100.00',
      title_kind: 'DM',
      document: { name: 'entrega.pdf', content_type: 'application/pdf' },
      notary: null,
    });
    const id = asked['id'];
    await legal.at('2026-10-05T13:00:00Z');
    expect(commandsOf(id)).toEqual([]);

    const decision = { id, status: 'approved', note: 'Conferido' };
    await world.call('dunning_protests_update', decision, 'colleague');
    await runDunningQueue(world, legal.gateways);
    expect([(await get(id))['status'], commandsOf(id)]).toEqual(['sent', ['send']]);
    const { request } = requestsOf(id)[0]!;
    expect(request).toMatchObject({
      titleKind: 'DM',
      amount: 10_000,
      creditor: { name: 'Aurora Credora Ltda' },
    });
    expect(Buffer.from((request as any).document.base64, 'base64')).toEqual(pdf);

    await legal.on('2026-10-06');
    expect(await get(id)).toMatchObject({
      status: 'notified',
      protocoled_on: '2026-10-05',
      notified_on: '2026-10-06',
      notice_kind: 'letter',
      deadline_on: '2026-10-09',
      notary: { city: 'São Paulo' },
    });
    await legal.on('2026-10-13');
    expect(await get(id)).toMatchObject({ status: 'protested', protested_on: '2026-10-13' });

    await pay(chargeId);
    await runDunningQueue(world, legal.gateways);
    expect(await get(id)).toMatchObject({ status: 'cancellation_authorized', status_reason: 'paid' });
    await legal.on('2026-10-14');
    expect(await get(id)).toMatchObject({
      status: 'canceled',
      costs: { amount: '84.50', paid_by: 'debtor' },
    });
    expect(commandsOf(id)).toEqual(['send', 'authorize_cancellation']);
    expect(await liveOf(chargeId)).toEqual([]);
    expect(await eventsOf(id)).toEqual([
      'requested',
      'approved',
      'send_taken',
      'protocoled',
      'notified',
      'protested',
      'cancellation_authorized',
      'authorize_cancellation_taken',
      'canceled',
    ]);
  });

  it('paid at the notary: the money is on the charge, once, and the protest is over', async () => {
    const { chargeId, id } = await sent('2026-10-19', 1);
    await legal.on('2026-10-22');
    await legal.on('2026-10-23');
    expect(await get(id)).toMatchObject({ status: 'paid_at_notary' });
    const { items } = await world.call('dunning_payments_list', { charge_id: chargeId });
    expect(items).toMatchObject([{ amount: '100.00', paid_at: '2026-10-22', method: 'notary' }]);
    expect((await world.call('dunning_charges_get', { id: chargeId }))['status']).toBe('paid');
    expect([await liveOf(chargeId), commandsOf(id)]).toEqual([[], ['send']]);
  });

  it('an irregular title comes back, a refused one too, and the charge is free again', async () => {
    const irregular = await sent('2026-10-19', 2);
    const refused = await sent('2026-10-19', 9);
    await legal.on('2026-10-20');
    expect(await get(irregular.id)).toMatchObject({
      status: 'returned',
      status_reason: 'returned_by_office',
    });
    expect(await get(refused.id)).toMatchObject({ status: 'returned', status_reason: 'refused_by_office' });
    expect([await liveOf(irregular.chargeId), await liveOf(refused.chargeId)]).toEqual([[], []]);
  });

  it('a suspension is lifted by a new notice, with a new deadline', async () => {
    const { id } = await sent('2026-10-19', 3);
    await legal.on('2026-10-21');
    expect((await get(id))['status']).toBe('suspended');
    await legal.on('2026-11-05');
    expect(await get(id)).toMatchObject({
      status: 'notified',
      notified_on: '2026-11-05',
      deadline_on: '2026-11-10',
    });
  });

  it('answers that come twice and the newest first bring the same end', async () => {
    const { id } = await sent('2026-10-19', 7);
    await legal.on('2026-10-26');
    await legal.on('2026-10-27');
    expect(await get(id)).toMatchObject({
      status: 'protested',
      protocoled_on: '2026-10-19',
      notified_on: '2026-10-20',
      protested_on: '2026-10-26',
    });
    expect((await eventsOf(id)).filter((event: string) => event === 'protested')).toHaveLength(1);
  });
});

describe('asking', () => {
  it('checks the title and the proof of the debt too', async () => {
    world.setNow('2026-10-20T12:00:00Z');
    const chargeId = await legal.charge({ address: null });
    const failedOf = async (more: object) => {
      const { checks } = await world.call('dunning_protests_check', { charge_id: chargeId, ...more });
      return checks.filter(({ is_met }: any) => !is_met).map(({ code }: any) => code);
    };
    expect(await failedOf({})).toEqual(['address_complete', 'title_protestable', 'proof_of_debt']);
    expect(await failedOf({ title_kind: 'CTR' })).toEqual(['address_complete', 'proof_of_debt']);
    expect(await failedOf({ title_kind: 'CTR', has_document: true })).toEqual(['address_complete']);
    const create = { charge_id: await legal.charge(), title_kind: 'NP' };
    await expect(world.call('dunning_protests_create', create)).rejects.toMatchObject({
      code: 'legal_check_failed',
      details: { failed: ['proof_of_debt'] },
    });
  });

  it.each([
    ['other bytes than it says', { ...attachment, content_type: 'image/png' }],
    ['no base64', { ...attachment, content: 'não é' }],
    ['base64 that is not the only one of its bytes', { ...attachment, content: 'JVBERi1=' }],
    ['an unknown type', { ...attachment, content_type: 'text/html' }],
    [
      'more than 2 MiB',
      { ...attachment, content: Buffer.alloc(2 * 1024 * 1024 + 1, '%PDF-').toString('base64') },
    ],
  ])('refuses a document with %s', async (_what, document_attachment) => {
    const args = { charge_id: await legal.charge(), title_kind: 'DM', document_attachment };
    await expect(world.call('dunning_protests_create', args)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('the question names debtor, title, amount and document', async () => {
    const chargeId = await legal.charge();
    const args = { charge_id: chargeId, title_kind: 'DM', document_attachment: attachment };
    const { message } = await world.ask('dunning_protests_create', args);
    for (const part of ['DM', 'R$ 100,00', '"entrega.pdf"']) expect(message).toContain(part);
  });

  it('hides another organization', async () => {
    const { id } = await world.call('dunning_protests_create', {
      charge_id: await legal.charge(),
      title_kind: 'DMI',
    });
    const missing = { code: 'not_found' };
    for (const [name, input] of [
      ['get', { id }],
      ['update', { id, status: 'approved', note: 'x' }],
      ['cancel', { id, reason: 'x' }],
    ] as const) {
      await expect(world.call(`dunning_protests_${name}`, input, 'stranger')).rejects.toMatchObject(missing);
    }
    const events = { protest_id: id };
    await expect(world.call('dunning_protest_events_list', events, 'stranger')).rejects.toMatchObject(
      missing,
    );
    expect((await world.call('dunning_protests_list', {}, 'stranger'))['items']).toEqual([]);
    const listed = await world.call('dunning_protests_list', { status: 'pending', limit: 1 });
    expect(listed['items'][0].id).toBe(id);
  });
});

describe('deciding and calling off', () => {
  it('MODEL §14.17: takes another person, and looks at every rule again', async () => {
    world.setNow('2026-10-20T12:00:00Z');
    const chargeId = await legal.charge();
    const { id } = await world.call('dunning_protests_create', { charge_id: chargeId, title_kind: 'DMI' });
    const decision = { id, status: 'approved', note: 'ok' };
    await expect(world.call('dunning_protests_update', decision)).rejects.toMatchObject({
      code: 'same_person_approval',
    });
    await expect(world.call('dunning_protests_update', decision, 'collector')).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|insufficient_scope/),
    });
    await world.call('dunning_charges_pause', { id: chargeId, reason: 'Em conversa' });
    await expect(world.call('dunning_protests_update', decision, 'colleague')).rejects.toMatchObject({
      code: 'legal_check_failed',
      details: { failed: ['not_paused'] },
    });
    const rejected = { ...decision, status: 'rejected' };
    expect(await world.call('dunning_protests_update', rejected, 'colleague')).toMatchObject({
      status: 'rejected',
    });
    expect(await liveOf(chargeId)).toEqual([]);
  });

  it('paid before it left: canceled, and the office never hears of it', async () => {
    world.setNow('2026-10-20T12:00:00Z');
    const chargeId = await legal.charge();
    const id = await legal.approvedProtest(chargeId);
    await pay(chargeId);
    await legal.at('2026-10-20T12:10:00Z');
    expect(await get(id)).toMatchObject({ status: 'canceled', status_reason: 'paid' });
    expect([await liveOf(chargeId), commandsOf(id)]).toEqual([[], []]);
  });

  it('paid or disputed at the office: withdrawn before the protest', async () => {
    const paid = await sent('2026-10-20');
    const disputed = await sent('2026-10-20');
    await legal.on('2026-10-21');
    await pay(paid.chargeId);
    await world.call('dunning_disputes_create', {
      charge_id: disputed.chargeId,
      reason: 'not_delivered',
      description: 'Não recebi.',
    });
    await runDunningQueue(world, legal.gateways);
    expect(await get(paid.id)).toMatchObject({ status: 'notified', status_reason: 'paid' });
    await legal.on('2026-10-22');
    for (const { id, chargeId } of [paid, disputed]) {
      expect(await get(id)).toMatchObject({
        status: 'withdrawn',
        costs: { amount: '84.50', paid_by: 'creditor' },
      });
      expect([await liveOf(chargeId), commandsOf(id)]).toEqual([[], ['send', 'withdraw']]);
    }
  });

  it('a person withdraws before the protest, and consents to cancel after it', async () => {
    const early = await sent('2026-10-20');
    await world.call('dunning_protests_cancel', { id: early.id, reason: 'Negociando' });
    await legal.on('2026-10-21');
    expect((await get(early.id))['status']).toMatch(/withdrawn|canceled/);
    const late = await sent('2026-10-21');
    await legal.on('2026-10-28');
    expect((await get(late.id))['status']).toBe('protested');
    const { message } = await world.ask('dunning_protests_cancel', { id: late.id, reason: 'Acordo' });
    expect(message).toContain('anuência');
    const consented = await world.call('dunning_protests_cancel', { id: late.id, reason: 'Acordo' });
    expect(consented).toMatchObject({ status: 'cancellation_authorized', status_reason: 'requested' });
    await expect(
      world.call('dunning_protests_cancel', { id: late.id, reason: 'de novo' }),
    ).rejects.toMatchObject({ code: 'invalid_state' });
    await legal.on('2026-10-29');
    expect((await get(late.id))['status']).toBe('canceled');
  });

  it('a protest that was quicker than the withdrawal is consented to', async () => {
    const { chargeId, id } = await sent('2026-10-19');
    // Nobody asks the office for days; the protest is on the 26th.
    world.setNow('2026-10-26T16:00:00Z');
    await pay(chargeId);
    await runDunningQueue(world, legal.gateways);
    expect(await get(id)).toMatchObject({ status: 'sent', status_reason: 'paid' });
    await legal.at('2026-10-26T17:00:00Z');
    await legal.on('2026-10-27');
    await legal.on('2026-10-28');
    expect(await get(id)).toMatchObject({ status: 'canceled', status_reason: 'paid' });
    expect(commandsOf(id)).toEqual(['send', 'withdraw', 'authorize_cancellation']);
  });
});

it('the rule of the charge waits while the title is at the office, and goes on after the protest', async () => {
  world.setNow('2026-10-19T12:00:00Z');
  const rule = await world.call('dunning_collection_rules_create', { name: 'Padrão' });
  const chargeId = await legal.charge();
  await world.look(
    "update dunning_charges set collection_rule_id = $2, rule_started_at = now(), dunning_state = 'active' where id = $1",
    [chargeId, rule['id']],
  );
  const stateOf = async () => {
    const { dunning_state, paused_reason } = await world.call('dunning_charges_get', { id: chargeId });
    return [dunning_state, paused_reason];
  };
  await legal.approvedProtest(chargeId);
  expect(await stateOf()).toEqual(['paused', 'legal']);
  await legal.on('2026-10-20');
  expect(await stateOf()).toEqual(['paused', 'legal']);
  await legal.on('2026-10-26');
  expect(await stateOf()).toEqual(['active', null]);
});

describe('an office that is hard to reach', () => {
  it.each([
    [4, 'the first call fails'],
    [5, 'the connection breaks before it arrived'],
    [6, 'the connection breaks after it arrived'],
  ])('digit %s: %s, and the title is there once', async (digit) => {
    const { id } = await sent('2026-10-19', digit);
    await runDunningJob(world, legal.gateways, 'dunning_send_protests');
    await legal.at('2026-10-19T12:20:00Z');
    await legal.at('2026-10-19T12:30:00Z');
    expect([commandsOf(id), (await get(id))['status']]).toEqual([['send'], 'sent']);
    await legal.on('2026-10-19');
    expect((await get(id))['status']).toBe('protocoled');
  });
});
