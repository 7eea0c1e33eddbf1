import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Terms } from './accruals.ts';
import { NO_TERMS } from './accruals.ts';
import { isBusinessDay } from './calendar.ts';
import { addDays } from './dates.ts';
import { percentOf } from './money.ts';
import type { AmountsQuestion, TermsPayment } from './terms.ts';
import { amountsAt } from './terms.ts';

/** A Tuesday with no holiday near it. */
const DUE = '2026-03-10';
const MONTHLY: Terms = {
  ...NO_TERMS,
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
};
const WITH_FINE: Terms = { ...MONTHLY, fine: { kind: 'percent', percent: 20_000 } };

function ask(changes: Partial<AmountsQuestion>) {
  return amountsAt({ amount: 10_000, dueDate: DUE, terms: WITH_FINE, on: DUE, ...changes });
}

describe('one document without payments', () => {
  test('owes the face value until the adjusted due date', () => {
    expect(ask({ on: DUE })).toEqual({
      base: 10_000,
      discount: 0,
      fine: 0,
      interest: 0,
      paid: 0,
      excess: 0,
      openPrincipal: 10_000,
      unpaidFine: 0,
      unpaidInterest: 0,
      discountOnOffer: 0,
      amountDue: 10_000,
      adjustedDueDate: DUE,
      daysLate: 0,
      allocations: [],
    });
  });

  test('PITFALL 14: adds nothing on the due date and one day on the next', () => {
    expect(ask({ on: DUE })).toMatchObject({ fine: 0, interest: 0, daysLate: 0 });
    expect(ask({ on: '2026-03-11' })).toMatchObject({ fine: 200, interest: 3, daysLate: 1 });
  });

  test('PITFALL 21: 100.00, 5 days, 1 %/month and fine 2 % is 102.17', () => {
    expect(ask({ on: addDays(DUE, 5) })).toMatchObject({ fine: 200, interest: 17, amountDue: 10_217 });
  });

  test('PITFALL 22: 30,000.00 for a day is 10.00 and 100,000.00 for 30 days is 1,000.00', () => {
    expect(ask({ amount: 3_000_000, terms: MONTHLY, on: addDays(DUE, 1) }).interest).toBe(1000);
    expect(ask({ amount: 10_000_000, terms: MONTHLY, on: addDays(DUE, 30) }).interest).toBe(100_000);
  });

  test('PITFALL 23: 10.00 with an abatement of 0.05 % is 9.99', () => {
    expect(ask({ amount: 1000, abatement: percentOf(1000, 500) })).toMatchObject({
      base: 999,
      amountDue: 999,
    });
  });

  test('PITFALL 24: due on a Saturday, 10.00 on Monday and 10.30 on Tuesday', () => {
    const question: AmountsQuestion = {
      amount: 1000,
      dueDate: '2021-02-27',
      terms: { ...NO_TERMS, interest: { kind: 'fixed_per_day', cents: 10, days: 'calendar' } },
      on: '2021-03-01',
    };
    expect(amountsAt(question)).toMatchObject({
      amountDue: 1000,
      daysLate: 0,
      adjustedDueDate: '2021-03-01',
    });
    expect(amountsAt({ ...question, on: '2021-03-02' })).toMatchObject({ amountDue: 1030, daysLate: 3 });
    expect(amountsAt({ ...question, on: '2021-03-02', interestFrom: 'adjusted' })).toMatchObject({
      amountDue: 1010,
      daysLate: 1,
    });
  });

  test('PITFALL 13: due on the holiday 2018-10-12, it is overdue only from 2018-10-16', () => {
    const late = (on: string) => ask({ dueDate: '2018-10-12', on }).daysLate;
    expect(['2018-10-12', '2018-10-13', '2018-10-15', '2018-10-16'].map(late)).toEqual([0, 0, 0, 4]);
    expect(ask({ dueDate: '2018-10-12', on: '2018-10-15' }).amountDue).toBe(10_000);
  });

  test('PITFALL 25: the fine is flat and beside the interest: 103.00 after 30 days, 104.00 after 60', () => {
    expect(ask({ on: addDays(DUE, 30) })).toMatchObject({ fine: 200, interest: 100, amountDue: 10_300 });
    expect(ask({ on: addDays(DUE, 60) })).toMatchObject({ fine: 200, interest: 200, amountDue: 10_400 });
  });

  test('PITFALL 27: a zero rate leaves the fixed fine of 50.00', () => {
    const terms: Terms = {
      ...NO_TERMS,
      fine: { kind: 'fixed', cents: 5000 },
      interest: { kind: 'percent_per_month', percent: 0, days: 'calendar' },
    };
    expect(ask({ terms, on: addDays(DUE, 10) }).amountDue).toBe(15_000);
  });

  test('business-day interest counts the business days after the adjusted due date', () => {
    const terms: Terms = { ...NO_TERMS, interest: { kind: 'fixed_per_day', cents: 10, days: 'business' } };
    expect(ask({ terms, dueDate: '2026-02-14', on: '2026-02-18' }).interest).toBe(0);
    expect(ask({ terms, dueDate: '2026-02-14', on: '2026-02-23' }).interest).toBe(30);
  });

  test('days of grace delay the charge, then it counts from the due date', () => {
    const terms: Terms = { ...WITH_FINE, graceDays: 3 };
    expect(ask({ terms, on: addDays(DUE, 3) })).toMatchObject({ fine: 0, interest: 0, daysLate: 3 });
    expect(ask({ terms, on: addDays(DUE, 4) })).toMatchObject({ fine: 200, interest: 13, daysLate: 4 });
  });

  test('withholdings and abatement reduce the base that fine and interest run on', () => {
    const changes = { amount: 12_000, abatement: 500, withholdings: 1500, on: addDays(DUE, 30) };
    expect(ask(changes)).toMatchObject({ base: 10_000, fine: 200, interest: 100, amountDue: 10_300 });
  });

  test('a fully abated document owes nothing, however late', () => {
    const terms: Terms = { ...MONTHLY, fine: { kind: 'fixed', cents: 5000 } };
    expect(ask({ terms, abatement: 10_000, on: addDays(DUE, 90) })).toMatchObject({
      amountDue: 0,
      daysLate: 0,
    });
  });

  test('refuses broken amounts', () => {
    expect(() => ask({ abatement: 10_001 })).toThrow(RangeError);
    expect(() => ask({ amount: -1 })).toThrow(RangeError);
    expect(() => ask({ amount: 0.5 })).toThrow(RangeError);
    expect(() => ask({ payments: [{ on: DUE, amount: -1 }] })).toThrow(RangeError);
    expect(() => ask({ terms: { ...NO_TERMS, graceDays: -1 } })).toThrow(RangeError);
  });
});

