import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { type JobContext, jobContextOf } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { dunning } from '../index.ts';
import { recordPayment, reversePayment } from '../payments/index.ts';

const CREATE = 'dunning_agreements_create';
const UPDATE = 'dunning_agreements_update';
const ACCEPT = 'dunning_agreements_accept';
const CANCEL = 'dunning_agreements_cancel';
const REJECT = 'dunning_agreements_reject';
const GET = 'dunning_agreements_get';
const LIST = 'dunning_agreements_list';
const SIMULATE = 'dunning_agreements_simulate';
const INSTALLMENTS = 'dunning_agreement_installments_list';
const TODAY = '2026-10-01T12:00:00Z';

let world: World;
let person_id: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
beforeEach(async () => {
  person_id = await createDebtor(world);
});
afterEach(() => world.setNow(TODAY));
afterAll(() => world.close());

/** What payments and other doors are called in. */
function work(): JobContext<unknown> {
  const place = { organizationId: world.organizationId, workspaceId: null, timeZone: 'America/Sao_Paulo' };
  return jobContextOf(world.runtime.portsOf(dunning.catalogue), 'test', {}, place, undefined);
}

const owe = (fields: object = {}) => createCharge(world, { person_id, ...fields });
const get = (id: string) => world.call(GET, { id });

const propose = (charge_ids: string[], fields: object = {}) =>
  world.call(CREATE, {
    person_id,
    charge_ids,
    negotiated_total: '90.00',
    plan: { installments: 3, first_due_date: '2026-10-20' },
    valid_until: '2026-10-10',
    ...fields,
  });

const accept = (id: string, fields: object = {}) =>
  world.call(ACCEPT, { id, accepted_by: 'Maria', ...fields });

/** A live agreement over one charge of 100.00 for 90.00 in three. */
async function agree(fields: object = {}, charge: object = {}) {
  const charge_id = await owe(charge);
  const { id } = await propose([charge_id], fields);
  const agreement = await accept(id!);
  return { id: id as string, charge_id, schedule: agreement['schedule'] as { id: string; amount: string }[] };
}

const pay = (installmentId: string, amountCents: number, paidOn = world.now().toISOString().slice(0, 10)) =>
  work().write((context) => recordPayment(context, { installmentId, amountCents, paidOn, method: 'pix' }));

const reverse = (id: string) => work().write((context) => reversePayment(context, { id }, 'estorno'));

const runDay = async (instant: string) => {
  world.setNow(instant);
  expect(await runDunningJob(world, {} as DunningGateways, 'dunning_agreements_run')).toBe(undefined);
};

const chargeOf = async (id: string) => {
  const [row] = await world.look(
    `select status, open_cents::integer as open, agreement_id, dunning_state, paused_reason, paid_on::text
       from dunning_charges where id = $1`,
    [id],
  );
  return row!;
};

