import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, weekdayOf } from '../../core/dates.ts';
import {
  type Bucket,
  balanceDays,
  bandsOf,
  bucketsOf,
  cashFlowOf,
  type ExpectedFlow,
  netOf,
  outlookEnd,
  statementPeriod,
  summaryMonth,
  topOf,
} from './rules.ts';

const TODAY = '2026-10-01';
const RUNS = { numRuns: 1_000 };
const buckets = fc.constantFrom<Bucket>('day', 'week', 'month');
const day = fc.integer({ min: 0, max: 400 }).map((days) => addDays('2026-01-01', days));
const wrong = (path: string) =>
  expect.objectContaining({ code: 'invalid_argument', details: expect.objectContaining({ path }) });

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('buckets', () => {
  test('weeks begin on Monday; the first and the last hold only the days inside the period', () => {
    // 2026-10-01 is a Thursday.
    expect(bucketsOf({ from: TODAY, to: '2026-10-20' }, 'week')).toEqual([
      { from: '2026-10-01', to: '2026-10-04' },
      { from: '2026-10-05', to: '2026-10-11' },
      { from: '2026-10-12', to: '2026-10-18' },
      { from: '2026-10-19', to: '2026-10-20' },
    ]);
  });

  test('months end where the calendar ends them, and one day is a bucket', () => {
    expect(bucketsOf({ from: '2028-01-31', to: '2028-03-01' }, 'month')).toEqual([
      { from: '2028-01-31', to: '2028-01-31' },
      { from: '2028-02-01', to: '2028-02-29' },
      { from: '2028-03-01', to: '2028-03-01' },
    ]);
    expect(bucketsOf({ from: TODAY, to: TODAY }, 'week')).toEqual([{ from: TODAY, to: TODAY }]);
  });

  test('hold every day of the period once, and begin where their kind begins', () => {
    const property = fc.property(day, fc.nat(70), buckets, (from, days, bucket) => {
      const to = addDays(from, days);
      const found = bucketsOf({ from, to }, bucket);
      expect([found[0]!.from, found.at(-1)!.to]).toEqual([from, to]);
      expect(found.reduce((sum, one) => sum + daysBetween(one.from, one.to) + 1, 0)).toBe(days + 1);
      for (const [index, one] of found.entries()) {
        expect(one.to >= one.from).toBe(true);
        if (index === 0) continue;
        expect(one.from).toBe(addDays(found[index - 1]!.to, 1));
        if (bucket === 'week') expect(weekdayOf(one.from)).toBe(1);
        if (bucket === 'month') expect(one.from.slice(8)).toBe('01');
      }
    });
    fc.assert(property, RUNS);
  });
});

describe('the cash flow', () => {
  const flow = fc.record({
    day: fc.option(fc.nat(100).map((days) => addDays(TODAY, days))),
    inflow: fc.nat(1e9),
    outflow: fc.nat(1e9),
    inflowCount: fc.nat(9),
    outflowCount: fc.nat(9),
  });
  const question = fc.record({
    today: fc.constant(TODAY),
    until: fc.nat(100).map((days) => addDays(TODAY, days)),
    bucket: buckets,
    isOverdueCounted: fc.boolean(),
    balance: fc.integer({ min: -1e11, max: 1e11 }),
    expected: fc.array(flow, { maxLength: 40 }),
  });
  const upTo = ({ expected, until }: { expected: readonly ExpectedFlow[]; until: string }) =>
    expected.filter((one) => one.day === null || one.day <= until);

  test('is without movement where the books are empty', () => {
    const empty = {
      today: TODAY,
      until: TODAY,
      bucket: 'week',
      isOverdueCounted: true,
      balance: 0,
      expected: [],
    } as const;
    const nothing = { inflow: 0, outflow: 0, inflowCount: 0, outflowCount: 0 };
    expect(cashFlowOf(empty)).toEqual({
      overdue: nothing,
      buckets: [{ from: TODAY, to: TODAY, ...nothing, balance: 0 }],
      total: nothing,
      balanceEnd: 0,
      lowest: { date: TODAY, balance: 0 },
    });
  });

  test('totals are the sum of their parts, and the last balance is the end', () => {
    const property = fc.property(question, (asked) => {
      const result = cashFlowOf(asked);
      const counted = upTo(asked).filter((one) => one.day !== null || asked.isOverdueCounted);
      for (const part of ['inflow', 'outflow', 'inflowCount', 'outflowCount'] as const) {
        const parts = [...result.buckets, ...(asked.isOverdueCounted ? [result.overdue] : [])];
        expect(result.total[part]).toBe(parts.reduce((sum, one) => sum + one[part], 0));
        expect(result.total[part]).toBe(counted.reduce((sum, one) => sum + one[part], 0));
      }
      expect(result.balanceEnd).toBe(asked.balance + netOf(result.total));
      expect(result.buckets.at(-1)!.balance).toBe(result.balanceEnd);
    });
    fc.assert(property, RUNS);
  });

  test('has the same end and the same lowest day in buckets of every width', () => {
    const property = fc.property(question, (asked) => {
      const byDay = cashFlowOf({ ...asked, bucket: 'day' });
      const { lowest, balanceEnd } = cashFlowOf(asked);
      expect({ lowest, balanceEnd }).toEqual({ lowest: byDay.lowest, balanceEnd: byDay.balanceEnd });
      const least = Math.min(...byDay.buckets.map(({ balance }) => balance));
      expect(byDay.lowest).toEqual({
        date: byDay.buckets.find(({ balance }) => balance === least)!.from,
        balance: least,
      });
    });
    fc.assert(property, RUNS);
  });

  test('an overdue amount moves nothing where it is not counted, and all days where it is', () => {
    const overdue = { day: null, inflow: 0, outflow: 700, inflowCount: 0, outflowCount: 1 };
    const asked = {
      today: TODAY,
      until: addDays(TODAY, 9),
      bucket: 'week',
      balance: 500,
      expected: [overdue],
    } as const;
    const without = cashFlowOf({ ...asked, isOverdueCounted: false });
    expect([without.balanceEnd, without.total.outflow, without.overdue.outflow]).toEqual([500, 0, 700]);
    const counted = cashFlowOf({ ...asked, isOverdueCounted: true });
    expect([counted.balanceEnd, counted.lowest]).toEqual([-200, { date: TODAY, balance: -200 }]);
    expect(counted.buckets[0]!.outflow).toBe(0);
  });
});

