/** What bureaus say, what charges do, and what the law asks for, where the simulated bureau has no case for it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDunningJob, runDunningQueue } from '../../../test/support/dunning.ts';
import { type LegalWorld, openLegalWorld } from '../../../test/support/legal.ts';
import { scriptedBureau } from '../../../test/support/scripted-offices.ts';
import type { World } from '../../../test/support/world.ts';
import type { BureauPort } from '../../gateways/bureau/port.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';

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
  ];
const namesOf = async (id: string) => (await eventsOf(id)).map(({ event }: any) => event);
const run = async (gateways: DunningGateways, ...tasks: string[]) => {
  for (const task of tasks) expect(await runDunningJob(world, gateways, task)).toBeUndefined();
  await runDunningQueue(world, gateways);
};
const pay = (charge_id: string, amount = '100.00') =>
  world.call('dunning_payments_create', {
    charge_id,
    amount,
    paid_at: world.now().toISOString().slice(0, 10),
    method: 'pix',
  });
const collect = 'dunning_collect_bureau_answers';
const daily = 'dunning_negativations_daily';

/** A report that the scripted bureau has been asked to register. */
async function registering() {
  const bureau = scriptedBureau();
  const gateways = { ...legal.gateways, bureau };
  world.setNow('2026-10-05T15:00:00Z');
  const chargeId = await legal.charge({ state: 'SC' });
  const id = await legal.approvedReport(chargeId);
  await run(gateways, 'dunning_watch_prior_notices');
  world.setNow('2026-10-16T03:10:00Z');
  await run(gateways, daily);
  expect(bureau.asked.map(({ command }) => command)).toEqual(['register']);
  return { bureau, gateways, chargeId, id };
}

async function registered() {
  const known = await registering();
  world.setNow('2026-10-16T12:00:00Z');
  known.bureau.tell({ key: known.bureau.keyOf('register'), at: world.now(), reference: 'S-1' });
  await run(known.gateways, collect);
  expect(await get(known.id)).toMatchObject({ status: 'registered', bureau_reference: 'S-1' });
  return known;
}

