/** Random lives of charges on the real database, held against what their standing payments alone would make of them. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays } from '../../src/core/dates.ts';
import { sql } from '../../src/db/sql.ts';
import { amountDueSql } from '../../src/dunning/charges/amount-sql.ts';
import { type Entry, owedOn, replayOf } from '../../src/dunning/charges/reckoning.ts';
import { createCharge, createDebtor } from '../support/dunning.ts';
import { openWorld, type World } from '../support/world.ts';

/** Each run is some ten calls on a real database, so there are fewer of them than of pure properties. */
const RUNS = 15;
const START = '2026-10-01';
const ways = { interestFrom: 'original', allocationOrder: 'interest_fine_principal' } as const;

let world: World;
let person: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  person = await createDebtor(world);
});
afterAll(() => world.close());

type Step =
  | {
      readonly kind: 'pay';
      readonly cents: number;
      readonly daysAgo: number;
      readonly method: 'pix' | 'boleto';
    }
  | { readonly kind: 'payOff' }
  | { readonly kind: 'reverse'; readonly which: number }
  | { readonly kind: 'wait'; readonly days: number }
  | { readonly kind: 'extend'; readonly days: number }
  | { readonly kind: 'reterm'; readonly percent: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      cents: fc.integer({ min: 1, max: 9_000 }),
      daysAgo: fc.integer({ min: 0, max: 60 }),
      method: fc.constantFrom('pix' as const, 'boleto' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'payOff' as const }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reverse' as const), which: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('extend' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reterm' as const),
      percent: fc.integer({ min: 0, max: 90_000 }),
    }),
  },
);

const terms = {
  discounts: [{ kind: 'percent', percent: 50_000, until: '2026-09-20' }],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 33_333, days: 'calendar' },
  graceDays: 0,
};

it('MODEL §14.19: a charge is worth what its standing payments make of it, whatever was recorded and taken back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const id = await createCharge(world, { person_id: person, due_date: '2026-09-10', terms });
      let today = START;
      const at = () => world.setNow(`${today}T15:00:00Z`);
      at();
      for (const taken of steps) {
        if (taken.kind === 'wait') {
          today = addDays(today, taken.days);
          at();
        } else {
          await take(id, taken, today);
        }
        await check(id, today);
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);

async function take(id: string, taken: Exclude<Step, { kind: 'wait' }>, today: string): Promise<void> {
  const charge = await world.call('dunning_charges_get', { id });
  const isCollected = charge['status'] === 'pending' || charge['status'] === 'overdue';
  switch (taken.kind) {
    case 'pay':
      await pay(id, (taken.cents / 100).toFixed(2), addDays(today, -taken.daysAgo), taken.method);
      return;
    case 'payOff':
      if (charge['amount_due'] !== '0.00') await pay(id, charge['amount_due'], today, 'pix');
      return;
    case 'reverse': {
      const standing = charge['payments'].filter(({ status }: any) => status === 'confirmed');
      if (standing.length === 0) return;
      const { id: payment } = standing[taken.which % standing.length];
      await world.call('dunning_payments_reverse', { id: payment, reason: 'estorno' });
      return;
    }
    case 'extend':
      if (!isCollected) return;
      await world.call('dunning_charges_update', { id, due_date: addDays(charge['due_date'], taken.days) });
      return;
    case 'reterm': {
      if (!isCollected) return;
      const interest = { kind: 'percent_per_month', value: (taken.percent / 10_000).toFixed(4) };
      await world.call('dunning_charges_update', { id, terms: { interest } });
      return;
    }
  }
}

async function pay(charge_id: string, amount: string, paid_at: string, method: string): Promise<void> {
  await world.call('dunning_payments_create', { charge_id, amount, paid_at, method });
}

/** From the rows alone: what stands, in its order, and all that follows from it. */
async function check(id: string, today: string): Promise<void> {
  const [charge] = await world.look<any>(
    `select *, due_date::text, adjusted_due_date::text, paid_on::text from dunning_charges where id = $1`,
    [id],
  );
  const payments = await world.look<any>(
    `select *, paid_on::text, effective_on::text from dunning_payments p where charge_id = $1
      order by p.effective_on, p.id`,
    [id],
  );
  const standing = payments.filter(({ status, kind }) => status === 'confirmed' && kind !== 'duplicate');
  const entries = standing.map(
    (row): Entry => ({
      payment_id: row.id,
      discount_cents: 0,
      paid_on: row.paid_on,
      effective_on: row.effective_on,
      amount_cents: Number(row.amount_cents),
    }),
  );
  const owed = {
    ...charge,
    amount_cents: Number(charge.amount_cents),
    abatement_cents: Number(charge.abatement_cents),
  };
  const replay = replayOf(owed, entries, ways);
  expect(Number(charge.open_cents)).toBe(replay.amounts.openPrincipal);
  expect(charge.ledger).toEqual(replay.ledger);
  expect(charge.status === 'paid').toBe(replay.isSettled);
  expect(charge.paid_on === null).toBe(charge.status !== 'paid');
  expect(charge.rule_cycle).toBeGreaterThan(0);
  for (const [index, row] of standing.entries()) {
    const { principal, discount, interest, fine, excess } = replay.allocations[index]!;
    expect(
      [row.principal_cents, row.discount_cents, row.interest_cents, row.fine_cents, row.excess_cents].map(
        Number,
      ),
    ).toEqual([principal, discount, interest, fine, excess]);
    expect(row.needs_refund).toBe(excess > 0);
  }
  for (const row of payments.filter(({ kind }) => kind === 'duplicate')) {
    expect(row.excess_cents).toBe(row.amount_cents);
  }
  const { amountDue } = owedOn(owed, entries, today, ways);
  expect((await world.call('dunning_charges_get', { id }))['amount_due']).toBe((amountDue / 100).toFixed(2));
  const statement = sql`select ${amountDueSql('c', today, ways)} as due from dunning_charges c where id = ${id}`;
  const [summed] = await world.look<any>(statement.text, [...statement.values]);
  expect(Number(summed.due)).toBe(amountDue);
}