describe('a proposal', () => {
  test('PITFALLS 29: 559.30 in three is 186.44 + 186.43 + 186.43; it binds nobody and sends nothing', async () => {
    const charge_id = await owe({ amount_cents: 55_930 });
    const made = await propose([charge_id], { negotiated_total: '559.30' });
    expect(made).toMatchObject({
      status: 'proposed',
      as_of: '2026-10-01',
      original_total: '559.30',
      discount: '0.00',
      negotiated_total: '559.30',
      paid_total: '0.00',
      installments: 3,
      next_due_date: '2026-10-20',
      accepted_at: null,
      default_after_days: 15,
      charges: [{ charge_id, principal: '559.30', interest: '0.00', fine: '0.00', negotiated: '559.30' }],
    });
    expect(made['schedule'].map((one: any) => [one.number, one.due_date, one.amount, one.status])).toEqual([
      [1, '2026-10-20', '186.44', 'open'],
      [2, '2026-11-20', '186.43', 'open'],
      [3, '2026-12-20', '186.43', 'open'],
    ]);
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'overdue', agreement_id: null });
    expect(
      await world.look('select id from dunning_notifications where person_id = $1', [person_id]),
    ).toEqual([]);
    expect(await get(made['id'])).toEqual(made);
  });

  test('takes the discount off fine and interest first, and spreads it to the centavo', async () => {
    const terms = {
      discounts: [],
      fine: { kind: 'percent', percent: 20_000 },
      interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
      graceDays: 0,
    };
    const first = await owe({ due_date: '2026-09-01', terms });
    const second = await owe({ due_date: '2026-08-31', amount_cents: 20_000, terms });
    // 100.00: fine 2.00, 30 days 1.00; 200.00: fine 4.00, 31 days 2.07.
    const made = await propose([first, second], { negotiated_total: '299.07' });
    expect(made).toMatchObject({ original_total: '309.07', discount: '10.00' });
    const shares = Object.fromEntries(made['charges'].map((one: any) => [one.charge_id, one]));
    expect(shares[first]).toMatchObject({ interest: '1.00', fine: '2.00', discount: '3.31' });
    expect(shares[second]).toMatchObject({ interest: '2.07', fine: '4.00', discount: '6.69' });
  });

  const refused: [string, object, object][] = [
    [
      'neither installments nor plan',
      { plan: undefined },
      { code: 'invalid_argument', details: { path: 'installments' } },
    ],
    [
      'MODEL §14.12: installments that do not add up',
      { plan: undefined, installments: [{ due_date: '2026-10-20', amount: '89.99' }] },
      { code: 'installments_mismatch', details: { sum: '89.99', total: '90.00' } },
    ],
    [
      'MODEL §14.12: due dates that do not rise',
      {
        plan: undefined,
        installments: [
          { due_date: '2026-10-20', amount: '45.00' },
          { due_date: '2026-10-20', amount: '45.00' },
        ],
      },
      { code: 'invalid_argument', details: { path: 'installments' } },
    ],
    [
      'MODEL §14.12: an installment of nothing',
      {
        plan: undefined,
        installments: [{ due_date: '2026-10-20', amount: '0.00' }],
      },
      { code: 'invalid_argument', details: { path: 'installments.0.amount' } },
    ],
    [
      'a first installment before the last day to accept',
      {
        plan: { installments: 1, first_due_date: '2026-10-09' },
      },
      { code: 'invalid_argument', details: { path: 'plan.first_due_date' } },
    ],
    [
      'a last day that is over',
      { valid_until: '2026-09-30' },
      { code: 'invalid_argument', details: { path: 'valid_until' } },
    ],
    [
      'more than the debt',
      { negotiated_total: '100.01' },
      { code: 'exceeds_open_amount', details: { open: '100.00' } },
    ],
    [
      'another discount than the person saw',
      { discount: '9.00' },
      { code: 'amount_changed', details: { expected: '9.00', actual: '10.00' } },
    ],
    [
      'more installments than centavos',
      {
        negotiated_total: '0.02',
        plan: { installments: 3, first_due_date: '2026-10-20' },
      },
      { code: 'invalid_argument', details: { path: 'plan.installments' } },
    ],
    [
      'side door: a status',
      { status: 'accepted' },
      { code: 'invalid_argument', details: { path: 'status' } },
    ],
  ];
  test.each(refused)('refuses %s', async (_what, fields, error) => {
    await expect(propose([await owe()], fields)).rejects.toMatchObject(error);
  });

  test('refuses charges of two debtors, of nobody, of another organization, disputed, paid or in an agreement', async () => {
    const own = await owe();
    const others = await createCharge(world, { person_id: await createDebtor(world) });
    await expect(propose([own, others])).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'charge_ids' },
    });
    await expect(propose([newId()])).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      world.call(
        CREATE,
        {
          person_id,
          charge_ids: [own],
          negotiated_total: '90.00',
          plan: { installments: 1, first_due_date: '2026-10-20' },
          valid_until: '2026-10-10',
        },
        'stranger',
      ),
    ).rejects.toMatchObject({ code: 'not_found' });
    await world.look('update dunning_charges set is_disputed = true where id = $1', [own]);
    await expect(propose([own])).rejects.toMatchObject({ code: 'charge_disputed', details: { id: own } });
    const paid = await owe();
    await world.look(`update dunning_charges set status = 'paid', open_cents = 0 where id = $1`, [paid]);
    await expect(propose([paid])).rejects.toMatchObject({ code: 'invalid_state' });
    const { charge_id } = await agree();
    await expect(propose([charge_id])).rejects.toMatchObject({ code: 'charge_in_agreement' });
  });

  test('can be changed until it is accepted; a repeated change changes nothing more', async () => {
    const first = await owe();
    const second = await owe();
    const { id } = await propose([first], { negotiated_total: '95.00' });
    const given = { id, charge_ids: [first, second], negotiated_total: '180.00', notes: 'por telefone' };
    await expect(world.call(UPDATE, given)).rejects.toMatchObject({ code: 'installments_mismatch' });
    const plan = { down_payment: '30.00', installments: 2, first_due_date: '2026-11-05' };
    const changed = await world.call(UPDATE, { ...given, plan });
    expect(changed).toMatchObject({
      original_total: '200.00',
      discount: '20.00',
      version: 2,
      notes: 'por telefone',
    });
    expect(changed['schedule'].map((one: any) => [one.due_date, one.amount])).toEqual([
      ['2026-10-10', '30.00'],
      ['2026-11-05', '75.00'],
      ['2026-12-05', '75.00'],
    ]);
    expect(await world.call(UPDATE, { ...given, plan })).toEqual(changed);
    const later = await world.call(UPDATE, { id, valid_until: '2026-10-15' });
    expect(later['schedule'][0]).toMatchObject({ due_date: '2026-10-15', amount: '30.00' });
    await accept(id!);
    await expect(world.call(UPDATE, { id, notes: 'x' })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('lapses after its last day, and may not be accepted then', async () => {
    const charge_id = await owe();
    const { id } = await propose([charge_id]);
    world.setNow('2026-10-11T12:00:00Z');
    await expect(accept(id!)).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'expired' } });
    await runDay('2026-10-11T12:00:00Z');
    expect(await get(id!)).toMatchObject({ status: 'expired', ended_by: 'time' });
    await runDay('2026-10-11T12:00:00Z');
    expect(await get(id!)).toMatchObject({ version: 2 });
  });

  test('is rejected by either side, once; nothing changes on its charges', async () => {
    const charge_id = await owe();
    const { id } = await propose([charge_id]);
    const { message } = await world.ask(REJECT, { id, by: 'debtor', reason: 'caro' });
    expect(message).toContain('Motivo: "caro"');
    const rejected = await world.call(REJECT, { id, by: 'debtor', reason: 'caro' });
    expect(rejected).toMatchObject({ status: 'rejected', ended_by: 'debtor', ended_reason: 'caro' });
    await expect(world.call(REJECT, { id, by: 'debtor', reason: 'caro' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'overdue', open: 10_000 });
  });
});