describe('partial and late payments', () => {
  test('PITFALL 26: 200.00 on day 30 is 10.00 interest and 190.00 principal; the next 30 days bear 8.10', () => {
    const question: AmountsQuestion = {
      amount: 100_000,
      dueDate: DUE,
      terms: MONTHLY,
      payments: [{ on: addDays(DUE, 30), amount: 20_000 }],
      on: addDays(DUE, 30),
    };
    const onDay30 = amountsAt(question);
    expect(onDay30.allocations).toEqual([
      { interest: 1000, fine: 0, principal: 19_000, discount: 0, excess: 0 },
    ]);
    expect(onDay30).toMatchObject({ openPrincipal: 81_000, unpaidInterest: 0, amountDue: 81_000 });
    const onDay60 = amountsAt({ ...question, on: addDays(DUE, 60) });
    expect(onDay60).toMatchObject({ interest: 1810, unpaidInterest: 810, amountDue: 81_810 });
  });

  test('goes to interest, then fine, then principal', () => {
    const on = addDays(DUE, 30);
    const after = (amount: number) => ask({ payments: [{ on, amount }], on });
    expect(after(60)).toMatchObject({ unpaidInterest: 40, unpaidFine: 200, openPrincipal: 10_000 });
    expect(after(150)).toMatchObject({ unpaidInterest: 0, unpaidFine: 150, openPrincipal: 10_000 });
    expect(after(1300)).toMatchObject({ unpaidInterest: 0, unpaidFine: 0, openPrincipal: 9000 });
  });

  test.each([
    ['interest_fine_principal', { interest: 100, fine: 50, principal: 0 }],
    ['fine_interest_principal', { interest: 0, fine: 150, principal: 0 }],
    ['interest_principal_fine', { interest: 100, fine: 0, principal: 50 }],
  ] as const)('keeps the order %s when it is set', (allocationOrder, expected) => {
    const on = addDays(DUE, 30);
    const { allocations } = ask({ payments: [{ on, amount: 150 }], on, allocationOrder });
    expect(allocations[0]).toEqual({ ...expected, discount: 0, excess: 0 });
  });

  test('carries unpaid interest, which bears none', () => {
    const payments = [{ on: addDays(DUE, 30), amount: 40 }];
    expect(ask({ terms: MONTHLY, payments, on: addDays(DUE, 60) })).toMatchObject({
      interest: 200,
      unpaidInterest: 160,
      openPrincipal: 10_000,
      amountDue: 10_160,
    });
  });

  test('the face value paid late leaves fine and interest open, and they stop growing only with the principal', () => {
    const payments = [{ on: addDays(DUE, 30), amount: 10_000 }];
    expect(ask({ payments, on: addDays(DUE, 30) })).toMatchObject({ openPrincipal: 300, amountDue: 300 });
    expect(ask({ payments, on: addDays(DUE, 60) })).toMatchObject({ interest: 103, amountDue: 303 });
  });

  test('principal paid in time bears no interest, though counting starts before', () => {
    const payments = [{ on: '2021-03-01', amount: 6000 }];
    const question = { dueDate: '2021-02-27', terms: MONTHLY, payments, on: '2021-03-29' };
    expect(ask(question)).toMatchObject({ interest: 40, openPrincipal: 4000, amountDue: 4040 });
  });

  test('an excess is a credit, never a negative open amount', () => {
    const payments = [
      { on: DUE, amount: 10_500 },
      { on: addDays(DUE, 20), amount: 700 },
    ];
    const result = ask({ payments, on: addDays(DUE, 90) });
    expect(result).toMatchObject({
      paid: 10_000,
      excess: 1200,
      fine: 0,
      interest: 0,
      amountDue: 0,
      daysLate: 0,
    });
    expect(result.allocations.map(({ excess }) => excess)).toEqual([500, 700]);
  });

  test('payments after the date asked are not seen, and order of arrival does not matter', () => {
    const early = { on: addDays(DUE, 10), amount: 5000 };
    const late = { on: addDays(DUE, 40), amount: 2000 };
    expect(ask({ payments: [late, early], on: addDays(DUE, 20) })).toMatchObject({ paid: 5000 });
    const forward = ask({ payments: [early, late], on: addDays(DUE, 50) });
    const backward = ask({ payments: [late, early], on: addDays(DUE, 50) });
    expect(backward).toEqual({ ...forward, allocations: forward.allocations.toReversed() });
  });
});

