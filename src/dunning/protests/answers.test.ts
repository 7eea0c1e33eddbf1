/** What notary offices say where the simulated one has no case for it. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { runDunningJob, runDunningQueue } from '../../../test/support/dunning.ts';
import { type LegalWorld, openLegalWorld } from '../../../test/support/legal.ts';
import { scriptedNotary } from '../../../test/support/scripted-offices.ts';
import type { World } from '../../../test/support/world.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';

let legal: LegalWorld;
let world: World;

beforeAll(async () => {
  legal = await openLegalWorld();
  world = legal.world;
});
afterAll(() => world.close());

const get = (id: string) => world.call('dunning_protests_get', { id });
const collect = 'dunning_collect_notary_answers';
const daily = 'dunning_protests_daily';
const run = async (gateways: DunningGateways, ...tasks: string[]) => {
  for (const task of tasks) expect(await runDunningJob(world, gateways, task)).toBeUndefined();
  await runDunningQueue(world, gateways);
};

/** A title that the scripted office has, with a protocol. */
async function protocoled() {
  const notary = scriptedNotary();
  const gateways = { ...legal.gateways, notary };
  world.setNow('2026-10-05T15:00:00Z');
  const chargeId = await legal.charge();
  const id = await legal.approvedProtest(chargeId);
  await run(gateways);
  world.setNow('2026-10-05T18:00:00Z');
  notary.tell({ key: notary.keyOf('send'), at: world.now(), on: '2026-10-05', protocol: 'P\u0000-1\u202E' });
  await run(gateways, collect);
  expect(await get(id)).toMatchObject({ status: 'protocoled', protocol: 'P-1' });
  return { notary, gateways, chargeId, id };
}

async function protestedTitle() {
  const known = await protocoled();
  const { notary } = known;
  world.setNow('2026-10-14T18:00:00Z');
  notary.tell({ key: notary.keyOf('send'), at: world.now(), on: '2026-10-14', status: 'protested' });
  await run(known.gateways, collect);
  expect((await get(known.id))['status']).toBe('protested');
  return known;
}

it('money at the notary on a charge in agreement is told, and moves nothing of it', async () => {
  const { notary, gateways, chargeId, id } = await protocoled();
  const { person } = await world.call('dunning_charges_get', { id: chargeId });
  const agreement = await world.call('dunning_agreements_create', {
    person_id: person.id,
    charge_ids: [chargeId],
    negotiated_total: '100.00',
    plan: { installments: 2, first_due_date: '2026-11-05' },
    valid_until: '2026-10-30',
  });
  await world.call('dunning_agreements_accept', { id: agreement['id'], accepted_by: 'Devedora' });
  await run(gateways);
  expect([notary.asked.at(-1)!.command, (await get(id))['status_reason']]).toEqual([
    'withdraw',
    'in_agreement',
  ]);
  notary.tell({
    key: notary.keyOf('send'),
    at: world.now(),
    on: '2026-10-05',
    status: 'paid_at_notary',
    paidAmount: 10_000,
  });
  await run(gateways, collect);
  const told = await get(id);
  expect(told['status']).toBe('paid_at_notary');
  expect(told['events'][0]).toMatchObject({
    event: 'payment_not_recorded',
    details: { code: 'charge_in_agreement' },
  });
  expect((await world.call('dunning_charges_get', { id: chargeId }))['status']).toBe('in_agreement');
});

it('a withdrawal that is refused is asked for again the next day', async () => {
  const { notary, gateways, chargeId, id } = await protocoled();
  await world.call('dunning_disputes_create', {
    charge_id: chargeId,
    reason: 'fraud',
    description: 'Não fui eu.',
  });
  await run(gateways);
  const first = notary.keyOf('withdraw');
  notary.tell({
    key: first,
    at: world.now(),
    on: '2026-10-05',
    status: 'refused',
    reason: 'fora do horário',
  });
  await run(gateways, collect);
  expect(await get(id)).toMatchObject({ status: 'protocoled', status_reason: 'disputed' });
  world.setNow('2026-10-06T03:10:00Z');
  await run(gateways, daily);
  const second = notary.keyOf('withdraw');
  expect(second).not.toBe(first);
  // Asking again while that one waits changes nothing.
  await run(gateways, daily);
  expect(notary.keyOf('withdraw')).toBe(second);
  notary.tell({ key: second, at: world.now(), on: '2026-10-06', status: 'withdrawn', protocol: 'P-1' });
  await run(gateways, collect);
  expect((await get(id))['status']).toBe('withdrawn');
});

it('a consent that is refused is given again the next day', async () => {
  const { notary, gateways, id } = await protestedTitle();
  await world.call('dunning_protests_cancel', { id, reason: 'Acordo' });
  await run(gateways);
  const first = notary.keyOf('authorize_cancellation');
  notary.tell({ key: first, at: world.now(), on: '2026-10-14', status: 'refused' });
  await run(gateways, collect);
  expect((await get(id))['status']).toBe('cancellation_authorized');
  world.setNow('2026-10-15T03:10:00Z');
  await run(gateways, daily);
  const second = notary.keyOf('authorize_cancellation');
  expect(second).not.toBe(first);
  const costs = { amount: 8_450, paidBy: 'debtor' } as const;
  notary.tell({ key: second, at: world.now(), on: '2026-10-15', status: 'canceled', costs });
  await run(gateways, collect);
  expect(await get(id)).toMatchObject({ status: 'canceled', costs: { amount: '84.50', paid_by: 'debtor' } });
});

it('a protest stays through a dispute and an agreement, and ends when the debt is paid', async () => {
  const { notary, gateways, chargeId, id } = await protestedTitle();
  await world.call('dunning_disputes_create', { charge_id: chargeId, reason: 'quality', description: 'x' });
  await run(gateways, daily);
  expect((await get(id))['status']).toBe('protested');
  await world.call('dunning_payments_create', {
    charge_id: chargeId,
    amount: '100.00',
    paid_at: '2026-10-14',
    method: 'pix',
  });
  await run(gateways);
  expect((await get(id))['status']).toBe('cancellation_authorized');
  expect(notary.asked.map(({ command }) => command)).toEqual(['send', 'authorize_cancellation']);
});

it('a title whose sending waits for the charge goes when the charge does', async () => {
  world.setNow('2026-10-05T15:00:00Z');
  const chargeId = await legal.charge();
  const id = await legal.approvedProtest(chargeId);
  await world.call('dunning_charges_pause', { id: chargeId, reason: 'Em conversa' });
  await runDunningQueue(world, legal.gateways);
  expect(await get(id)).toMatchObject({ status: 'approved', status_reason: 'not_paused' });
  await world.call('dunning_charges_resume', { id: chargeId });
  world.setNow('2026-10-06T03:10:00Z');
  await run(legal.gateways, daily);
  expect(await get(id)).toMatchObject({ status: 'sent', status_reason: null });
});