describe('answers', () => {
  it('are heard when none is waited for, too: what the bureau shows against its own word is removed', async () => {
    const { bureau, gateways, id } = await registering();
    const key = bureau.keyOf('register');
    world.setNow('2026-10-16T13:00:00Z');
    bureau.tell({ key, at: world.now(), status: 'refused' });
    await run(gateways, collect);
    expect((await get(id))['status']).toBe('failed');
    world.setNow('2026-10-17T13:00:00Z');
    bureau.tell({ key, at: world.now(), status: 'registered', reference: 'S-7' });
    await run(gateways, collect);
    expect(bureau.asked.map(({ command }) => command)).toEqual(['register', 'remove']);
    bureau.tell({ key: bureau.keyOf('remove'), at: world.now(), status: 'removed' });
    await run(gateways, collect);
  });

  it('a registration of a report that is over is removed again', async () => {
    const { bureau, gateways, id, chargeId } = await registering();
    const key = bureau.keyOf('register');
    const at = new Date('2026-10-16T12:00:00Z');
    world.setNow('2026-10-16T13:00:00Z');
    bureau.tell({ key, at, status: 'refused', reason: 'CNPJ\u202Edivergente\n' });
    await run(gateways, collect);
    expect((await get(id))['status']).toBe('failed');
    const [refusal] = (await eventsOf(id)).filter(({ event }: any) => event === 'register_refused');
    expect(refusal).toMatchObject({ is_from_office: true, details: { reason: 'CNPJdivergente' } });
    // Another one waits for its answer, and with it comes what nobody expected.
    const other = await legal.approvedReport(chargeId);
    await run(gateways, 'dunning_watch_prior_notices');
    world.setNow('2026-11-01T03:10:00Z');
    await run(gateways, daily);
    bureau.tell({ key, at: world.now(), status: 'registered', reference: 'S-9' });
    await run(gateways, collect);
    expect((await get(id))['status']).toBe('failed');
    expect((await namesOf(id)).slice(-3)).toEqual(['registered', 'stray_registration', 'removal_sent']);
    const { command, request } = bureau.asked.at(-1)!;
    expect([command, request.actionKey, (request as any).reference]).toEqual(['remove', id, 'S-9']);
    expect((await get(other))['status']).toBe('notice_sent');
    bureau.tell({ key: request.key, at: world.now(), status: 'removed' });
    await run(gateways, collect);
    expect((await get(id))['status']).toBe('failed');
    await world.call('dunning_negativations_cancel', { id: other, reason: 'x' });
  });

  it('told to keys that are none of ours are left alone', async () => {
    const { bureau, gateways, id } = await registering();
    bureau.tell({ key: '00000000-0000-7000-8000-0000000000aa', at: world.now() });
    await run(gateways, collect);
    expect((await get(id))['status']).toBe('notice_sent');
    await world.call('dunning_negativations_cancel', { id, reason: 'x' });
  });

  it('a removal that is refused is asked for again the next day, and the deadline stays', async () => {
    const { bureau, gateways, id, chargeId } = await registered();
    await pay(chargeId);
    await run(gateways);
    const first = bureau.keyOf('remove');
    bureau.tell({ key: first, at: world.now(), status: 'refused' });
    await run(gateways, collect);
    expect(await get(id)).toMatchObject({ status: 'removal_requested', removal: { deadline: '2026-10-23' } });
    world.setNow('2026-10-17T03:10:00Z');
    await run(gateways, daily);
    const second = bureau.keyOf('remove');
    expect(second).not.toBe(first);
    bureau.tell({ key: second, at: world.now(), status: 'removed' });
    await run(gateways, collect);
    expect((await get(id))['status']).toBe('removed');
  });

  it('a process that dies while it sends leaves a mark: the bureau is asked, and nothing is sent twice', async () => {
    const bureau = scriptedBureau();
    let calls = 0;
    const dying: BureauPort = {
      ...bureau,
      async register() {
        calls += 1;
        throw new Error('killed');
      },
      find: async () => ({ state: 'taken', reference: 'S-7' }),
    };
    const gateways = { ...legal.gateways, bureau: dying };
    world.setNow('2026-10-05T15:00:00Z');
    const id = await legal.approvedReport(await legal.charge({ state: 'SC' }));
    await run(gateways, 'dunning_watch_prior_notices');
    world.setNow('2026-10-16T03:10:00Z');
    await run(gateways, daily);
    await runDunningJob(world, gateways, 'dunning_send_negativations');
    await run(gateways, collect);
    expect([calls, (await namesOf(id)).at(-1)]).toEqual([1, 'registration_asked']);
    world.setNow('2026-10-16T03:25:00Z');
    await run(gateways, collect);
    expect([calls, (await namesOf(id)).at(-1)]).toEqual([1, 'registration_sent']);
    expect(await get(id)).toMatchObject({ status: 'notice_sent', bureau_reference: 'S-7' });
  });

  it('what a person calls off is over once the bureau has removed it', async () => {
    const { bureau, gateways, id, chargeId } = await registered();
    await world.call('dunning_negativations_cancel', { id, reason: 'x' });
    await run(gateways);
    bureau.tell({ key: bureau.keyOf('remove'), at: world.now(), status: 'removed' });
    await run(gateways, collect);
    expect(await get(id)).toMatchObject({ status: 'removed', status_reason: 'requested' });
    expect((await world.call('dunning_charges_get', { id: chargeId }))['legal_action']).toBeNull();
  });

  it('MODEL §14.18: with the five years the report is over, whatever the bureau says', async () => {
    const { gateways, id } = await registered();
    await world.look("update dunning_negativations set expires_on = '2026-10-20' where id = $1", [id]);
    world.setNow('2026-10-17T03:10:00Z');
    await run(gateways, daily);
    expect(await get(id)).toMatchObject({ status: 'removal_requested', removal: { reason: 'expired' } });
    world.setNow('2026-10-20T03:10:00Z');
    await run(gateways, daily);
    expect((await get(id))['status']).toBe('removal_requested');
    world.setNow('2026-10-21T03:10:00Z');
    await run(gateways, daily);
    expect(await get(id)).toMatchObject({ status: 'removed', status_reason: 'expired' });
    expect((await namesOf(id)).at(-1)).toBe('expired');
  });
});

