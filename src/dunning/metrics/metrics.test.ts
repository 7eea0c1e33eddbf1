import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { monthOf } from '../../core/dates.ts';
import { newId } from '../../core/ids.ts';
import { formatMoney } from '../../core/money.ts';
import { shareOf, windowOf } from './rules.ts';

let world: World;
let person_id: string;
const TODAY = '2026-10-15';

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  world.setNow(`${TODAY}T12:00:00Z`);
});
afterAll(() => world.close());

beforeEach(async () => {
  for (const table of [
    'payments',
    'installments',
    'agreements',
    'step_executions',
    'notifications',
    'charges',
    'rule_steps',
    'collection_rules',
    'contacts',
    'people',
    'webhooks',
  ]) {
    await world.look(`delete from dunning_${table}`);
  }
  // Rows made past the operations are in no version of the books, so these get one of their own.
  await moveBooks();
  person_id = await createDebtor(world);
});

const moveBooks = () =>
  world.call('dunning_webhooks_create', { url: 'https://hooks.example.com/', events: ['*'] });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const recovery = (args: object = {}, who?: Who) => world.call('dunning_metrics_recovery', args, who);

interface PaymentFields {
  paid_on: string;
  recovered?: number | null;
  principal?: number;
  days?: number;
  method?: string;
  channel?: string | null;
  steps?: number | null;
  status?: string;
  person_id?: string;
  step_id?: string | null;
}

/** A payment as it is kept when its charge was late, unless fields say otherwise. */
async function pay(fields: PaymentFields): Promise<void> {
  const { recovered = 10_000, principal = recovered ?? 10_000, days = 10 } = fields;
  const charge = await createCharge(world, { person_id: fields.person_id ?? person_id });
  await world.look(`update dunning_charges set status = 'paid', open_cents = 0, paid_on = $2 where id = $1`, [
    charge,
    fields.paid_on,
  ]);
  const interest = Math.max(0, (recovered ?? principal) - principal);
  await world.look(
    `insert into dunning_payments (organization_id, id, person_id, charge_id, amount_cents, paid_on, effective_on, method,
                                   principal_cents, discount_cents, interest_cents, kind, channel, steps_before,
                                   recovered_cents, days_overdue, status, step_id, created_by)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, 'regular', $11, $12, $13, $14, $15, $16, $1)`,
    [
      world.organizationId,
      newId(),
      fields.person_id ?? person_id,
      charge,
      recovered ?? principal,
      fields.paid_on,
      fields.method ?? 'pix',
      principal,
      principal + interest - (recovered ?? principal),
      interest,
      fields.channel ?? null,
      fields.steps ?? null,
      recovered,
      recovered === null ? null : days,
      fields.status ?? 'confirmed',
      fields.step_id ?? null,
    ],
  );
}

/** An agreement in force with one installment. */
async function agree(
  installment: { due_date: string; amount: number; paid?: number },
  status = 'active',
): Promise<void> {
  const id = newId();
  const { due_date, amount, paid = 0 } = installment;
  await world.look(
    `insert into dunning_agreements (organization_id, id, person_id, status, as_of, original_total_cents, discount_cents,
                                     negotiated_total_cents, valid_until, default_after_days, created_by)
     values ($1, $2, $3, $4, '2026-09-01', $5, 0, $5, '2026-12-31', 15, $1)`,
    [world.organizationId, id, person_id, status, amount],
  );
  await world.look(
    `insert into dunning_installments (organization_id, id, agreement_id, number, due_date, adjusted_due_date,
                                       amount_cents, paid_cents, status)
     values ($1, $2, $3, 1, $4, $4, $5, $6, 'open')`,
    [world.organizationId, newId(), id, due_date, amount, paid],
  );
}

