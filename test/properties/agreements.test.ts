/** MODEL §14.12 and §14.20 as pure properties: figures, installments, and what payments are worth on charges. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Terms } from '../../src/core/accruals.ts';
import { addDays, type CivilDate } from '../../src/core/dates.ts';
import type { Cents } from '../../src/core/money.ts';
import {
  type Credit,
  creditsOf,
  creditsOfCompletion,
  type Debt,
} from '../../src/dunning/agreements/credits.ts';
import {
  discountOf,
  dueOf,
  inProportion,
  installmentsOfPlan,
  requireSchedule,
  spreadDiscount,
  totalDueOf,
} from '../../src/dunning/agreements/figures.ts';
import {
  fillSlots,
  paidOf,
  replaySlots,
  type Slot,
  type UsedPayment,
} from '../../src/dunning/agreements/rules.ts';
import { allowedDiscount } from '../../src/dunning/campaigns/rules.ts';
import { type Entry, inOrder, type Owed, owedOn, type Ways } from '../../src/dunning/charges/index.ts';

const TODAY = '2026-10-01';
const sumOf = (cents: readonly Cents[]) => cents.reduce((sum, one) => sum + one, 0);

const cents = (max = 500_000) => fc.integer({ min: 1, max });
const centsOrZero = (max = 100_000) => fc.integer({ min: 0, max });

const parts = fc.record({ principal: cents(), interest: centsOrZero(), fine: centsOrZero(20_000) });
const debts = fc
  .array(parts, { minLength: 1, maxLength: 8 })
  .map((all) => all.map((one, index) => ({ ...one, chargeId: `charge-${index}` })));

describe('figures', () => {
  test('MODEL §14.12: installments add up to what is negotiated, that to the debt less the discount; dates rise', () => {
    const plans = fc.record({
      debts,
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
      down: fc.double({ min: 0, max: 0.9, noNaN: true }),
      count: fc.integer({ min: 1, max: 119 }),
      wait: fc.integer({ min: 0, max: 60 }),
      until: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(plans, ({ debts, share, down, count, wait, until }) => {
        const total = totalDueOf(debts);
        const negotiated = total - Math.floor(total * share);
        const downPayment = Math.floor(negotiated * down);
        fc.pre(negotiated - downPayment >= count);
        const validUntil = addDays(TODAY, until);
        const first = addDays(validUntil, wait + (downPayment > 0 ? 1 : 0));
        const plan = { down_payment: downPayment, installments: count, first_due_date: first };
        const schedule = installmentsOfPlan(plan, negotiated, validUntil);
        requireSchedule(schedule, negotiated, { today: TODAY, validUntil, path: 'plan' });
        expect(sumOf(schedule.map(({ amount }) => amount))).toBe(negotiated);
        expect(schedule.every(({ amount }) => amount > 0)).toBe(true);
        expect(schedule[0]!.dueDate >= TODAY).toBe(true);
        const dates = schedule.map(({ dueDate }) => dueDate);
        expect(dates).toEqual([...new Set(dates)].sort());
        const monthly = schedule.slice(-count).map(({ amount }) => amount);
        expect(Math.max(...monthly) - Math.min(...monthly)).toBeLessThanOrEqual(1);
        expect(discountOf(total, negotiated, {})).toBe(total - negotiated);
      }),
    );
  });

  test('parts in proportion add up, and none is above its weight or more than a centavo off', () => {
    const weights = fc.array(centsOrZero(10_000_000_000), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (weights, share) => {
        const sum = sumOf(weights);
        const total = Math.floor(sum * share);
        const spread = inProportion(total, weights);
        expect(sumOf(spread)).toBe(total);
        for (const [index, part] of spread.entries()) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(weights[index]!);
          const exact = sum === 0 ? 0 : (total / sum) * weights[index]!;
          expect(Math.abs(part - exact)).toBeLessThan(1.001);
        }
      }),
    );
  });

  test('a discount is spread whole: fine and interest first, and of each no more than a campaign allows', () => {
    const tiers = fc.record({
      charges: fc.integer({ min: 0, max: 1_000_000 }),
      principal: fc.integer({ min: 0, max: 900_000 }),
    });
    const cases = fc.record({
      debts,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      tiers: fc.option(tiers),
    });
    fc.assert(
      fc.property(cases, ({ debts, share, tiers }) => {
        const allowed =
          tiers === null
            ? undefined
            : allowedDiscount(
                [
                  { installments_up_to: 1, discount_percent: tiers.charges, applies_to: 'charges' },
                  { installments_up_to: 1, discount_percent: tiers.principal, applies_to: 'principal' },
                ],
                debts,
                1,
              );
        const most = allowed === undefined ? totalDueOf(debts) : allowed.charges + allowed.principal;
        const discount = Math.floor(most * share);
        const shares = spreadDiscount(discount, debts, allowed);
        expect(sumOf(shares.map((one) => one.discount))).toBe(discount);
        for (const one of shares) expect(one.discount).toBeLessThanOrEqual(dueOf(one));
        const accessories = sumOf(debts.map(({ interest, fine }) => interest + fine));
        const offPrincipal = discount - Math.min(discount, allowed?.charges ?? accessories);
        const principals = sumOf(shares.map((one) => Math.max(0, one.discount - one.interest - one.fine)));
        expect(principals).toBeLessThanOrEqual(offPrincipal);
      }),
    );
  });
});

describe('installments', () => {
  const schedules = fc
    .array(cents(5_000), { minLength: 1, maxLength: 6 })
    .map((amounts) =>
      amounts.map(
        (amount, index): Slot => ({ id: `i${index}`, number: index + 1, amount, paid: 0, paidOn: null }),
      ),
    );
  const moves = fc.array(fc.record({ at: fc.nat(), cents: cents(6_000), undo: fc.boolean() }), {
    maxLength: 12,
  });

  test('MODEL §14.19: after any payments and reversals they stand as if the reversed ones had never come', () => {
    fc.assert(
      fc.property(schedules, moves, (schedule, moves) => {
        const total = sumOf(schedule.map(({ amount }) => amount));
        let kept: UsedPayment[] = [];
        let slots: Slot[] = schedule;
        for (const { at, cents, undo } of moves) {
          if (undo && kept.length > 0) {
            kept = kept.filter((_, index) => index !== at % kept.length);
            slots = replaySlots(slots, kept);
          } else {
            const installmentId = schedule[at % schedule.length]!.id;
            const payment = { installmentId, cents, paidOn: TODAY };
            const filled = fillSlots(slots, payment);
            const used = cents - filled.left;
            expect(used).toBe(Math.min(cents, total - paidOf(slots)));
            if (used > 0) kept.push({ ...payment, cents: used });
            slots = filled.slots;
          }
          expect(paidOf(slots)).toBe(sumOf(kept.map((payment) => payment.cents)));
          expect(slots).toEqual(replaySlots(schedule, kept));
          for (const { paid, amount, paidOn } of slots) {
            expect(paid >= 0 && paid <= amount && (paidOn !== null) === (paid === amount)).toBe(true);
          }
        }
      }),
    );
  });
});

const WAYS: Ways = { interestFrom: 'original', allocationOrder: 'interest_fine_principal' };

const terms: fc.Arbitrary<Terms | null> = fc.option(
  fc.record({
    discounts: fc.constant([]),
    fine: fc.option(
      fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 0, max: 20_000 }) }),
    ),
    interest: fc.record({
      kind: fc.constant('percent_per_month' as const),
      percent: fc.integer({ min: 0, max: 30_000 }),
      days: fc.constantFrom('calendar' as const, 'business' as const),
    }),
    graceDays: fc.integer({ min: 0, max: 5 }),
  }),
);

interface Charge extends Owed {
  readonly id: string;
}

const charges: fc.Arbitrary<Charge[]> = fc
  .array(fc.record({ amount: cents(), terms, late: fc.integer({ min: -20, max: 200 }) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) =>
    all.map(({ amount, terms, late }, index) => ({
      id: `charge-${index}`,
      amount_cents: amount,
      abatement_cents: 0,
      due_date: addDays(TODAY, -late),
      terms,
      status: 'in_agreement',
    })),
  );

const receipts = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 90 }),
    share: fc.double({ min: 0.01, max: 0.4, noNaN: true }),
  }),
  {
    maxLength: 6,
  },
);

const entryOf = ({ on, cents }: Credit): Entry => ({
  payment_id: null,
  discount_cents: 0,
  paid_on: on,
  effective_on: on,
  amount_cents: cents,
});

const amountsOf = (charge: Charge, credits: readonly Credit[], on: CivilDate) =>
  owedOn(charge, inOrder(credits.filter(({ chargeId }) => chargeId === charge.id).map(entryOf)), on, WAYS);

const debtOf = (charge: Charge): Debt => ({
  chargeId: charge.id,
  dueDate: charge.due_date,
  dueOn: (on, credits) => amountsOf(charge, credits, on).amountDue,
});

/** Payments that fit an agreement over these charges: in all no more than is due today. */
function fitting(charges: readonly Charge[], wanted: readonly { after: number; share: number }[]) {
  const total = sumOf(charges.map((charge) => amountsOf(charge, [], TODAY).amountDue));
  let left = total;
  return wanted.flatMap(({ after, share }, index) => {
    const cents = Math.min(left, Math.floor(total * share));
    left -= cents;
    return cents === 0 ? [] : [{ id: `payment-${index}`, on: addDays(TODAY, after), cents }];
  });
}