describe('the charge meanwhile', () => {
  /** Noticed on the 5th, in waiting until the 15th. */
  const waiting = async () => {
    world.setNow('2026-10-05T15:00:00Z');
    const chargeId = await legal.charge({ state: 'SC' });
    const id = await legal.approvedReport(chargeId);
    await legal.at('2026-10-05T16:00:00Z');
    expect((await get(id))['prior_notice'].ends_on).toBe('2026-10-15');
    return { chargeId, id };
  };

  it('paused when the waiting is over: the report waits and says so, and goes on when the charge does', async () => {
    const { chargeId, id } = await waiting();
    await world.call('dunning_charges_pause', { id: chargeId, reason: 'Em conversa' });
    await legal.on('2026-10-16');
    expect(await get(id)).toMatchObject({ status: 'notice_sent', status_reason: 'not_paused' });
    await world.call('dunning_charges_resume', { id: chargeId });
    await legal.on('2026-10-17');
    expect(await get(id)).toMatchObject({ status: 'registered', status_reason: null });
  });

  it('paid in part: what was frozen is no longer owed, so it is not registered', async () => {
    const { chargeId, id } = await waiting();
    await pay(chargeId, '10.00');
    await legal.on('2026-10-16');
    expect(await get(id)).toMatchObject({ status: 'canceled', status_reason: 'no_longer_allowed' });
    const canceled = (await eventsOf(id)).find(({ event }: any) => event === 'canceled');
    expect(canceled.details).toEqual({ reason: 'no_longer_allowed', failed: ['amount_still_owed'] });
  });

  it('PITFALLS 55: a notice that bounces after it was proven is no notice any more', async () => {
    const { id } = await waiting();
    const { notification_id } = (await get(id))['prior_notice'];
    await world.look(
      "update dunning_notifications set status = 'bounced', delivered_at = null where id = $1",
      [notification_id],
    );
    await legal.on('2026-10-16');
    expect(await get(id)).toMatchObject({
      status: 'notice_sent',
      prior_notice: { channel: 'email', tried: [{ channel: 'letter', outcome: 'bounced' }] },
    });
    expect(legal.bureau.requests.some(({ request }) => request.actionKey === id)).toBe(false);
  });

  it.each([
    ['accept', 'it is accepted'],
    ['first_installment', 'its first installment is paid'],
    ['full_payment', 'all of it is paid'],
  ])('with remove_bureau_on %s an agreement ends a registration once %s', async (remove_bureau_on) => {
    await world.call('dunning_settings_update', { legal: { remove_bureau_on } });
    const { chargeId, id } = await waiting();
    await legal.on('2026-10-16');
    expect((await get(id))['status']).toBe('registered');
    const statuses: string[] = [];
    const look = async () => {
      world.setNow(new Date(world.now().getTime() + 120_000).toISOString());
      await run(legal.gateways, daily);
      statuses.push((await get(id))['status']);
    };
    const { person } = await world.call('dunning_charges_get', { id: chargeId });
    const agreement = await world.call('dunning_agreements_create', {
      person_id: person.id,
      charge_ids: [chargeId],
      negotiated_total: '100.00',
      plan: { installments: 2, first_due_date: '2026-11-16' },
      valid_until: '2026-10-30',
    });
    await world.call('dunning_agreements_accept', { id: agreement['id'], accepted_by: 'Devedora' });
    await look();
    const { items } = await world.call('dunning_agreement_installments_list', {
      agreement_id: agreement['id'],
    });
    for (const { id: installment_id, amount } of items) {
      await world.call('dunning_payments_create', {
        installment_id,
        amount,
        paid_at: '2026-10-16',
        method: 'pix',
      });
      await look();
    }
    const asked = statuses.findIndex((status) => status !== 'registered');
    expect(asked).toBe(['accept', 'first_installment', 'full_payment'].indexOf(remove_bureau_on));
    await legal.on('2026-10-17');
    expect((await get(id))['status']).toBe('removed');
  });
});
