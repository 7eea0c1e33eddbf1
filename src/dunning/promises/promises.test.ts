import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';

const NOW = '2026-10-01T12:00:00Z';
/** These jobs reach nobody. */
const nobody = null as unknown as DunningGateways;

let world: World;
let debtor: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  debtor = await createDebtor(world);
});
afterEach(() => world.setNow(NOW));
afterAll(() => world.close());

const CREATE = 'dunning_payment_promises_create';

async function promise(fields: object = {}, charges?: string[]) {
  const charge_ids = charges ?? [await createCharge(world, { person_id: debtor })];
  const made = await world.call(CREATE, {
    charge_ids,
    amount: '100.00',
    // A Thursday; the day of grace is the Friday before a long weekend.
    promised_for: '2026-10-08',
    ...fields,
  });
  return { id: made['id'] as string, charge: charge_ids[0]!, made };
}

const get = (id: string) => world.call('dunning_payment_promises_get', { id });
const judge = () => runDunningJob(world, nobody, 'dunning_judge_promises');
const follow = (chargeId: string) =>
  runDunningJob(world, nobody, 'dunning_follow_charge', { organizationId: world.organizationId, chargeId });
const holdsOf = (charge: string) =>
  world.look(`select reason, until::text from dunning_holds where charge_id = $1`, [charge]);
const pay = (charge_id: string, amount: string, paid_at: string) =>
  world.call('dunning_payments_create', { charge_id, amount, paid_at, method: 'pix' });

describe('recording a promise', () => {
  it('lets the rule wait until its date and the business day of grace', async () => {
    const { made, charge } = await promise();
    expect(made).toMatchObject({
      status: 'open',
      promised_for: '2026-10-08',
      promised_on: '2026-10-01',
      keep_until: '2026-10-09',
      paid: '0.00',
    });
    expect(await holdsOf(charge)).toEqual([{ reason: 'promise', until: '2026-10-09' }]);
  });

  it('is refused for a past day, a far one, more than is due then, and charges of two debtors', async () => {
    const refused = (fields: object, charges?: string[]) => expect(promise(fields, charges)).rejects;
    await refused({ promised_for: '2026-09-30' }).toMatchObject({ code: 'invalid_argument' });
    await refused({ promised_for: '2027-10-01' }).toMatchObject({ code: 'invalid_argument' });
    await refused({ amount: '100.01' }).toMatchObject({
      code: 'exceeds_open_amount',
      details: { open: '100.00' },
    });
    const others = await createCharge(world, { person_id: await createDebtor(world) });
    const own = await createCharge(world, { person_id: debtor });
    await refused({}, [own, others]).toMatchObject({
      code: 'invalid_argument',
      details: { path: 'charge_ids' },
    });
    await expect(
      world.call(CREATE, { charge_ids: [own], amount: '1.00', promised_for: '2026-10-08' }, 'stranger'),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('counts the fine and the interest of the promised day, not of today', async () => {
    const charge = await createCharge(world, {
      person_id: debtor,
      due_date: '2026-09-08',
      terms: {
        discounts: [],
        fine: { kind: 'percent', percent: 20_000 },
        interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
        graceDays: 0,
      },
    });
    // Thirty days late on 8 October: 100.00 + 2.00 + 1.00.
    await expect(promise({ amount: '103.01' }, [charge])).rejects.toMatchObject({
      details: { open: '103.00' },
    });
    expect((await promise({ amount: '103.00' }, [charge])).made['amount']).toBe('103.00');
  });

  it('is refused while another one about the same charge is open', async () => {
    const { id, charge } = await promise();
    await expect(promise({ amount: '1.00' }, [charge])).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: id },
    });
  });
});

