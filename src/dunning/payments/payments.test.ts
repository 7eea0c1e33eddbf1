import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let person: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  person = await createDebtor(world);
});
afterAll(() => world.close());

/** 2 % fine and 1 % a month, as most contracts have it. */
const usual = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

const pay = (args: object, who?: 'stranger') =>
  world.call('dunning_payments_create', { method: 'pix', paid_at: '2026-10-01', ...args }, who);
const charge = (fields: object = {}) => createCharge(world, { person_id: person, ...fields });
const get = (id: string) => world.call('dunning_charges_get', { id });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('was not refused'),
    (error) => ({ code: error.code, ...error.details }),
  );

describe('dunning_payments_create', () => {
  it('pays a charge in time with its face value', async () => {
    const id = await charge({ due_date: '2026-10-10', status: 'pending', terms: usual });
    const { payment, charge: after } = await pay({ charge_id: id, amount: '100.00' });
    expect(payment).toMatchObject({
      charge_id: id,
      person_id: person,
      amount: '100.00',
      paid_at: '2026-10-01',
      effective_on: '2026-10-01',
      kind: 'regular',
      needs_refund: false,
      allocation: { principal: '100.00', discount: '0.00', interest: '0.00', fine: '0.00', excess: '0.00' },
    });
    expect(after).toMatchObject({
      status: 'paid',
      paid_on: '2026-10-01',
      open_principal: '0.00',
      amount_due: '0.00',
    });
  });

  it('MODEL §5: paying the face value late does not close the charge', async () => {
    const id = await charge({ due_date: '2026-09-01', terms: usual });
    const { payment, charge: after } = await pay({ charge_id: id, amount: '100.00' });
    // 30 days at 1 % a month and the fine of 2 % come first; 3.00 of the principal stays.
    expect(payment.allocation).toMatchObject({ interest: '1.00', fine: '2.00', principal: '97.00' });
    expect(after).toMatchObject({ status: 'overdue', open_principal: '3.00', amount_due: '3.00' });
  });

  it('PITFALLS 21: 100.00 five days late, at 1 % a month and a fine of 2 %, is paid with 102.17', async () => {
    const id = await charge({ due_date: '2026-09-25', terms: usual });
    const due = await pay({ charge_id: id, amount: '102.17', paid_at: '2026-09-30' });
    expect(due.charge.status).toBe('paid');
    expect(due.payment.allocation).toMatchObject({ interest: '0.17', fine: '2.00', principal: '100.00' });
  });

  it('PITFALLS 26: interest goes on on what is left of the principal only', async () => {
    const terms = { ...usual, fine: null };
    const id = await charge({ amount_cents: 100_000, due_date: '2026-08-03', terms });
    const first = await pay({ charge_id: id, amount: '200.00', paid_at: '2026-09-02' });
    expect(first.payment.allocation).toMatchObject({ interest: '10.00', principal: '190.00' });
    // 29 days on 810.00.
    expect((await get(id)).amounts).toMatchObject({ amount_due: '817.83', open_principal: '810.00' });
  });

  it('PITFALLS 43: one payment told twice is one; another of a paid charge is a duplicate to give back', async () => {
    const id = await charge();
    const args = { charge_id: id, amount: '100.00', external_id: 'gateway-1' };
    const first = await pay(args);
    const again = await pay(args);
    expect(again.payment.id).toBe(first.payment.id);
    const second = await pay({ charge_id: id, amount: '100.00', external_id: 'gateway-2' });
    expect(second.payment).toMatchObject({
      kind: 'duplicate',
      needs_refund: true,
      allocation: { principal: '0.00', excess: '100.00' },
    });
    expect(second.charge).toEqual(first.charge);
    const listed = await world.call('dunning_payments_list', { charge_id: id, needs_refund: true });
    expect(listed.items.map((item: any) => item.id)).toEqual([second.payment.id]);
  });

  it('refuses a known name with other contents', async () => {
    const [one, other] = [await charge(), await charge()];
    const first = await pay({ charge_id: one, amount: '10.00', end_to_end_id: 'E1' });
    const id = first.payment.id;
    expect(await refusal(pay({ charge_id: one, amount: '11.00', end_to_end_id: 'E1' }))).toEqual({
      code: 'duplicate',
      of: id,
    });
    expect(await refusal(pay({ charge_id: other, amount: '10.00', end_to_end_id: 'E1' }))).toEqual({
      code: 'duplicate',
      of: id,
    });
  });

  it('counts two notices of one payment once, however they come together', async () => {
    const id = await charge();
    const args = { charge_id: id, amount: '40.00', external_id: 'at-once' };
    const told = await Promise.all([pay(args), pay(args), pay(args)]);
    expect(new Set(told.map(({ payment }) => payment.id)).size).toBe(1);
    expect((await get(id)).open_principal).toBe('60.00');
  });

  it('PITFALLS 46: what is beyond the amount due is excess, never a negative open amount', async () => {
    const id = await charge({ amount_cents: 151_000 });
    await pay({ charge_id: id, amount: '1500.00' });
    const { payment, charge: after } = await pay({ charge_id: id, amount: '3300.00' });
    expect(payment).toMatchObject({
      kind: 'excess',
      needs_refund: true,
      allocation: { principal: '10.00', excess: '3290.00' },
    });
    expect(after).toMatchObject({ status: 'paid', open_principal: '0.00', amount_due: '0.00' });
  });

  it('keeps what comes in for a canceled charge as money to give back', async () => {
    const id = await charge();
    await world.call('dunning_charges_cancel', { id, reason: 'erro' });
    const { payment, charge: after } = await pay({ charge_id: id, amount: '5.00' });
    expect(payment).toMatchObject({ kind: 'excess', needs_refund: true });
    expect(after).toMatchObject({ status: 'canceled', amount_due: '0.00' });
  });

  it('MODEL §5: a boleto paid on a Saturday counts on Monday, a Pix on its own day', async () => {
    const terms = { ...usual, fine: null };
    const fields = { amount_cents: 1_000_000, due_date: '2026-09-01', terms };
    const [boleto, pix] = [await charge(fields), await charge(fields)];
    const paid_at = '2026-09-26';
    const slow = await pay({ charge_id: boleto, amount: '100.00', paid_at, method: 'boleto' });
    const fast = await pay({ charge_id: pix, amount: '100.00', paid_at });
    expect(slow.payment).toMatchObject({ effective_on: '2026-09-28', allocation: { interest: '90.00' } });
    expect(fast.payment).toMatchObject({ effective_on: paid_at, allocation: { interest: '83.33' } });
  });

  it('gives the discount to who pays it off in time', async () => {
    const discounts = [{ kind: 'percent', percent: 100_000, until: '2026-10-05' }];
    const id = await charge({ due_date: '2026-10-20', status: 'pending', terms: { ...usual, discounts } });
    const { payment, charge: after } = await pay({ charge_id: id, amount: '90.00' });
    expect(payment.allocation).toMatchObject({ principal: '100.00', discount: '10.00', excess: '0.00' });
    expect(after.status).toBe('paid');
  });

  it('places payments in the order of their days, whenever they are told', async () => {
    const terms = { ...usual, fine: null };
    const id = await charge({ amount_cents: 100_000, due_date: '2026-08-03', terms });
    const late = await pay({ charge_id: id, amount: '100.00', paid_at: '2026-10-01' });
    expect(late.payment.allocation).toMatchObject({ interest: '19.67', principal: '80.33' });
    await pay({ charge_id: id, amount: '510.00', paid_at: '2026-09-02' });
    // 10.00 of the first 30 days were paid by then, so that half the principal bore interest since.
    const replayed = await world.call('dunning_payments_get', { id: late.payment.id });
    expect(replayed.allocation).toMatchObject({ interest: '4.83', principal: '95.17' });
  });

  it('stops when what is due is not what a person has seen, but not for a payment told again', async () => {
    const id = await charge({ terms: usual });
    const args = { charge_id: id, amount: '103.00', external_id: 'seen', expected_amount: '103.00' };
    expect(await refusal(pay({ ...args, expected_amount: '102.00' }))).toEqual({
      code: 'amount_changed',
      expected: '102.00',
      actual: '103.00',
    });
    const first = await pay(args);
    expect(first.charge.status).toBe('paid');
    expect((await pay(args)).payment.id).toBe(first.payment.id);
  });

  it.each([
    [{ amount: '1.00' }, { code: 'invalid_argument', path: 'charge_id' }],
    [{ charge_id: newId(), amount: '1.00' }, { code: 'not_found' }],
    [{ charge_id: newId(), installment_id: newId(), amount: '1.00' }, { code: 'invalid_argument' }],
    [{ installment_id: newId(), amount: '1.00' }, { code: 'not_found' }],
  ])('refuses %j', async (args, expected) => {
    expect(await refusal(pay(args))).toMatchObject(expected);
  });

  it('refuses the future, a fee above the amount, and money credited before it was paid', async () => {
    const base = { charge_id: await charge(), amount: '1.00' };
    const tried = [
      [{ paid_at: '2026-10-02' }, 'paid_at'],
      [{ fee: '1.01' }, 'fee'],
      [{ credited_at: '2026-09-30' }, 'credited_at'],
    ] as const;
    for (const [wrong, path] of tried) {
      expect(await refusal(pay({ ...base, ...wrong }))).toMatchObject({ code: 'invalid_argument', path });
    }
  });

  it('hides a charge of another organization', async () => {
    const id = await charge();
    expect(await refusal(pay({ charge_id: id, amount: '1.00' }, 'stranger'))).toMatchObject({
      code: 'not_found',
    });
  });

  it('writes nothing when it is only tried', async () => {
    const id = await charge();
    const tried = await pay({ charge_id: id, amount: '100.00', dry_run: true });
    expect(tried.charge.status).toBe('paid');
    expect(await get(id)).toMatchObject({ status: 'overdue', payments: [] });
  });
});