describe('simulating', () => {
  test('shows an option for each number of installments, and keeps nothing', async () => {
    const charge_id = await owe({ amount_cents: 55_930 });
    const args = {
      charge_ids: [charge_id],
      discount: '50.00',
      installments: 3,
      first_due_date: '2026-10-31',
    };
    const shown = await world.call(SIMULATE, args);
    expect(shown).toMatchObject({ as_of: '2026-10-01', original_total: '559.30' });
    expect(shown['options']).toEqual([
      {
        installments: 1,
        discount: '50.00',
        negotiated_total: '509.30',
        installment: '509.30',
        last_due_date: '2026-10-31',
      },
      {
        installments: 2,
        discount: '50.00',
        negotiated_total: '509.30',
        installment: '254.65',
        last_due_date: '2026-11-30',
      },
      {
        installments: 3,
        discount: '50.00',
        negotiated_total: '509.30',
        installment: '169.77',
        last_due_date: '2026-12-31',
      },
    ]);
    expect(shown['schedule']).toEqual([
      { number: 1, due_date: '2026-10-31', amount: '169.77' },
      { number: 2, due_date: '2026-11-30', amount: '169.77' },
      { number: 3, due_date: '2026-12-31', amount: '169.76' },
    ]);
    const down = await world.call(SIMULATE, { ...args, down_payment: '100.00' });
    expect(down['schedule'][0]).toEqual({ number: 1, due_date: '2026-10-01', amount: '100.00' });
    expect(await world.call(LIST, { person_id })).toMatchObject({ items: [] });
    await expect(world.call(SIMULATE, { ...args, discount: '559.30' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(world.call(SIMULATE, args, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('accepting', () => {
  test('binds: the charges move under it and are held; the question states the figures', async () => {
    const charge_id = await owe();
    const { id } = await propose([charge_id]);
    const { message } = await world.ask(ACCEPT, { id, accepted_by: 'Maria' });
    expect(message).toContain('R$ 100,00');
    expect(message).toContain('R$ 90,00');
    expect(message).toContain('3 de R$ 30,00, a primeira em 20/10/2026');
    expect(message).toContain('Quem aceitou: "Maria"');
    const accepted = await accept(id!, { evidence: 'e-mail de 01/10', expected_total: '90.00' });
    expect(accepted).toMatchObject({
      status: 'active',
      accepted_by: 'Maria',
      evidence: 'e-mail de 01/10',
      accepted_at: '2026-10-01T12:00:00Z',
    });
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'in_agreement', agreement_id: id });
    await expect(accept(id!)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('waits for the down payment: active with the first payment, accepted again when that is reversed', async () => {
    const { id, schedule } = await agree({
      plan: { down_payment: '30.00', installments: 2, first_due_date: '2026-11-05' },
    });
    expect(await get(id)).toMatchObject({ status: 'accepted' });
    const payment = await pay(schedule[0]!.id, 3_000);
    expect(await get(id)).toMatchObject({
      status: 'active',
      paid_total: '30.00',
      next_due_date: '2026-11-05',
    });
    await reverse(payment.id);
    expect(await get(id)).toMatchObject({
      status: 'accepted',
      paid_total: '0.00',
      next_due_date: '2026-10-10',
    });
  });

  test('refuses another total than the person saw, and a debt that is not what it was', async () => {
    const charge_id = await owe();
    const { id } = await propose([charge_id]);
    await expect(accept(id!, { expected_total: '89.00' })).rejects.toMatchObject({
      code: 'amount_changed',
      details: { expected: '89.00', actual: '90.00' },
    });
    await work().write((context) =>
      recordPayment(context, {
        chargeId: charge_id,
        amountCents: 1_000,
        paidOn: '2026-10-01',
        method: 'pix',
      }),
    );
    await expect(accept(id!)).rejects.toMatchObject({
      code: 'amount_changed',
      details: { expected: '100.00', actual: '90.00' },
    });
    await world.look('update dunning_charges set is_disputed = true where id = $1', [charge_id]);
    await expect(accept(id!)).rejects.toMatchObject({ code: 'charge_disputed' });
  });

  test('a payment later than the proposal is seen too', async () => {
    const charge_id = await owe();
    const { id } = await propose([charge_id]);
    world.setNow('2026-10-03T12:00:00Z');
    await work().write((context) =>
      recordPayment(context, {
        chargeId: charge_id,
        amountCents: 1_000,
        paidOn: '2026-10-03',
        method: 'pix',
      }),
    );
    await expect(accept(id!)).rejects.toMatchObject({ code: 'amount_changed' });
  });

  test('interest that grew since changes nothing: the offer stands until its last day', async () => {
    const terms = {
      discounts: [],
      fine: null,
      interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
      graceDays: 0,
    };
    const charge_id = await owe({ terms });
    const { id } = await propose([charge_id]);
    world.setNow('2026-10-09T12:00:00Z');
    expect(await accept(id!)).toMatchObject({ status: 'active', original_total: '101.00' });
  });

  test('MODEL §14.13: of two agreements that share a charge and are accepted at once, exactly one binds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shared = await owe();
      const [first, second] = [await owe(), await owe()];
      const made = [
        await propose([shared, first], { negotiated_total: '150.00' }),
        await propose([second, shared], { negotiated_total: '150.00' }),
      ];
      const ended = await Promise.allSettled(made.map(({ id }) => accept(id!)));
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const failed = ended.find((one) => one.status === 'rejected') as PromiseRejectedResult;
      expect(failed.reason).toMatchObject({ code: 'charge_in_agreement' });
      const live = await world.look(
        'select agreement_id from dunning_agreement_charges where charge_id = $1 and is_live',
        [shared],
      );
      expect(live).toHaveLength(1);
    }
  });
});

describe('sending', () => {
  const SEND = 'dunning_agreements_send';
  const messagesOf = (id: string) =>
    world.look(
      `select channel, trigger, status, own_subject, own_body, contact_id from dunning_notifications
        where agreement_id = $1 order by id`,
      [id],
    );

  test('queues the proposal for the debtor; the question shows the figures and the very text', async () => {
    const { id } = await propose([await owe()]);
    const { message } = await world.ask(SEND, { id, channel: 'email' });
    expect(message).toContain('R$ 90,00');
    expect(message).toContain('A proposta vale até 10/10/2026');
    expect(message).not.toContain('devedor1@example.com');
    const { agreement, notification_id } = await world.call(SEND, { id, channel: 'email' });
    expect(agreement).toMatchObject({ status: 'proposed', sent_at: '2026-10-01T12:00:00Z' });
    const [sent] = await messagesOf(id!);
    expect(sent).toMatchObject({ channel: 'email', trigger: 'agreement', status: 'queued' });
    expect(sent!['own_body']).toContain('R$ 90,00');
    expect(sent!['own_subject']).not.toMatch(/R\$|dívida|acordo/i);
    const [queued] = await world.look<{ id: string }>(
      'select id from dunning_notifications where agreement_id = $1',
      [id],
    );
    expect(queued).toEqual({ id: notification_id });
  });

  test('new figures call the waiting message off, and have to be sent again', async () => {
    const { id } = await propose([await owe()]);
    await world.call(SEND, { id, channel: 'email' });
    const plan = { installments: 2, first_due_date: '2026-10-20' };
    expect(await world.call(UPDATE, { id, plan })).toMatchObject({ sent_at: null });
    expect(await messagesOf(id!)).toMatchObject([{ status: 'canceled' }]);
    expect(await world.call(UPDATE, { id, plan, notes: 'ok' })).toMatchObject({ sent_at: null, notes: 'ok' });
  });

  test('goes to nobody who may not be contacted, and never for a proposal that no longer stands', async () => {
    const { id } = await propose([await owe()]);
    await world.look('update dunning_people set do_not_contact = true where id = $1', [person_id]);
    await expect(world.call(SEND, { id, channel: 'email' })).rejects.toMatchObject({
      code: 'contact_blocked',
    });
    await world.look('update dunning_people set do_not_contact = false where id = $1', [person_id]);
    await world.call(REJECT, { id, by: 'debtor', reason: 'x' });
    await expect(world.call(SEND, { id, channel: 'email' })).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await messagesOf(id!)).toEqual([]);
  });

  test('needs the right to send besides', async () => {
    const { id } = await propose([await owe()]);
    await expect(world.call(SEND, { id, channel: 'email' }, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('paying', () => {
  test('completes with the last installment: the charge is paid, its discount given', async () => {
    const { id, charge_id, schedule } = await agree();
    await pay(schedule[0]!.id, 3_000);
    await pay(schedule[1]!.id, 3_000);
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'in_agreement' });
    await pay(schedule[2]!.id, 3_000);
    expect(await get(id)).toMatchObject({ status: 'completed', paid_total: '90.00', next_due_date: null });
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'paid', open: 0, paid_on: '2026-10-01' });
    const late = await pay(schedule[2]!.id, 3_000);
    expect(late).toMatchObject({ kind: 'duplicate', needs_refund: true, excess_cents: 3_000 });
    expect(await get(id)).toMatchObject({ status: 'completed', paid_total: '90.00' });
  });

  test('what is above an installment goes to the next open ones, the rest is excess', async () => {
    const { id, schedule } = await agree();
    await pay(schedule[1]!.id, 4_000);
    const page = await world.call(INSTALLMENTS, { agreement_id: id });
    expect(page['items'].map((one: any) => [one.number, one.paid, one.open, one.status])).toEqual([
      [1, '10.00', '20.00', 'open'],
      [2, '30.00', '0.00', 'paid'],
      [3, '0.00', '30.00', 'open'],
    ]);
    expect(page['items'][1].payments).toMatchObject([
      { amount: '40.00', paid_on: '2026-10-01', status: 'confirmed' },
    ]);
    const last = await pay(schedule[0]!.id, 6_000);
    expect(last).toMatchObject({
      kind: 'excess',
      principal_cents: 5_000,
      excess_cents: 1_000,
      needs_refund: true,
    });
    expect(await get(id)).toMatchObject({ status: 'completed' });
    expect(await world.call(INSTALLMENTS, { agreement_id: id, status: 'open' })).toMatchObject({ items: [] });
  });

  test('MODEL §14.19: reversing the payment that completed it puts everything back as it was', async () => {
    const { id, charge_id, schedule } = await agree();
    await pay(schedule[0]!.id, 3_000);
    const before = { agreement: await get(id), charge: await chargeOf(charge_id) };
    const payment = await pay(schedule[1]!.id, 6_000);
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'paid' });
    await reverse(payment.id);
    const { version: _before, updated_at: _then, ...agreement } = before.agreement;
    expect(await get(id)).toMatchObject({
      ...agreement,
      schedule: before.agreement['schedule'].map(({ version: _version, ...one }: any) => one),
    });
    expect(await chargeOf(charge_id)).toEqual(before.charge);
    const credits = await world.look('select id from dunning_agreement_credits where agreement_id = $1', [
      id,
    ]);
    expect(credits).toEqual([]);
  });

  test('MODEL §14.20: completing gives up what was agreed, not a payment made before that was taken back since', async () => {
    const charge_id = await owe();
    const args = { charge_id, amount: '40.00', paid_at: '2026-10-01', method: 'pix' };
    const { payment } = await world.call('dunning_payments_create', args);
    const made = await propose([charge_id], { negotiated_total: '50.00' });
    expect(made).toMatchObject({ original_total: '60.00', discount: '10.00' });
    const { schedule } = await accept(made['id']);
    await reverse(payment.id);
    for (const { id, amount } of schedule as any[]) await pay(id, Math.round(Number(amount) * 100));
    expect((await get(made['id']))['status']).toBe('completed');
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'overdue', open: 4_000 });
    await world.call('dunning_payments_create', { ...args, amount: '40.00' });
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'paid', open: 0 });
  });

  test('of two payments of the last installment at once, one completes the agreement and the other is a duplicate', async () => {
    const { id, schedule } = await agree({ plan: { installments: 1, first_due_date: '2026-10-20' } });
    const paid = await Promise.all([pay(schedule[0]!.id, 9_000), pay(schedule[0]!.id, 9_000)]);
    expect(paid.map(({ kind }) => kind).sort()).toEqual(['duplicate', 'regular']);
    expect(await get(id)).toMatchObject({ status: 'completed', paid_total: '90.00' });
  });

  test('a payment of the charge and an acceptance at once: one of them is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const charge_id = await owe();
      const { id } = await propose([charge_id]);
      const draft = { chargeId: charge_id, amountCents: 1_000, paidOn: '2026-10-01', method: 'pix' } as const;
      const ended = await Promise.allSettled([
        accept(id!),
        work().write((context) => recordPayment(context, draft)),
      ]);
      const failed = ended.filter((one) => one.status === 'rejected');
      expect(failed).toHaveLength(1);
      expect((failed[0] as PromiseRejectedResult).reason.code).toMatch(
        /^(amount_changed|charge_in_agreement)$/,
      );
    }
  });

  test('a proposal cannot be paid', async () => {
    const { schedule } = await propose([await owe()]);
    await expect(pay(schedule[0].id, 3_000)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('ending early', () => {
  test('MODEL §14.20: breaks when an installment is too late; the discount is lost, what was paid stays', async () => {
    const { id, charge_id, schedule } = await agree();
    await pay(schedule[0]!.id, 3_000);
    // The second is due on Friday 20 November, a holiday: Monday 23 November and 15 days.
    await runDay('2026-12-08T03:02:00Z');
    expect(await get(id)).toMatchObject({ status: 'active' });
    await runDay('2026-12-09T03:02:00Z');
    const broken = await get(id);
    expect(broken).toMatchObject({ status: 'broken', ended_by: 'time', paid_total: '30.00' });
    expect(broken['schedule'].map((one: any) => one.status)).toEqual(['paid', 'canceled', 'canceled']);
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'overdue', open: 7_000, agreement_id: null });
    const version = broken['version'];
    await runDay('2026-12-10T03:02:00Z');
    expect(await get(id)).toMatchObject({ version });
  });

  test('cancel gives the charges back with what was paid, oldest first; once', async () => {
    const newer = await owe({ due_date: '2026-09-10' });
    const older = await owe({ due_date: '2026-09-01' });
    const { id } = await propose([newer, older], { negotiated_total: '180.00' });
    const { schedule } = await accept(id!);
    await pay(schedule[0].id, 12_000);
    const { message } = await world.ask(CANCEL, { id, reason: 'desistência' });
    expect(message).toContain('Motivo: "desistência"');
    const canceled = await world.call(CANCEL, { id, reason: 'desistência' });
    expect(canceled).toMatchObject({ status: 'canceled', ended_by: 'creditor', ended_reason: 'desistência' });
    expect(await chargeOf(older)).toMatchObject({ status: 'paid', open: 0 });
    expect(await chargeOf(newer)).toMatchObject({ status: 'overdue', open: 8_000 });
    await expect(world.call(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('MODEL §14.20: a payment of an earlier day is not credited where a later one has paid already', async () => {
    const older = await owe({ due_date: '2026-09-01' });
    const newer = await owe({ due_date: '2026-09-10' });
    const direct = { charge_id: older, amount: '50.00', paid_at: '2026-09-10', method: 'pix' };
    const { payment } = await world.call('dunning_payments_create', direct);
    const { id } = await propose([older, newer], { negotiated_total: '150.00' });
    const { schedule } = await accept(id!);
    await pay(schedule[0].id, 6_000, '2026-09-05');
    await world.call(CANCEL, { id, reason: 'x' });
    expect(await chargeOf(older)).toMatchObject({ status: 'paid', open: 0 });
    expect(await chargeOf(newer)).toMatchObject({ status: 'overdue', open: 9_000 });
    expect(await world.call('dunning_payments_get', { id: payment.id })).toMatchObject({
      kind: 'regular',
      needs_refund: false,
    });
  });

  test('a payment that comes after the end is credited to the charges, and can be reversed', async () => {
    const { id, charge_id, schedule } = await agree();
    await pay(schedule[0]!.id, 3_000);
    await world.call(CANCEL, { id, reason: 'x' });
    const late = await pay(schedule[1]!.id, 9_000);
    expect(late).toMatchObject({ kind: 'excess', principal_cents: 7_000, excess_cents: 2_000 });
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'paid', open: 0 });
    await reverse(late.id);
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'overdue', open: 7_000 });
    expect(await get(id)).toMatchObject({ status: 'canceled', paid_total: '30.00' });
  });

  test('a payment under it that is reversed after the end is owed again', async () => {
    const { id, charge_id, schedule } = await agree();
    const payment = await pay(schedule[0]!.id, 3_000);
    await world.call(CANCEL, { id, reason: 'x' });
    await reverse(payment.id);
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'overdue', open: 10_000 });
  });

  test('a proposal is called off without effect on its charges', async () => {
    const charge_id = await owe();
    const { id } = await propose([charge_id]);
    expect(await world.call(CANCEL, { id, reason: 'x' })).toMatchObject({
      status: 'canceled',
      accepted_at: null,
    });
    expect(await chargeOf(charge_id)).toMatchObject({ status: 'overdue', open: 10_000 });
  });
});

describe('who may', () => {
  test('of another organization nothing is found; a reader changes nothing', async () => {
    const { id } = await propose([await owe()]);
    for (const [name, args] of [
      [GET, { id }],
      [UPDATE, { id, notes: 'x' }],
      [ACCEPT, { id, accepted_by: 'x' }],
      [REJECT, { id, by: 'debtor', reason: 'x' }],
      [CANCEL, { id, reason: 'x' }],
      [INSTALLMENTS, { agreement_id: id }],
      ['dunning_agreements_send', { id, channel: 'email' }],
    ] as const) {
      await expect(world.call(name, args, 'stranger'), name).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await world.call(LIST, {}, 'stranger')).toEqual({ items: [], next_cursor: null });
    await expect(
      accept(id!).then(() => world.call(CANCEL, { id, reason: 'x' }, 'reader')),
    ).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call(CANCEL, { id, reason: 'x' }, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('lists', () => {
  test('pages newest first, by debtor, status and charge', async () => {
    const charge_id = await owe();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await propose([charge_id]))['id']);
    const first = await world.call(LIST, { person_id, limit: 2 });
    expect(first['items'].map((one: any) => one.id)).toEqual(ids.slice(0, 2));
    const rest = await world.call(LIST, { person_id, limit: 2, cursor: first['next_cursor'] });
    expect(rest).toMatchObject({ items: [{ id: ids[2] }], next_cursor: null });
    await world.call(REJECT, { id: ids[0], by: 'creditor', reason: 'x' });
    expect(await world.call(LIST, { person_id, status: 'rejected' })).toMatchObject({
      items: [{ id: ids[0] }],
    });
    expect((await world.call(LIST, { charge_id }))['items']).toHaveLength(3);
  });
});