describe('what becomes of it', () => {
  it('is kept once payments reach it, and the rule goes on with what is left', async () => {
    const { id, charge } = await promise({ amount: '60.00' });
    world.setNow('2026-10-05T12:00:00Z');
    await pay(charge, '40.00', '2026-10-05');
    await follow(charge);
    expect(await get(id)).toMatchObject({ status: 'open', paid: '40.00' });
    await pay(charge, '20.00', '2026-10-05');
    await follow(charge);
    expect(await get(id)).toMatchObject({ status: 'kept', paid: '60.00' });
    expect(await holdsOf(charge)).toEqual([]);
  });

  it('is broken the day after its last day, not before, and a payment then keeps nothing', async () => {
    const { id, charge } = await promise();
    world.setNow('2026-10-09T12:00:00Z');
    await judge();
    expect((await get(id))['status']).toBe('open');
    world.setNow('2026-10-10T12:00:00Z');
    await judge();
    expect(await get(id)).toMatchObject({ status: 'broken' });
    expect(await holdsOf(charge)).toEqual([]);
    await pay(charge, '100.00', '2026-10-10');
    await follow(charge);
    expect((await get(id))['status']).toBe('broken');
  });

  it('is kept by a payment of its last day that was told of later', async () => {
    const { id, charge } = await promise();
    world.setNow('2026-10-14T12:00:00Z');
    await pay(charge, '100.00', '2026-10-09');
    await follow(charge);
    expect(await get(id)).toMatchObject({ status: 'kept', paid: '100.00' });
  });

  it('does not count what was paid before it was given', async () => {
    const charge = await createCharge(world, { person_id: debtor });
    await pay(charge, '50.00', '2026-09-30');
    const { id } = await promise({ amount: '50.00' }, [charge]);
    await follow(charge);
    expect(await get(id)).toMatchObject({ status: 'open', paid: '0.00' });
  });

  it('is called off when the charge is', async () => {
    const { id, charge } = await promise();
    await world.call('dunning_charges_cancel', { id: charge, reason: 'Erro de emissão' });
    await follow(charge);
    expect(await get(id)).toMatchObject({ status: 'canceled', ended_reason: 'no_longer_owed' });
  });
});

describe('changing and calling off', () => {
  it('moves the day of an open promise, and the wait with it', async () => {
    const { id, charge } = await promise();
    const after = await world.call('dunning_payment_promises_update', { id, promised_for: '2026-10-20' });
    expect(after).toMatchObject({ promised_for: '2026-10-20', keep_until: '2026-10-21', version: 2 });
    expect(await holdsOf(charge)).toEqual([{ reason: 'promise', until: '2026-10-21' }]);
  });

  it('changes nothing when it is told the same again', async () => {
    const { id } = await promise();
    const change = { id, promised_for: '2026-10-20', channel: 'phone' };
    const once = await world.call('dunning_payment_promises_update', change);
    world.setNow('2026-10-02T12:00:00Z');
    expect(await world.call('dunning_payment_promises_update', change)).toEqual(once);
  });

  it('asks before it calls one off, with the debtor, the amount and the day; then the rule goes on', async () => {
    const { id, charge } = await promise();
    const args = { id, reason: 'Registrada por engano' };
    const { message } = await world.ask('dunning_payment_promises_cancel', args);
    expect(message).toContain('R$ 100,00');
    expect(message).toContain('08/10/2026');
    expect(message).toContain('Motivo: "Registrada por engano"');
    expect(await world.call('dunning_payment_promises_cancel', args)).toMatchObject({
      status: 'canceled',
      ended_reason: 'Registrada por engano',
    });
    expect(await holdsOf(charge)).toEqual([]);
    await expect(world.ask('dunning_payment_promises_cancel', args)).rejects.toMatchObject({
      code: 'invalid_state',
    });
    await expect(world.ask('dunning_payment_promises_cancel', args, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

it('the list is by status, debtor and promised day', async () => {
  const person = await createDebtor(world);
  const charge = await createCharge(world, { person_id: person });
  const { id } = await promise({ amount: '10.00' }, [charge]);
  const ids = async (args: object) =>
    (await world.call('dunning_payment_promises_list', args))['items'].map((item: any) => item.id);
  expect(await ids({ person_id: person })).toEqual([id]);
  expect(
    await ids({ person_id: person, status: 'open', due_from: '2026-10-08', due_to: '2026-10-08' }),
  ).toEqual([id]);
  expect(await ids({ person_id: person, due_from: '2026-10-09' })).toEqual([]);
});