describe('discounts and stated components', () => {
  const EARLY: Terms = { ...WITH_FINE, discounts: [{ kind: 'fixed', cents: 500, until: DUE }] };

  test('a 100.00 bill paid 95.00 with 5.00 discount has principal 100.00 and closes', () => {
    const onTime = ask({ terms: EARLY, payments: [{ on: DUE, amount: 9500 }], on: addDays(DUE, 60) });
    expect(onTime.allocations).toEqual([
      { principal: 10_000, discount: 500, interest: 0, fine: 0, excess: 0 },
    ]);
    expect(onTime).toMatchObject({ openPrincipal: 0, discount: 500, amountDue: 0 });
  });

  test('the discount on offer ends with its date', () => {
    expect(ask({ terms: EARLY, on: DUE })).toMatchObject({ discountOnOffer: 500, amountDue: 9500 });
    expect(ask({ terms: EARLY, on: addDays(DUE, 1) })).toMatchObject({
      discountOnOffer: 0,
      amountDue: 10_203,
    });
  });

  test('two payments in time close the bill like one', () => {
    const payments = [
      { on: addDays(DUE, -5), amount: 4000 },
      { on: DUE, amount: 5500 },
    ];
    expect(ask({ terms: EARLY, payments, on: DUE })).toMatchObject({
      discount: 500,
      amountDue: 0,
      excess: 0,
    });
    const firstOnly = ask({ terms: EARLY, payments: payments.slice(0, 1), on: addDays(DUE, 1) });
    expect(firstOnly).toMatchObject({ discount: 0, openPrincipal: 6000 });
  });

  test('a part paid late, while a discount still stands, leaves the principal the discount is for', () => {
    const terms: Terms = {
      ...WITH_FINE,
      discounts: [{ kind: 'fixed', cents: 500, until: addDays(DUE, 20) }],
    };
    const on = addDays(DUE, 10);
    const question = { terms, on, allocationOrder: 'interest_principal_fine' as const };
    const first = { on, amount: 9600 };
    expect(ask({ ...question, payments: [first] })).toMatchObject({
      openPrincipal: 500,
      unpaidFine: 133,
      discountOnOffer: 500,
      amountDue: 133,
    });
    expect(ask({ ...question, payments: [first, { on, amount: 133 }] })).toMatchObject({
      amountDue: 0,
      excess: 0,
    });
  });

  test('fine and interest asked beyond the terms enter both sides at once', () => {
    const components = { principal: 10_000, discount: 0, interest: 70, fine: 150 };
    const payments = [{ on: addDays(DUE, 10), amount: 10_220, components }];
    const result = ask({ terms: NO_TERMS, payments, on: addDays(DUE, 60) });
    expect(result).toMatchObject({ fine: 150, interest: 70, paid: 10_220, amountDue: 0, excess: 0 });
  });

  test('a waiver of fine and interest is a recorded discount that closes the charge', () => {
    const on = addDays(DUE, 30);
    const paid: TermsPayment = {
      on,
      amount: 10_000,
      components: { principal: 10_000, discount: 0, interest: 0, fine: 0 },
    };
    const waiver: TermsPayment = {
      on: addDays(DUE, 45),
      amount: 0,
      components: { principal: 0, discount: 300, interest: 100, fine: 200 },
    };
    expect(ask({ payments: [paid], on: addDays(DUE, 60) })).toMatchObject({
      openPrincipal: 0,
      amountDue: 300,
    });
    const waived = ask({ payments: [paid, waiver], on: addDays(DUE, 60) });
    expect(waived).toMatchObject({ discount: 300, fine: 200, interest: 100, paid: 10_000, amountDue: 0 });
  });

  test('an earlier-dated payment that arrives later turns a write-off back, and never opens below zero', () => {
    const writeOff: TermsPayment = {
      on: addDays(DUE, 20),
      amount: 0,
      components: { principal: 10_000, discount: 10_000, interest: 0, fine: 0 },
    };
    const payments = [writeOff, { on: DUE, amount: 4000 }];
    const result = ask({ terms: NO_TERMS, payments, on: addDays(DUE, 60) });
    expect(result).toMatchObject({ discount: 6000, paid: 4000, excess: 0, amountDue: 0 });
  });

  test('refuses components that do not add up', () => {
    const components = { principal: 10_000, discount: 0, interest: 0, fine: 0 };
    expect(() => ask({ payments: [{ on: DUE, amount: 9999, components }] })).toThrow(RangeError);
  });
});