describe('arguments', () => {
  test('an outlook ends 90 days ahead unless told, never before today and at most 366 days ahead', () => {
    expect(outlookEnd(undefined, TODAY)).toBe('2026-12-30');
    expect(outlookEnd(TODAY, TODAY)).toBe(TODAY);
    expect(outlookEnd('2027-10-02', TODAY)).toBe('2027-10-02');
    for (const until of ['2026-09-30', '2027-10-03']) {
      expect(failureOf(() => outlookEnd(until, TODAY))).toEqual(wrong('until'));
    }
  });

  test('a summary is of the current month unless told, from 2000 to a year ahead', () => {
    expect(summaryMonth(undefined, TODAY)).toEqual({ month: '2026-10', from: TODAY, to: '2026-10-31' });
    expect(summaryMonth('2028-02', '2027-03-01')).toMatchObject({ to: '2028-02-29' });
    expect(summaryMonth('2000-01', TODAY)).toMatchObject({ from: '2000-01-01' });
    for (const month of ['1999-12', '2027-11']) {
      expect(failureOf(() => summaryMonth(month, TODAY))).toEqual(wrong('month'));
    }
  });

  test('balances are of days that have come', () => {
    const month = (chosen: string) => balanceDays(summaryMonth(chosen, TODAY), TODAY);
    expect(month('2026-09')).toEqual({ start: '2026-08-31', end: '2026-09-30' });
    expect(month('2026-10')).toEqual({ start: '2026-09-30', end: TODAY });
    expect(month('2026-12')).toEqual({ start: TODAY, end: TODAY });
  });

  test('a statement spans at most two years, and whole months on competence basis', () => {
    expect(statementPeriod('2024-01-01', '2025-12-31', 'cash')).toEqual({
      from: '2024-01-01',
      to: '2025-12-31',
    });
    expect(statementPeriod('2028-02-01', '2028-02-29', 'competence')).toBeDefined();
    const wrongs: [from: string, to: string, basis: 'cash' | 'competence', path: string][] = [
      ['2026-02-02', '2026-02-01', 'cash', 'date_to'],
      ['2024-01-01', '2026-01-01', 'cash', 'date_to'],
      ['2026-02-02', '2026-02-28', 'competence', 'date_from'],
      ['2028-02-01', '2028-02-28', 'competence', 'date_to'],
    ];
    for (const [from, to, basis, path] of wrongs) {
      expect(failureOf(() => statementPeriod(from, to, basis))).toEqual(wrong(path));
    }
  });

  test('each day late is in exactly one band, and bands must rise', () => {
    const ends = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 });
    const property = fc.property(ends, fc.integer({ min: 1, max: 500 }), (unsorted, late) => {
      const bands = bandsOf(unsorted.toSorted((left, right) => left - right));
      const holding = bands.filter(
        ({ fromDays, toDays }) => late >= fromDays && (toDays === null || late <= toDays),
      );
      expect(holding).toHaveLength(1);
    });
    fc.assert(property, RUNS);
    for (const bands of [
      [30, 30],
      [60, 30],
    ])
      expect(failureOf(() => bandsOf(bands))).toEqual(wrong('bands'));
  });

  test('the largest lines and the others make the whole', () => {
    const line = fc.record({ key: fc.uuid(), amount: fc.integer({ min: -1e9, max: 1e9 }), count: fc.nat(9) });
    const property = fc.property(fc.array(line, { maxLength: 30 }), fc.nat(12), (lines, max) => {
      const top = topOf(lines, max);
      expect(top.lines).toHaveLength(Math.min(max, lines.length));
      for (const part of ['amount', 'count'] as const) {
        const whole = lines.reduce((sum, one) => sum + one[part], 0);
        expect(top.lines.reduce((sum, one) => sum + one[part], top.others[part])).toBe(whole);
      }
      const least = Math.min(...top.lines.map(({ amount }) => amount));
      const isBelow = lines.filter((one) => !top.lines.includes(one)).every(({ amount }) => amount <= least);
      expect(isBelow).toBe(true);
    });
    fc.assert(property, RUNS);
  });
});
