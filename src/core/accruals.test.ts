import { describe, expect, test } from 'vitest';
import type { Discount, Interest } from './accruals.ts';
import {
  discountOn,
  effectivePaymentDay,
  fineOf,
  firstLateDay,
  interestDenominator,
  interestNumerator,
  interestStart,
  lastFreeDay,
  lastPayableDay,
} from './accruals.ts';
import { addDays } from './dates.ts';
import { roundHalfUp } from './money.ts';

/** A Tuesday with no holiday near it. */
const DUE = '2026-03-10';

function interestFor(principal: number, interest: Interest, from: string, to: string): number {
  return roundHalfUp(interestNumerator(principal, interest, from, to), interestDenominator(interest));
}

describe('dates around the due date', () => {
  test('PITFALL 14: fine and interest start on the day after the due date at the earliest', () => {
    expect(firstLateDay(DUE, 0)).toBe('2026-03-11');
    expect(firstLateDay(DUE, 3)).toBe('2026-03-14');
    expect(firstLateDay('2018-10-12', 0)).toBe('2018-10-16');
    expect(lastFreeDay('2018-10-12', 0)).toBe('2018-10-15');
  });

  test('the days an instrument stays payable count from the adjusted due date', () => {
    expect(lastPayableDay('2021-02-27', 0)).toBe('2021-03-01');
    expect(lastPayableDay('2021-02-27', 30)).toBe('2021-03-31');
  });

  test('a boleto paid on a closed day or after the cut-off counts on the next business day, a Pix on its own', () => {
    expect(effectivePaymentDay('boleto', '2026-02-14')).toBe('2026-02-18');
    expect(effectivePaymentDay('boleto', '2026-02-13')).toBe('2026-02-13');
    expect(effectivePaymentDay('boleto', '2026-02-13', true)).toBe('2026-02-18');
    expect(effectivePaymentDay('pix', '2026-02-14', true)).toBe('2026-02-14');
  });
});

describe('discountOn', () => {
  const tiers: Discount[] = [
    { kind: 'fixed', cents: 500, until: '2026-03-05' },
    { kind: 'percent', percent: 100_000, until: '2026-03-01' },
    { kind: 'fixed', cents: 200, until: DUE },
  ];

  test.each([
    ['2026-03-01', 1000],
    ['2026-03-02', 500],
    ['2026-03-05', 500],
    ['2026-03-06', 200],
    [DUE, 200],
    ['2026-03-11', 0],
  ])('takes the one with the nearest limit, inclusive: %s', (on, expected) => {
    expect(discountOn(10_000, tiers, DUE, on)).toBe(expected);
  });

  test('is not extended when its limit is a holiday', () => {
    const discounts: Discount[] = [{ kind: 'fixed', cents: 200, until: '2026-02-14' }];
    expect(discountOn(10_000, discounts, '2026-02-14', '2026-02-14')).toBe(200);
    expect(discountOn(10_000, discounts, '2026-02-14', '2026-02-18')).toBe(0);
  });

  test('counts days of anticipation, calendar or business, and rounds once', () => {
    const perDay = (days: 'calendar' | 'business'): Discount[] => [
      { kind: 'fixed_per_day', cents: 10, days },
    ];
    expect(discountOn(10_000, perDay('calendar'), DUE, '2026-03-05')).toBe(50);
    expect(discountOn(10_000, perDay('business'), DUE, '2026-03-05')).toBe(30);
    expect(discountOn(10_000, perDay('calendar'), DUE, DUE)).toBe(0);
    const percentPerDay: Discount[] = [{ kind: 'percent_per_day', percent: 333, days: 'calendar' }];
    expect(discountOn(1000, percentPerDay, DUE, '2026-03-08')).toBe(1);
    expect(discountOn(1000, percentPerDay, DUE, '2026-03-09')).toBe(0);
  });

  test('never exceeds the base', () => {
    expect(discountOn(100, [{ kind: 'fixed', cents: 500, until: DUE }], DUE, DUE)).toBe(100);
    expect(discountOn(100, [], DUE, DUE)).toBe(0);
  });
});

describe('fine and interest', () => {
  test('fine 2 % of 123.45 is 2.47', () => {
    expect(fineOf(12_345, { kind: 'percent', percent: 20_000 })).toBe(247);
    expect(fineOf(12_345, { kind: 'fixed', cents: 5000 })).toBe(5000);
    expect(fineOf(12_345, null)).toBe(0);
  });

  test.each([
    [10_000, 10_000, 5, 17],
    [10_000, 10_000, 10, 33],
    [12_345, 10_000, 17, 70],
    [100, 10_000, 1, 0],
    [99_999, 25_000, 33, 2750],
  ])('%d centavos at %d a month for %d days is %d', (principal, percent, days, expected) => {
    const interest: Interest = { kind: 'percent_per_month', percent, days: 'calendar' };
    expect(interestFor(principal, interest, DUE, addDays(DUE, days))).toBe(expected);
  });

  test('PITFALL 22: the daily rate is never rounded on its own', () => {
    const interest: Interest = { kind: 'percent_per_month', percent: 10_000, days: 'calendar' };
    expect(interestFor(3_000_000, interest, DUE, addDays(DUE, 1))).toBe(1000);
    expect(interestFor(10_000_000, interest, DUE, addDays(DUE, 30))).toBe(100_000);
  });

  test('spreads a rate over 1, 30 or 365 calendar days and 1, 21 or 252 business days', () => {
    const kinds = ['percent_per_day', 'percent_per_month', 'percent_per_year'] as const;
    const periods = (days: 'calendar' | 'business') =>
      kinds.map((kind) => interestDenominator({ kind, percent: 1, days }) / 1_000_000n);
    expect(periods('calendar')).toEqual([1n, 30n, 365n]);
    expect(periods('business')).toEqual([1n, 21n, 252n]);
  });

  test('computes daily, yearly, fixed and absent interest', () => {
    const to = addDays(DUE, 7);
    expect(interestFor(10_000, { kind: 'percent_per_day', percent: 333, days: 'calendar' }, DUE, to)).toBe(
      23,
    );
    expect(
      interestFor(10_000, { kind: 'percent_per_year', percent: 120_000, days: 'calendar' }, DUE, to),
    ).toBe(23);
    expect(interestFor(10_000, { kind: 'percent_per_day', percent: 10_000, days: 'business' }, DUE, to)).toBe(
      500,
    );
    expect(interestFor(10_000, { kind: 'fixed_per_day', cents: 10, days: 'calendar' }, DUE, to)).toBe(70);
    expect(interestFor(10_000, { kind: 'fixed_per_day', cents: 10, days: 'business' }, DUE, to)).toBe(50);
    expect(interestFor(0, { kind: 'fixed_per_day', cents: 10, days: 'calendar' }, DUE, to)).toBe(0);
    expect(interestFor(10_000, { kind: 'none' }, DUE, to)).toBe(0);
  });

  test('counts from the due date, or from the adjusted one when asked or when days are business days', () => {
    const calendar: Interest = { kind: 'percent_per_month', percent: 10_000, days: 'calendar' };
    const business: Interest = { kind: 'percent_per_month', percent: 10_000, days: 'business' };
    expect(interestStart('2021-02-27', calendar, 'original')).toBe('2021-02-27');
    expect(interestStart('2021-02-27', calendar, 'adjusted')).toBe('2021-03-01');
    expect(interestStart('2021-02-27', business, 'original')).toBe('2021-03-01');
    expect(interestStart('2021-02-27', { kind: 'none' }, 'original')).toBe('2021-02-27');
  });
});