describe('MODEL §16: recovery', () => {
  test('of nothing is null where nothing can be divided, and every month is there', async () => {
    const metrics = await recovery();
    expect(metrics).toMatchObject({
      as_of: TODAY,
      filter: { months: 6, from: '2026-05-01', to: TODAY, person_id: null },
      recovered: { amount: '0.00', payments: 0 },
      still_overdue: { amount: '0.00', charges: 0, installments: 0 },
      recovery_rate: { percent: null, recovered: '0.00', recovered_and_overdue: '0.00' },
      average_days_overdue: { days: null, principal: '0.00' },
      average_steps: { steps: null, steps_total: 0, first_payments: 0 },
      by_method: [],
      by_channel: [],
    });
    expect(metrics['by_month'].map(({ month, is_partial }: any) => [month, is_partial])).toEqual([
      ['2026-05', false],
      ['2026-06', false],
      ['2026-07', false],
      ['2026-08', false],
      ['2026-09', false],
      ['2026-10', true],
    ]);
  });

  test('counts what was paid late and stands, with its numerators beside the figures', async () => {
    await pay({
      paid_on: '2026-10-01',
      recovered: 10_300,
      principal: 10_000,
      days: 30,
      channel: 'email',
      steps: 4,
    });
    await pay({
      paid_on: '2026-09-30',
      recovered: 30_000,
      days: 10,
      method: 'boleto',
      channel: 'sms',
      steps: 1,
    });
    await pay({ paid_on: '2026-09-01', recovered: 5_000, days: 2, method: 'boleto' });
    // In time, reversed, before the window.
    await pay({ paid_on: '2026-09-02', recovered: null });
    await pay({ paid_on: '2026-09-03', recovered: 70_000, status: 'reversed' });
    await pay({ paid_on: '2026-08-31', recovered: 90_000 });
    await createCharge(world, { person_id, amount_cents: 20_000, due_date: '2026-09-10' });
    // Past its due date, though the daily run has not come to it; then not yet late, and in an agreement.
    await createCharge(world, { person_id, amount_cents: 4_700, due_date: '2026-10-14', status: 'pending' });
    await createCharge(world, { person_id, amount_cents: 99_900, due_date: TODAY, status: 'pending' });
    const inAgreement = await createCharge(world, { person_id, due_date: '2026-01-05' });
    await world.look("update dunning_charges set status = 'in_agreement' where id = $1", [inAgreement]);
    await agree({ due_date: '2026-10-10', amount: 6_000, paid: 1_000 });
    await agree({ due_date: '2026-11-10', amount: 6_000 });
    await agree({ due_date: '2026-10-10', amount: 6_000 }, 'broken');
    expect(await recovery({ months: 2 })).toEqual({
      as_of: TODAY,
      currency: 'BRL',
      filter: { months: 2, from: '2026-09-01', to: TODAY, person_id: null },
      recovered: { amount: '453.00', payments: 3 },
      still_overdue: { amount: '297.00', charges: 2, installments: 1 },
      recovery_rate: { percent: '60.4', recovered: '453.00', recovered_and_overdue: '750.00' },
      // (30 × 100 + 10 × 300 + 2 × 50) / 450
      average_days_overdue: { days: '13.56', principal: '450.00' },
      average_steps: { steps: '2.50', steps_total: 5, first_payments: 2 },
      by_month: [
        {
          month: '2026-09',
          is_partial: false,
          amount: '350.00',
          payments: 2,
          average_days_overdue: { days: '8.86', principal: '350.00' },
        },
        {
          month: '2026-10',
          is_partial: true,
          amount: '103.00',
          payments: 1,
          average_days_overdue: { days: '30.00', principal: '100.00' },
        },
      ],
      by_method: [
        { method: 'boleto', amount: '350.00', payments: 2, percent: '77.26' },
        { method: 'pix', amount: '103.00', payments: 1, percent: '22.74' },
      ],
      by_channel: [
        { channel: 'sms', amount: '300.00', payments: 1, percent: '66.23' },
        { channel: 'email', amount: '103.00', payments: 1, percent: '22.74' },
        { channel: 'none', amount: '50.00', payments: 1, percent: '11.04' },
      ],
    });
  });

  test('months are those of São Paulo: at half past eleven in the evening there the month is not over', async () => {
    world.setNow('2026-10-01T02:30:00Z');
    const { as_of, by_month } = await recovery({ months: 1 });
    expect([as_of, by_month[0].month]).toEqual(['2026-09-30', '2026-09']);
    world.setNow(`${TODAY}T12:00:00Z`);
  });

  test('of one debtor counts theirs alone, and a debtor of another organization is missing', async () => {
    const other = await createDebtor(world);
    await pay({ paid_on: '2026-10-01', recovered: 1_000 });
    await pay({ paid_on: '2026-10-01', recovered: 2_000, person_id: other });
    await createCharge(world, { person_id: other, amount_cents: 500 });
    expect(await recovery({ person_id: other })).toMatchObject({
      recovered: { amount: '20.00', payments: 1 },
      still_overdue: { amount: '5.00', charges: 1 },
    });
    expect(await failureOf(recovery({ person_id: newId() }))).toMatchObject({ code: 'not_found' });
    expect(await failureOf(recovery({ person_id: other }, 'stranger'))).toMatchObject({ code: 'not_found' });
    expect(await recovery({}, 'stranger')).toMatchObject({
      recovered: { payments: 0 },
      still_overdue: { charges: 0 },
    });
  });

  test('a payment that its tool records is counted, and no more once it is reversed', async () => {
    // Due on a Saturday: late from the Tuesday after, counted from the Saturday.
    const charge = await createCharge(world, { person_id, amount_cents: 20_000, due_date: '2026-09-19' });
    const payment = await world.call('dunning_payments_create', {
      charge_id: charge,
      amount: '50.00',
      paid_at: '2026-09-29',
      method: 'pix',
    });
    const counted = async () => {
      const { recovered, still_overdue, recovery_rate, average_days_overdue } = await recovery();
      return [recovered, still_overdue.amount, recovery_rate.percent, average_days_overdue.days];
    };
    expect(await counted()).toEqual([{ amount: '50.00', payments: 1 }, '150.00', '25', '10.00']);
    await world.call('dunning_payments_reverse', {
      id: payment['id'] ?? payment['payment'].id,
      reason: 'returned',
    });
    expect(await counted()).toEqual([{ amount: '0.00', payments: 0 }, '200.00', '0', null]);
  });

  test('takes 1 to 24 months', async () => {
    for (const months of [0, 25, 1.5, '6']) {
      expect(await failureOf(recovery({ months }))).toMatchObject({ details: { path: 'months' } });
    }
    expect((await recovery({ months: 24 }))['by_month']).toHaveLength(24);
  });

  test('any portfolio counts as a plain walk over its payments does', async () => {
    const dates = fc
      .integer({ min: 0, max: 800 })
      .map((days) => new Date(Date.UTC(2026, 9, 15 - days)).toISOString().slice(0, 10));
    const payment = fc.record({
      paid_on: dates,
      recovered: fc.option(fc.integer({ min: 1, max: 10 ** 9 }), { freq: 4 }),
      days: fc.integer({ min: 1, max: 2_000 }),
      method: fc.constantFrom('pix', 'boleto', 'card'),
      channel: fc.option(fc.constantFrom('email', 'sms', 'whatsapp', 'letter')),
      steps: fc.option(fc.integer({ min: 0, max: 30 })),
      status: fc.constantFrom('confirmed', 'confirmed', 'confirmed', 'reversed'),
    });
    // Each run fills the database anew: a dozen portfolios rather than a thousand.
    await fc.assert(
      fc.asyncProperty(
        fc.array(payment, { maxLength: 25 }),
        fc.integer({ min: 1, max: 24 }),
        async (payments, months) => {
          await world.look('delete from dunning_payments');
          for (const one of payments) await pay(one);
          const { from } = windowOf(months, TODAY);
          const counted = payments.filter(
            (one) => one.status === 'confirmed' && one.recovered !== null && one.paid_on >= from,
          );
          const total = counted.reduce((sum, one) => sum + one.recovered!, 0);
          const metrics = await recovery({ months });
          expect(metrics['recovered']).toEqual({ amount: formatMoney(total), payments: counted.length });
          for (const { month, amount, payments: count } of metrics['by_month']) {
            const own = counted.filter(({ paid_on }) => monthOf(paid_on) === month);
            expect([amount, count]).toEqual([
              formatMoney(own.reduce((sum, one) => sum + one.recovered!, 0)),
              own.length,
            ]);
          }
          for (const { channel, amount, percent } of metrics['by_channel']) {
            const own = counted.filter((one) => (one.channel ?? 'none') === channel);
            const cents = own.reduce((sum, one) => sum + one.recovered!, 0);
            expect([amount, percent]).toEqual([formatMoney(cents), shareOf(cents, total)]);
          }
          const firsts = counted.filter(({ steps }) => steps !== null);
          expect(metrics['average_steps']).toMatchObject({
            steps_total: firsts.reduce((sum, { steps }) => sum + steps!, 0),
            first_payments: firsts.length,
          });
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('the portfolio today', () => {
  beforeEach(async () => {
    const terms = {
      fine: { kind: 'percent', percent: 20_000 },
      interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
      discounts: [],
    };
    await createCharge(world, { person_id, amount_cents: 10_000, due_date: '2026-09-15', terms });
    await createCharge(world, { person_id, amount_cents: 5_000, due_date: '2026-10-14', status: 'pending' });
    await createCharge(world, { person_id, amount_cents: 7_000, due_date: '2026-12-01', status: 'pending' });
    const disputed = await createCharge(world, { person_id, amount_cents: 3_000, due_date: '2026-06-01' });
    await world.look('update dunning_charges set is_disputed = true where id = $1', [disputed]);
    const reported = await createCharge(world, { person_id, amount_cents: 2_000, due_date: '2026-01-02' });
    await world.look("update dunning_charges set legal_kind = 'negativation' where id = $1", [reported]);
    const agreed = await createCharge(world, { person_id, amount_cents: 8_000, due_date: '2026-02-02' });
    await world.look("update dunning_charges set status = 'in_agreement' where id = $1", [agreed]);
    const closed = await createCharge(world, { person_id, amount_cents: 1_000 });
    await world.look("update dunning_charges set status = 'canceled', open_cents = 0 where id = $1", [
      closed,
    ]);
    await agree({ due_date: '2026-10-10', amount: 6_000, paid: 1_000 });
    await agree({ due_date: '2026-11-10', amount: 2_000 }, 'accepted');
    await agree({ due_date: '2026-10-10', amount: 9_000 }, 'proposed');
  });

  test('is told by what counts apart, with what is due today', async () => {
    const overview = await world.call('dunning_metrics_overview', {}, 'viewer');
    expect(overview).toEqual({
      as_of: TODAY,
      currency: 'BRL',
      filter: { person_id: null },
      // 100.00 with 2.00 fine and 30 days of 1 % a month.
      open: { charges: 5, open_principal: '270.00', amount_due: '273.00' },
      not_yet_due: { charges: 1, open_principal: '70.00', amount_due: '70.00' },
      overdue: { charges: 4, open_principal: '200.00', amount_due: '203.00' },
      in_agreement: {
        charges: 1,
        open_principal: '80.00',
        agreements: 2,
        installments_open: '70.00',
        installments_overdue: '50.00',
      },
      disputed: { charges: 1, open_principal: '30.00', amount_due: '30.00' },
      in_legal_action: {
        charges: 1,
        open_principal: '20.00',
        amount_due: '20.00',
        negativations: 1,
        protests: 0,
      },
    });
  });

  test('of one debtor is theirs alone, of another organization nothing', async () => {
    const other = await createDebtor(world);
    await createCharge(world, { person_id: other, amount_cents: 400 });
    const { open, in_agreement } = await world.call('dunning_metrics_overview', { person_id: other });
    expect([open.charges, open.open_principal, in_agreement.agreements]).toEqual([1, '4.00', 0]);
    expect(
      await failureOf(world.call('dunning_metrics_overview', { person_id: other }, 'stranger')),
    ).toMatchObject({
      code: 'not_found',
    });
    expect((await world.call('dunning_metrics_overview', {}, 'stranger'))['open'].charges).toBe(0);
  });

  test('is made anew once the books change', async () => {
    const charges = async () => (await world.call('dunning_metrics_overview'))['open'].charges;
    expect(await charges()).toBe(5);
    await createCharge(world, { person_id });
    await moveBooks();
    expect(await charges()).toBe(6);
  });

  test('by age counts from the due date, and what is in an agreement is left out', async () => {
    const aging = await world.call('dunning_metrics_aging');
    const lines = aging['bands'].map(({ from_days, to_days, charges, open_principal }: any) => [
      from_days,
      to_days,
      charges,
      open_principal,
    ]);
    expect(lines).toEqual([
      [1, 30, 2, '150.00'],
      [31, 90, 0, '0.00'],
      [91, null, 2, '50.00'],
    ]);
    expect(aging).toMatchObject({
      not_yet_due: { charges: 1, open_principal: '70.00' },
      overdue: { charges: 4, amount_due: '203.00' },
      total: { charges: 5, open_principal: '270.00', amount_due: '273.00' },
      groups: [],
      groups_count: 0,
    });
  });

  test('by age and group shows the largest first, and the groups make the whole', async () => {
    const other = await createDebtor(world, { name: 'Maior', state: 'RJ', kind: 'natural' });
    await createCharge(world, { person_id: other, amount_cents: 90_000 });
    const nowhere = await createDebtor(world, { state: null });
    await createCharge(world, { person_id: nowhere, amount_cents: 10 });
    const by = (group_by: string) => world.call('dunning_metrics_aging', { group_by });
    const { groups, groups_count, total } = await by('person');
    expect(groups.map(({ key, name }: any) => [key, name]).slice(0, 1)).toEqual([[other, 'Maior']]);
    expect([groups.length, groups_count]).toEqual([3, 3]);
    expect(groups.reduce((sum: number, group: any) => sum + group.total.charges, 0)).toBe(total.charges);
    expect((await by('state'))['groups'].map(({ key }: any) => key)).toEqual(['RJ', 'SP', null]);
    expect((await by('person_kind'))['groups'].map(({ key }: any) => key)).toEqual(['natural', 'legal']);
    expect((await by('collection_rule'))['groups'].map(({ key, name }: any) => [key, name])).toEqual([
      [null, null],
    ]);
  });

  test('refuses bands that do not rise and other groups', async () => {
    for (const [args, path] of [
      [{ bands: [30, 10] }, 'bands'],
      [{ bands: [] }, 'bands'],
      [{ group_by: 'company' }, 'group_by'],
    ] as const) {
      expect(await failureOf(world.call('dunning_metrics_aging', args))).toMatchObject({ details: { path } });
    }
  });
});

describe('messages and what was paid after them', () => {
  let ruleId: string;
  let stepId: string;

  async function message(
    channel: string,
    status: string,
    at: string,
    stamps: readonly string[],
  ): Promise<string> {
    const id = newId();
    const stamp = (name: string) => (stamps.includes(name) ? at : null);
    await world.look(
      `insert into dunning_notifications (organization_id, id, person_id, channel, trigger, scheduled_for, status, sent_at,
                                          delivered_at, read_at, created_by, created_at)
       values ($1, $2, $3, $4, 'manual', $5, $6, $7, $8, $9, $1, $5)`,
      [
        world.organizationId,
        id,
        person_id,
        channel,
        at,
        status,
        stamp('sent'),
        stamp('delivered'),
        stamp('read'),
      ],
    );
    return id;
  }

  async function execution(status: string, step_on: string, notification: string | null): Promise<void> {
    const charge = await createCharge(world, { person_id });
    await world.look(
      `insert into dunning_step_executions (organization_id, id, charge_id, person_id, rule_id, step_id, cycle, action,
                                            step_on, due_at, status, notification_id)
       values ($1, $2, $3, $4, $5, $6, 1, 'task', $7::date, $7::date, $8, $9)`,
      [world.organizationId, newId(), charge, person_id, ruleId, stepId, step_on, status, notification],
    );
  }

  beforeEach(async () => {
    [ruleId, stepId] = [newId(), newId()];
    await world.look(
      `insert into dunning_collection_rules (organization_id, id, name, created_by) values ($1, $2, 'Régua', $1)`,
      [world.organizationId, ruleId],
    );
    await world.look(
      `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action,
                                       created_by)
       values ($1, $2, $3, 0, 5, 'calendar', '09:00', 'task', $1)`,
      [world.organizationId, stepId, ruleId],
    );
  });

  test('are told by channel, of the months as they are in São Paulo', async () => {
    await message('email', 'read', '2026-10-02T12:00:00Z', ['sent', 'delivered', 'read']);
    await message('email', 'delivered', '2026-10-02T12:00:00Z', ['sent', 'delivered']);
    await message('email', 'bounced', '2026-10-02T12:00:00Z', ['sent']);
    await message('sms', 'skipped', '2026-10-02T12:00:00Z', []);
    // Still September there; and early October.
    await message('email', 'sent', '2026-10-01T02:59:00Z', ['sent']);
    await message('sms', 'sent', '2026-10-01T03:00:00Z', ['sent']);
    await pay({ paid_on: '2026-10-05', recovered: 5_000, channel: 'email' });
    await pay({ paid_on: '2026-10-05', recovered: 700, channel: null });
    await pay({ paid_on: '2026-09-05', recovered: 900, channel: 'email' });
    expect(await world.call('dunning_metrics_channels', { months: 1 })).toEqual({
      as_of: TODAY,
      currency: 'BRL',
      filter: { months: 1, from: '2026-10-01', to: TODAY },
      channels: [
        {
          channel: 'email',
          sent: 3,
          delivered: 2,
          read: 1,
          failed: 1,
          delivery_rate: '66.67',
          read_rate: '50',
          payments: 1,
          amount: '50.00',
          payment_rate: '50',
        },
        {
          channel: 'sms',
          sent: 1,
          delivered: 0,
          read: 0,
          failed: 0,
          delivery_rate: '0',
          read_rate: null,
          payments: 0,
          amount: '0.00',
          payment_rate: null,
        },
      ],
      without_message: { amount: '7.00', payments: 1 },
    });
    expect((await world.call('dunning_metrics_channels', {}, 'stranger'))['channels']).toEqual([]);
  });

  test('are told by rule and step', async () => {
    const sent = await message('email', 'delivered', '2026-10-02T12:00:00Z', ['sent', 'delivered']);
    await execution('done', '2026-10-02', sent);
    await execution('done', '2026-10-03', null);
    await execution('skipped', '2026-10-04', null);
    await execution('failed', '2026-10-05', null);
    await execution('scheduled', '2026-10-15', null);
    await execution('done', '2026-08-02', null);
    await pay({ paid_on: '2026-10-05', recovered: 5_000, channel: 'email', step_id: stepId });
    const { rules, rules_count } = await world.call('dunning_metrics_rules', { months: 1 });
    const figures = {
      done: 2,
      skipped: 1,
      failed: 1,
      scheduled: 1,
      messages: { sent: 1, delivered: 1, read: 0, failed: 0, delivery_rate: '100', read_rate: '0' },
      payments: 1,
      amount: '50.00',
      payment_rate: '100',
    };
    expect(rules).toEqual([
      {
        id: ruleId,
        name: 'Régua',
        ...figures,
        steps: [{ id: stepId, offset_days: 5, action: 'task', channel: null, ...figures }],
      },
    ]);
    expect(rules_count).toBe(1);
    const ofOther = await world.call('dunning_metrics_rules', { rule_id: newId() });
    expect([ofOther['rules'], ofOther['rules_count']]).toEqual([[], 0]);
    expect((await world.call('dunning_metrics_rules', { months: 3, rule_id: ruleId }))['rules'][0].done).toBe(
      3,
    );
    expect((await world.call('dunning_metrics_rules', {}, 'stranger'))['rules']).toEqual([]);
  });
});