describe('an agreement that ends early', () => {
  test('MODEL §14.20: what is owed again is the updated debt less every centavo paid, none counted twice', () => {
    fc.assert(
      fc.property(charges, receipts, fc.integer({ min: 90, max: 400 }), (charges, wanted, later) => {
        const paid = fitting(charges, wanted);
        const credits = creditsOf(charges.map(debtOf), paid);
        for (const { id, cents } of paid) {
          const own = credits.filter(({ paymentId }) => paymentId === id);
          expect(sumOf(own.map((credit) => credit.cents))).toBe(cents);
        }
        const after = charges.map((charge) => amountsOf(charge, credits, addDays(TODAY, later)));
        const updated = sumOf(after.map(({ base, fine, interest }) => base + fine + interest));
        const owed = sumOf(after.map(({ amountDue }) => amountDue));
        expect(sumOf(after.map(({ excess }) => excess))).toBe(0);
        expect(owed).toBe(updated - sumOf(paid.map(({ cents }) => cents)));
        expect(after.every(({ discount }) => discount === 0)).toBe(true);
      }),
    );
  });

  test('MODEL §14.20: payments of the very day leave exactly the debt of the day less them, oldest first', () => {
    fc.assert(
      fc.property(charges, receipts, (charges, wanted) => {
        const paid = fitting(charges, wanted).map((one) => ({ ...one, on: TODAY }));
        const credits = creditsOf(charges.map(debtOf), paid);
        const before = charges.map((charge) => amountsOf(charge, [], TODAY).amountDue);
        const after = charges.map((charge) => amountsOf(charge, credits, TODAY).amountDue);
        expect(sumOf(after)).toBe(sumOf(before) - sumOf(paid.map(({ cents }) => cents)));
        const inOrderOfDates = charges
          .map((charge, index) => ({ due: charge.due_date, after: after[index]!, before: before[index]! }))
          .toSorted((left, right) => (left.due < right.due ? -1 : left.due > right.due ? 1 : 0));
        const firstOpen = inOrderOfDates.findIndex((one) => one.after > 0);
        if (firstOpen === -1) return;
        expect(inOrderOfDates.slice(firstOpen + 1).every((one) => one.after === one.before)).toBe(true);
      }),
    );
  });
});

test('a completed agreement credits each charge with its debt less its part of the discount', () => {
  fc.assert(
    fc.property(
      debts,
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      fc.array(cents(), { maxLength: 6 }),
      (debts, share, cuts) => {
        const total = totalDueOf(debts);
        const discount = Math.floor(total * share);
        const shares = spreadDiscount(discount, debts).map((one, index) => ({
          ...one,
          dueDate: addDays(TODAY, index % 3),
        }));
        let left = total - discount;
        const paid = [...cuts, total].flatMap((cut, index) => {
          const cents = Math.min(cut, left);
          left -= cents;
          return cents === 0 ? [] : [{ id: `payment-${index}`, on: addDays(TODAY, index), cents }];
        });
        const credits = creditsOfCompletion(shares, paid);
        for (const one of shares) {
          const own = credits.filter(({ chargeId }) => chargeId === one.chargeId);
          expect(sumOf(own.map(({ cents }) => cents))).toBe(dueOf(one) - one.discount);
        }
      },
    ),
  );
});
