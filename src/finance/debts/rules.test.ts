import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Terms } from '../../core/accruals.ts';
import { addDays } from '../../core/dates.ts';
import { AppError } from '../../core/errors.ts';
import {
  amountsOf,
  bookDatesOf,
  type Debt,
  isOverdue,
  type Paid,
  settlementParts,
  statusAfterSettlement,
  touchedBy,
} from './rules.ts';

const RUNS = 1_000;

const lateTerms: Terms = {
  discounts: [{ kind: 'fixed', cents: 500, until: '2026-10-01' }],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

const debtOf = (fields: Partial<Debt> = {}): Debt => ({
  amount_cents: 10_000,
  abatement_cents: 0,
  withheld_cents: 0,
  due_date: '2026-10-05',
  terms: null,
  ...fields,
});

const question = (fields: Partial<Parameters<typeof settlementParts>[0]> = {}) => ({
  debt: debtOf(),
  openCents: 10_000,
  settlements: [],
  amount: 10_000,
  stated: {},
  on: '2026-10-05',
  surplus: 'refused' as const,
  ...fields,
});

describe('overdue', () => {
  test('begins the day after the due date moved to a business day', () => {
    // 2026-10-10 is a Saturday and 2026-10-12 a holiday.
    const payable = { status: 'open', adjusted_due_date: '2026-10-13' };
    expect(isOverdue(payable, '2026-10-13')).toBe(false);
    expect(isOverdue(payable, '2026-10-14')).toBe(true);
  });

  test('is only what is still open', () => {
    const late = (status: string) => isOverdue({ status, adjusted_due_date: '2026-10-01' }, '2026-10-02');
    expect(['draft', 'open', 'partially_paid', 'paid', 'canceled'].filter(late)).toEqual([
      'open',
      'partially_paid',
    ]);
  });
});

describe('parts of a settlement', () => {
  test('are principal alone when nothing accrued', () => {
    expect(settlementParts(question())).toEqual({ principal: 10_000, discount: 0, interest: 0, fine: 0 });
  });

  test('close a 100.00 bill paid with 95.00 and 5.00 of discount (MODEL §5)', () => {
    expect(settlementParts(question({ amount: 9_500, stated: { discount: 500 } }))).toEqual({
      principal: 10_000,
      discount: 500,
      interest: 0,
      fine: 0,
    });
  });

  test('take the agreed discount when the bill is paid off in its time', () => {
    const parts = settlementParts(
      question({ debt: debtOf({ terms: lateTerms }), amount: 9_500, on: '2026-10-01' }),
    );
    expect(parts).toEqual({ principal: 10_000, discount: 500, interest: 0, fine: 0 });
  });

  test('cover interest, then the fine, then principal (MODEL §5)', () => {
    // Thirty days late: 1.00 of interest and 2.00 of fine.
    const debt = debtOf({ terms: lateTerms });
    const partsOf = (amount: number) => settlementParts(question({ debt, amount, on: '2026-11-04' }));
    expect(partsOf(50)).toEqual({ principal: 0, discount: 0, interest: 50, fine: 0 });
    expect(partsOf(250)).toEqual({ principal: 0, discount: 0, interest: 100, fine: 150 });
    expect(partsOf(10_300)).toEqual({ principal: 10_000, discount: 0, interest: 100, fine: 200 });
  });

  test('refuse more than what is due, and name what is due', () => {
    const debt = debtOf({ terms: lateTerms });
    expect(codeOf(() => settlementParts(question({ debt, amount: 10_301, on: '2026-11-04' })))).toEqual([
      'exceeds_open_amount',
      { open: '103.00' },
    ]);
  });

  test('refuse stated parts that do not add up, and those that close more than is open', () => {
    expect(codeOf(() => settlementParts(question({ stated: { principal: 9_000 } })))).toEqual([
      'unbalanced',
      { left: '100.00', right: '90.00' },
    ]);
    expect(codeOf(() => settlementParts(question({ amount: 100, stated: { interest: 200 } })))).toEqual([
      'unbalanced',
      { left: '1.00', right: '2.00' },
    ]);
    expect(
      codeOf(() => settlementParts(question({ openCents: 4_000, stated: { principal: 10_000 } }))),
    ).toEqual(['exceeds_open_amount', { open: '40.00' }]);
  });

  test('keep what a bank moved beyond the amount due as interest', () => {
    const parts = settlementParts(question({ amount: 10_250, surplus: 'interest' }));
    expect(parts).toEqual({ principal: 10_000, discount: 0, interest: 250, fine: 0 });
  });

  test('PITFALL 46: are measured by what is left, not by the original amount', () => {
    const debt = debtOf({ amount_cents: 151_000 });
    const settlements = [paid({ amount: 150_000, principal: 150_000 })];
    const left = question({ debt, settlements, openCents: 1_000, amount: 330_000 });
    expect(codeOf(() => settlementParts(left))).toEqual(['exceeds_open_amount', { open: '10.00' }]);
    expect(settlementParts({ ...left, amount: 1_000 }).principal).toBe(1_000);
  });

  test('PITFALL 26: interest after a partial payment runs on what is left', () => {
    const debt = debtOf({
      amount_cents: 100_000,
      due_date: '2026-09-01',
      terms: { ...lateTerms, discounts: [], fine: null },
    });
    const first = settlementParts(question({ debt, openCents: 100_000, amount: 20_000, on: '2026-10-01' }));
    expect(first).toEqual({ principal: 19_000, discount: 0, interest: 1_000, fine: 0 });
    const settlements = [{ ...first, amount: 20_000, paid_at: '2026-10-01' }];
    expect(amountsOf(debt, settlements, '2026-10-31').amountDue).toBe(81_810);
  });
});

describe('state', () => {
  test('invariant 1: paid is exactly no open principal', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(20), (open, settlements) => {
        const status = statusAfterSettlement(open, settlements);
        expect(status === 'paid').toBe(open === 0);
        if (open > 0) expect(status).toBe(settlements > 0 ? 'partially_paid' : 'open');
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a life of settlements', () => {
  const life = fc.record({
    amount: fc.integer({ min: 1, max: 1e11 }),
    hasTerms: fc.boolean(),
    steps: fc.array(
      fc.record({
        daysLater: fc.nat(90),
        share: fc.integer({ min: 1, max: 1_300 }),
        stated: fc.option(
          fc.record({ discount: fc.nat(5_000), interest: fc.nat(5_000), fine: fc.nat(5_000) }),
          { nil: undefined },
        ),
      }),
      { maxLength: 8 },
    ),
  });

  test('invariants 1 and 2: open and settled principal add up to the base and open is never negative', () => {
    fc.assert(
      fc.property(life, ({ amount, hasTerms, steps }) => {
        const debt = debtOf({ amount_cents: amount, terms: hasTerms ? lateTerms : null });
        const settlements: Paid[] = [];
        let open = amount;
        let on = '2026-09-20';
        for (const { daysLater, share, stated = {} } of steps) {
          on = addDays(on, daysLater);
          const money = Math.max(1, Math.floor((open * share) / 1_000));
          const parts = partsOrNull({ debt, openCents: open, settlements, amount: money, stated, on });
          if (parts === null) continue;
          expect(parts.principal - parts.discount + parts.interest + parts.fine).toBe(money);
          open -= parts.principal;
          settlements.push({ ...parts, amount: money, paid_at: on });
          const amounts = amountsOf(debt, settlements, on);
          expect(open).toBeGreaterThanOrEqual(0);
          expect(amounts.openPrincipal).toBe(open);
          expect(open + sumOf(settlements)).toBe(amounts.base);
          expect(amounts.excess).toBe(0);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('undoing any settlement gives back exactly its principal', () => {
    fc.assert(
      fc.property(life, fc.nat(), ({ amount, steps }, pick) => {
        const debt = debtOf({ amount_cents: amount });
        const settlements: Paid[] = [];
        let open = amount;
        for (const { share } of steps) {
          const money = Math.max(1, Math.floor((open * Math.min(share, 1_000)) / 1_000));
          if (open === 0) break;
          const parts = settlementParts(question({ debt, openCents: open, settlements, amount: money }));
          settlements.push({ ...parts, amount: money, paid_at: '2026-10-05' });
          open -= parts.principal;
        }
        if (settlements.length === 0) return;
        const index = pick % settlements.length;
        const left = settlements.filter((_, other) => other !== index);
        const amounts = amountsOf(debt, left, '2026-10-05');
        expect(amounts.openPrincipal).toBe(open + settlements[index]!.principal);
        const status = statusAfterSettlement(amounts.openPrincipal, left.length);
        expect(status).toBe(left.length > 0 ? 'partially_paid' : 'open');
      }),
      { numRuns: RUNS },
    );
  });
});

describe('what a change touches', () => {
  const bill = {
    amount_cents: 1,
    abatement_cents: 0,
    withholdings: [],
    person_id: 'p',
    terms: null,
    due_date: '2026-10-05',
    category_id: null,
    cost_centers: [],
    issue_date: null,
    competence_month: '2026-10',
    document_number: null,
    series: null,
  };

  test('is nothing when every value stays', () => {
    const none = { money: false, books: false, identity: false, terms: false, dueDate: false };
    expect(touchedBy(bill, structuredClone(bill))).toEqual(none);
  });

  test('is told apart: money, books, identity, terms, due date', () => {
    const touched = (change: Partial<Record<keyof typeof bill, unknown>>) =>
      Object.entries(touchedBy(bill, { ...bill, ...change }))
        .filter(([, isTouched]) => isTouched)
        .map(([name]) => name);
    expect(touched({ amount_cents: 2 })).toEqual(['money', 'books', 'identity']);
    expect(touched({ terms: lateTerms })).toEqual(['terms']);
    expect(touched({ due_date: '2026-10-06' })).toEqual(['dueDate']);
    expect(touched({ withholdings: [{ kind: 'iss', cents: 1 }] })).toEqual(['money', 'books']);
    expect(touched({ competence_month: '2026-11' })).toEqual(['books']);
  });
});

test('books are closed by the issue date and by the end of the competence month', () => {
  expect(bookDatesOf({ issue_date: '2026-08-20', competence_month: '2026-09' })).toEqual([
    '2026-08-20',
    '2026-09-30',
  ]);
});

function paid(fields: Pick<Paid, 'amount' | 'principal'>): Paid {
  return { paid_at: '2026-10-01', discount: 0, interest: 0, fine: 0, ...fields };
}

function sumOf(settlements: readonly Paid[]): number {
  return settlements.reduce((sum, { principal }) => sum + principal, 0);
}

function partsOrNull(fields: Partial<Parameters<typeof settlementParts>[0]>) {
  try {
    return settlementParts(question(fields));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function codeOf(work: () => unknown): [string, unknown] | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.details];
    throw error;
  }
  return undefined;
}