describe('properties', () => {
  const RUNS = { numRuns: 1500 };
  const days = fc.constantFrom('calendar' as const, 'business' as const);
  const percent = fc.integer({ min: 0, max: 200_000 });
  const cents = fc.nat({ max: 5000 });
  const offset = fc.integer({ min: -20, max: 120 });
  const interest = fc.oneof(
    fc.constant({ kind: 'none' as const }),
    fc.record({ kind: fc.constant('fixed_per_day' as const), cents, days }),
    fc.record({
      kind: fc.constantFrom('percent_per_day', 'percent_per_month', 'percent_per_year'),
      percent,
      days,
    }),
  );
  const fine = fc.oneof(
    fc.constant(null),
    fc.record({ kind: fc.constant('fixed' as const), cents }),
    fc.record({ kind: fc.constant('percent' as const), percent }),
  );
  const discountsFor = (dueDate: string) =>
    fc.array(
      fc.oneof(
        offset.chain((by) =>
          fc.oneof(
            fc.record({
              kind: fc.constant('fixed' as const),
              cents,
              until: fc.constant(addDays(dueDate, by)),
            }),
            fc.record({
              kind: fc.constant('percent' as const),
              percent,
              until: fc.constant(addDays(dueDate, by)),
            }),
          ),
        ),
        fc.record({ kind: fc.constant('fixed_per_day' as const), cents: fc.nat({ max: 50 }), days }),
        fc.record({ kind: fc.constant('percent_per_day' as const), percent: fc.nat({ max: 2000 }), days }),
      ),
      { maxLength: 3 },
    );
  const stated = fc
    .record({ principal: fc.nat({ max: 300_000 }), discount: cents, interest: cents, fine: cents })
    .map((parts) => ({
      ...parts,
      discount: Math.min(parts.discount, parts.principal + parts.interest + parts.fine),
    }));
  const paymentOn = (onDate: fc.Arbitrary<string>): fc.Arbitrary<TermsPayment> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ on: onDate, amount: fc.nat({ max: 200_000 }) }) },
      {
        weight: 1,
        arbitrary: fc.tuple(onDate, stated).map(([on, components]) => ({
          on,
          amount: components.principal - components.discount + components.interest + components.fine,
          components,
        })),
      },
    );
  const question: fc.Arbitrary<AmountsQuestion> = fc.nat({ max: 1500 }).chain((start) => {
    const dueDate = addDays('2024-01-01', start);
    const onDate = offset.map((by) => addDays(dueDate, by));
    return fc.record({
      amount: fc.integer({ min: 1, max: 500_000 }),
      dueDate: fc.constant(dueDate),
      terms: fc.record({ discounts: discountsFor(dueDate), fine, interest, graceDays: fc.nat({ max: 5 }) }),
      payments: fc.array(paymentOn(onDate), { maxLength: 5 }),
      on: onDate,
      interestFrom: fc.constantFrom('original' as const, 'adjusted' as const),
      allocationOrder: fc.constantFrom(
        'interest_fine_principal' as const,
        'fine_interest_principal' as const,
        'interest_principal_fine' as const,
      ),
    });
  });

  test('the amount due is both sides of the identity, and no figure is negative', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const result = amountsAt(asked);
        const { base, discount, fine: charged, interest: accrued, paid, amountDue } = result;
        const { openPrincipal, unpaidFine, unpaidInterest, discountOnOffer, excess } = result;
        expect(amountDue).toBe(base - discount + charged + accrued - paid);
        expect(amountDue).toBe(openPrincipal - discountOnOffer + unpaidFine + unpaidInterest);
        const figures = [
          amountDue,
          openPrincipal,
          unpaidFine,
          unpaidInterest,
          discountOnOffer,
          discount,
          excess,
        ];
        expect(Math.min(...figures, charged, accrued, paid)).toBeGreaterThanOrEqual(0);
        const seen = asked.payments!.filter(({ on }) => on <= asked.on);
        expect(paid + excess).toBe(seen.reduce((sum, { amount }) => sum + amount, 0));
      }),
      RUNS,
    );
  });

  test('every payment is the sum of its parts, and the principal closed never exceeds the base', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { allocations, base, openPrincipal } = amountsAt(asked);
        asked.payments!.forEach(({ on, amount }, index) => {
          const part = allocations[index]!;
          const sum = part.principal - part.discount + part.interest + part.fine + part.excess;
          expect(sum).toBe(on <= asked.on ? amount : 0);
        });
        expect(allocations.reduce((sum, { principal }) => sum + principal, 0)).toBe(base - openPrincipal);
      }),
      RUNS,
    );
  });

  test('one payment and the same money in two parts that day leave the same open figures', () => {
    fc.assert(
      fc.property(
        question,
        offset,
        fc.nat({ max: 100_000 }),
        fc.nat({ max: 100_000 }),
        (asked, by, first, second) => {
          const on = addDays(asked.dueDate, by);
          const whole = amountsAt({ ...asked, payments: [{ on, amount: first + second }] });
          const parts = amountsAt({
            ...asked,
            payments: [
              { on, amount: first },
              { on, amount: second },
            ],
          });
          expect({ ...parts, allocations: [] }).toEqual({ ...whole, allocations: [] });
        },
      ),
      RUNS,
    );
  });

  test('a payment of nothing in between moves no centavo', () => {
    fc.assert(
      fc.property(question, offset, (asked, by) => {
        // A payment of nothing closes a document whose discount is everything, so that one is left out.
        const before = amountsAt({ ...asked, payments: [], on: addDays(asked.dueDate, by) });
        fc.pre(before.amountDue > 0);
        const plain = amountsAt({ ...asked, payments: [] });
        const touched = amountsAt({ ...asked, payments: [{ on: addDays(asked.dueDate, by), amount: 0 }] });
        expect({ ...touched, allocations: [] }).toEqual({ ...plain, allocations: [] });
      }),
      RUNS,
    );
  });

  test('the amount due on a date, paid that day, closes the document for good', () => {
    fc.assert(
      fc.property(question, fc.nat({ max: 400 }), (asked, later) => {
        const { amountDue } = amountsAt(asked);
        const seen = asked.payments!.filter(({ on }) => on <= asked.on);
        const payments = [...seen, { on: asked.on, amount: amountDue }];
        const closed = amountsAt({ ...asked, payments, on: addDays(asked.on, later) });
        expect(closed).toMatchObject({ openPrincipal: 0, amountDue: 0, daysLate: 0 });
        expect(closed.allocations.at(-1)!.excess).toBe(0);
      }),
      RUNS,
    );
  });

  test('waiting never makes a document cheaper, and nothing is added up to its adjusted due date', () => {
    fc.assert(
      fc.property(question, fc.nat({ max: 60 }), (asked, more) => {
        const alone = { ...asked, payments: [], terms: { ...asked.terms, discounts: [] } };
        const now = amountsAt(alone);
        const then = amountsAt({ ...alone, on: addDays(asked.on, more) });
        expect(then.amountDue).toBeGreaterThanOrEqual(now.amountDue);
        expect(isBusinessDay(now.adjustedDueDate)).toBe(true);
        if (asked.on <= now.adjustedDueDate) expect(now).toMatchObject({ amountDue: now.base, daysLate: 0 });
      }),
      RUNS,
    );
  });
});