describe('dunning_payments_reverse', () => {
  const reverse = (id: string) => world.call('dunning_payments_reverse', { id, reason: 'chargeback' });

  it('MODEL §14.19: everything is as if the payment had never come', async () => {
    const id = await charge({ terms: usual });
    await pay({ charge_id: id, amount: '30.00', paid_at: '2026-09-20' });
    const before = await get(id);
    const { payment } = await pay({ charge_id: id, amount: '73.00' });
    const { payment: reversed, charge: after } = await reverse(payment.id);
    expect(reversed).toMatchObject({ status: 'reversed', reversed_reason: 'chargeback' });
    const now = await get(id);
    expect(now.amounts).toEqual(before.amounts);
    expect(now.payments[0].allocation).toEqual(before.payments[0].allocation);
    expect(after).toMatchObject({ status: 'overdue', paid_on: null });
  });

  it('PITFALLS 58: a charge that opens again begins a new cycle of its rule, from now on', async () => {
    const rule = await createRule();
    const id = await charge({ collection_rule_id: rule });
    const { payment, charge: paid } = await pay({ charge_id: id, amount: '100.00' });
    expect(paid).toMatchObject({ dunning_state: 'completed', rule_cycle: 1 });
    const { charge: after } = await reverse(payment.id);
    expect(after).toMatchObject({
      status: 'overdue',
      dunning_state: 'active',
      rule_cycle: 2,
      rule_started_at: '2026-10-01T12:00:00Z',
    });
  });

  it('shows a charge again that was archived: what is open is never hidden', async () => {
    const id = await charge();
    const { payment } = await pay({ charge_id: id, amount: '100.00' });
    await world.call('dunning_charges_archive', { id });
    await reverse(payment.id);
    expect(await get(id)).toMatchObject({ status: 'overdue', archived: false, archived_at: null });
  });

  it('takes a duplicate back without touching the charge', async () => {
    const id = await charge();
    const { charge: paid } = await pay({ charge_id: id, amount: '100.00' });
    const { payment } = await pay({ charge_id: id, amount: '100.00' });
    const { payment: reversed, charge: after } = await reverse(payment.id);
    expect(reversed).toMatchObject({ kind: 'duplicate', needs_refund: false, status: 'reversed' });
    expect(after).toEqual(paid);
  });

  it('PITFALLS 43: what was paid twice is still paid when one of the two is taken back', async () => {
    const rule = await createRule();
    const id = await charge({ collection_rule_id: rule });
    const { payment: first } = await pay({ charge_id: id, amount: '100.00' });
    const { payment: second } = await pay({ charge_id: id, amount: '100.00' });
    const { charge: after } = await reverse(first.id);
    expect(after).toMatchObject({ status: 'paid', dunning_state: 'completed', rule_cycle: 1 });
    expect(await world.call('dunning_payments_get', { id: second.id })).toMatchObject({
      kind: 'regular',
      needs_refund: false,
      allocation: { principal: '100.00', excess: '0.00' },
    });
    expect((await reverse(second.id)).charge).toMatchObject({ status: 'overdue', rule_cycle: 2 });
  });

  it('takes nothing back twice', async () => {
    const { payment } = await pay({ charge_id: await charge(), amount: '1.00' });
    await reverse(payment.id);
    expect(await refusal(reverse(payment.id))).toEqual({
      code: 'invalid_state',
      from: 'reversed',
      allowed: ['confirmed'],
    });
  });

  it('asks with the debtor, the amounts and the charge, quoted', async () => {
    const { payment } = await pay({ charge_id: await charge(), amount: '12.50' });
    const { message } = await world.ask('dunning_payments_reverse', { id: payment.id, reason: 'x' });
    expect(message).toContain('R$ 12,50');
    expect(message).toContain('01/10/2026');
  });

  it('leaves payments of other organizations missing', async () => {
    const { payment } = await pay({ charge_id: await charge(), amount: '1.00' });
    const args = { id: payment.id, reason: 'x' };
    expect(await refusal(world.call('dunning_payments_reverse', args, 'stranger'))).toMatchObject({
      code: 'not_found',
    });
    expect(await refusal(world.call('dunning_payments_get', { id: payment.id }, 'stranger'))).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('payments of installments', () => {
  const agreed = async () => {
    const id = await charge({ due_date: '2026-09-01' });
    const { id: agreement } = await world.call('dunning_agreements_create', {
      person_id: person,
      charge_ids: [id],
      negotiated_total: '100.00',
      installments: [
        { due_date: '2026-10-05', amount: '60.00' },
        { due_date: '2026-11-05', amount: '40.00' },
      ],
      valid_until: '2026-10-02',
    });
    await world.call('dunning_agreements_accept', { id: agreement, accepted_by: 'a devedora' });
    const { items } = await world.call('dunning_agreement_installments_list', { agreement_id: agreement });
    return { id, agreement, installments: items.map((item: any) => item.id) };
  };

  it('pay the agreement, which pays its charges once it is completed; a reversal takes all of it back', async () => {
    const { id, agreement, installments } = await agreed();
    const first = await pay({ installment_id: installments[0], amount: '60.00', expected_amount: '60.00' });
    expect(first).toMatchObject({
      payment: {
        agreement_id: agreement,
        installment_id: installments[0],
        person_id: person,
        allocation: { principal: '60.00', interest: '0.00', fine: '0.00', excess: '0.00' },
      },
      charge: null,
      agreement: { id: agreement, status: 'active' },
    });
    expect(await get(id)).toMatchObject({ status: 'in_agreement' });
    const last = await pay({ installment_id: installments[1], amount: '45.00', external_id: 'last' });
    expect(last).toMatchObject({
      payment: { kind: 'excess', needs_refund: true, allocation: { principal: '40.00', excess: '5.00' } },
      agreement: { status: 'completed' },
    });
    expect(await get(id)).toMatchObject({ status: 'paid', open_principal: '0.00' });
    const again = await pay({ installment_id: installments[1], amount: '45.00', external_id: 'last' });
    expect(again.payment.id).toBe(last.payment.id);
    const reversed = await world.call('dunning_payments_reverse', { id: last.payment.id, reason: 'x' });
    expect(reversed).toMatchObject({ payment: { status: 'reversed' }, agreement: { status: 'active' } });
    expect(await get(id)).toMatchObject({ status: 'in_agreement', open_principal: '100.00' });
  });

  it('show a charge again that was archived when one of them is taken back', async () => {
    const { id, installments } = await agreed();
    await pay({ installment_id: installments[0], amount: '60.00' });
    const { payment } = await pay({ installment_id: installments[1], amount: '40.00' });
    await world.call('dunning_charges_archive', { id });
    await world.call('dunning_payments_reverse', { id: payment.id, reason: 'x' });
    expect(await get(id)).toMatchObject({ status: 'in_agreement', archived: false });
  });

  it('MODEL §16: count as recovered by the days of the charges that they settle', async () => {
    const { installments } = await agreed();
    const { payment } = await pay({ installment_id: installments[0], amount: '60.00' });
    const [row] = await world.look('select * from dunning_payments where id = $1', [payment.id]);
    expect(row).toMatchObject({ recovered_cents: '6000', days_overdue: 30, steps_before: 0 });
  });
});

describe('what the metrics count', () => {
  const rowOf = async (id: string) =>
    (await world.look('select * from dunning_payments where id = $1', [id]))[0]!;

  it('MODEL §16: money after the adjusted due date is recovered, without excess; in time it is not', async () => {
    // Due on Sunday, so that Monday is in time.
    const late = await charge({ due_date: '2026-09-27', terms: usual });
    const { payment } = await pay({ charge_id: late, amount: '200.00', paid_at: '2026-09-29' });
    expect(await rowOf(payment.id)).toMatchObject({ recovered_cents: '10207', days_overdue: 2 });
    const inTime = await charge({ due_date: '2026-09-27', terms: usual });
    const paid = await pay({ charge_id: inTime, amount: '100.00', paid_at: '2026-09-28' });
    expect(await rowOf(paid.payment.id)).toMatchObject({ recovered_cents: null, days_overdue: null });
  });

  it('MODEL §16: credits the last message delivered in the seven days before', async () => {
    const id = await charge();
    await message(id, '2026-09-23T12:00:00Z', 'email');
    const early = await pay({ charge_id: id, amount: '1.00' });
    expect(early.payment.attribution.channel).toBeNull();
    await message(id, '2026-09-26T12:00:00Z', 'sms');
    const last = await message(id, '2026-09-30T12:00:00Z', 'whatsapp');
    const { payment } = await pay({ charge_id: id, amount: '1.00' });
    expect(payment.attribution).toMatchObject({ channel: 'whatsapp', notification_id: last });
  });

  it('counts the steps before the first payment only', async () => {
    const rule = await createRule();
    const id = await charge({ collection_rule_id: rule });
    await execution(id, rule, '2026-09-10T12:00:00Z');
    await execution(id, rule, '2026-09-20T12:00:00Z');
    const first = await pay({ charge_id: id, amount: '1.00', paid_at: '2026-09-15' });
    const second = await pay({ charge_id: id, amount: '1.00' });
    expect(await rowOf(first.payment.id)).toMatchObject({ steps_before: 1 });
    expect(await rowOf(second.payment.id)).toMatchObject({ steps_before: null });
    await world.call('dunning_payments_reverse', { id: first.payment.id, reason: 'x' });
    expect(await rowOf(second.payment.id)).toMatchObject({ steps_before: 2 });
  });

  async function message(chargeId: string, deliveredAt: string, channel: string): Promise<string> {
    const id = newId();
    await world.look(
      `insert into dunning_notifications (organization_id, id, person_id, charge_id, channel, trigger, scheduled_for,
                                          status, delivered_at, created_by)
       values ($1, $2, $3, $4, $5, 'manual', $6, 'delivered', $6, $1)`,
      [world.organizationId, id, person, chargeId, channel, deliveredAt],
    );
    return id;
  }

  async function execution(chargeId: string, ruleId: string, doneAt: string): Promise<void> {
    const step = newId();
    await world.look(
      `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action,
                                       created_by)
       values ($1, $2, $3, 0, 1, 'calendar', '09:00', 'task', $1)`,
      [world.organizationId, step, ruleId],
    );
    await world.look(
      `insert into dunning_step_executions (organization_id, id, charge_id, person_id, rule_id, step_id, cycle, action,
                                            step_on, due_at, status, done_at)
       values ($1, $2, $3, $4, $5, $6, 1, 'message', $7::timestamptz, $7, 'done', $7)`,
      [world.organizationId, newId(), chargeId, person, ruleId, step, doneAt],
    );
  }
});

async function createRule(): Promise<string> {
  const id = newId();
  await world.look(
    `insert into dunning_collection_rules (organization_id, id, name, created_by) values ($1, $2, 'Régua', $1)`,
    [world.organizationId, id],
  );
  return id;
}
