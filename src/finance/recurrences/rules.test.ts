import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBusinessDay } from '../../core/calendar.ts';
import { addDays, daysBetween, lastDayOfMonth, monthOf, weekdayOf } from '../../core/dates.ts';
import {
  beginningOf,
  dateOf,
  dueDateOf,
  firstNumberFrom,
  isBeyondEnd,
  nextDates,
  occurrenceDraft,
  requireMoreToCome,
  type Series,
  type Template,
} from './rules.ts';

const series = (fields: Partial<Series> = {}): Series => ({
  frequency: 'monthly',
  anchor_day: 31,
  start_date: '2026-01-31',
  end_date: null,
  occurrences: null,
  non_business_day: 'keep',
  ...fields,
});

const template: Template = {
  companyId: 'company',
  personId: 'person',
  description: 'Aluguel',
  amountCents: 100_000,
  documentNumber: null,
  categoryId: null,
  costCenters: [],
  withholdings: [],
  abatementCents: 0,
  terms: null,
  paymentDetails: null,
  plannedAccountId: null,
};

const anyDate = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2000-01-01', days));

describe('dates', () => {
  test('PITFALLS 31: monthly from 31 January does not drift after February', () => {
    expect([1, 2, 3, 4, 5].map((number) => dateOf(series(), number))).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
    ]);
  });

  test('yearly from 29 February is the 28th in common years', () => {
    const leap = series({ frequency: 'yearly', anchor_day: 29, start_date: '2028-02-29' });
    expect([0, 1, 2, 3, 4].map((number) => dateOf(leap, number))).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
  });

  test('weekly keeps its weekday, over daylight saving and the turn of the year', () => {
    fc.assert(
      fc.property(anyDate, fc.nat(500), (start_date, number) => {
        const date = dateOf(series({ frequency: 'weekly', start_date }), number);
        expect(daysBetween(start_date, date)).toBe(7 * number);
        expect(weekdayOf(date)).toBe(weekdayOf(start_date));
      }),
      { numRuns: 1_000 },
    );
  });

  test('monthly is in every month once, on the anchor day or the last day of a shorter month', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: 1, max: 31 }), fc.nat(300), (start_date, anchor_day, number) => {
        const monthly = series({ start_date, anchor_day });
        const date = dateOf(monthly, number);
        expect(dateOf(monthly, number + 1) > date).toBe(true);
        expect(monthOf(addDays(lastDayOfMonth(monthOf(date)), 1))).toBe(monthOf(dateOf(monthly, number + 1)));
        const last = lastDayOfMonth(monthOf(date));
        expect(Number(date.slice(8))).toBe(Math.min(anchor_day, Number(last.slice(8))));
      }),
      { numRuns: 1_000 },
    );
  });

  test('moves a holiday to a business day only when told to', () => {
    const christmas = '2026-12-25';
    expect(dueDateOf(series(), christmas)).toBe('2026-12-25');
    expect(dueDateOf(series({ non_business_day: 'next' }), christmas)).toBe('2026-12-28');
    expect(dueDateOf(series({ non_business_day: 'previous' }), christmas)).toBe('2026-12-24');
    fc.assert(
      fc.property(anyDate, fc.constantFrom('next', 'previous'), (date, non_business_day) => {
        const due = dueDateOf(series({ non_business_day }), date);
        expect(isBusinessDay(due)).toBe(true);
        expect(non_business_day === 'next' ? due >= date : due <= date).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the month it belongs to does not move with the weekend', () => {
    const draft = occurrenceDraft(
      { id: 'recurrence', ...series({ non_business_day: 'next' }) },
      { ...template, documentNumber: 'CT-7' },
      0,
    );
    expect(draft).toMatchObject({
      dueDate: '2026-02-02',
      competenceMonth: '2026-01',
      documentNumber: 'CT-7/1',
      recurrence: { id: 'recurrence', number: 0 },
      amountCents: 100_000,
    });
  });
});

describe('the end', () => {
  test('comes after so many, or after a date that still counts', () => {
    expect(isBeyondEnd(series({ occurrences: 2 }), 1)).toBe(false);
    expect(isBeyondEnd(series({ occurrences: 2 }), 2)).toBe(true);
    expect(isBeyondEnd(series({ end_date: '2026-02-28' }), 1)).toBe(false);
    expect(isBeyondEnd(series({ end_date: '2026-02-27' }), 1)).toBe(true);
    expect(nextDates(series({ occurrences: 3 }), 1, 12)).toEqual([
      { number: 2, date: '2026-02-28', due_date: '2026-02-28' },
      { number: 3, date: '2026-03-31', due_date: '2026-03-31' },
    ]);
    expect(nextDates(series(), 0, 12)).toHaveLength(12);
  });

  test('has to leave something to come', () => {
    expect(() => requireMoreToCome(series({ occurrences: 3 }), 2, { count: 3 })).not.toThrow();
    expect(() => requireMoreToCome(series({ occurrences: 2 }), 2, { count: 2 })).toThrow();
    expect(() =>
      requireMoreToCome(series({ end_date: '2026-03-30' }), 2, { end_date: '2026-03-30' }),
    ).toThrow();
    expect(() => requireMoreToCome(series(), 0, { end_date: '2027-01-01', count: 3 })).toThrow();
  });
});

describe('the beginning', () => {
  const today = '2026-01-20';

  test.each([
    ['monthly', '2026-01-20', undefined, '2026-01-20', 20],
    ['monthly', '2026-01-20', 5, '2026-02-05', 5],
    ['monthly', '2026-01-20', 25, '2026-01-25', 25],
    ['monthly', '2026-02-28', 31, '2026-02-28', 31],
    ['yearly', '2026-01-20', 5, '2027-01-05', 5],
    ['weekly', '2026-01-22', undefined, '2026-01-22', 22],
  ] as const)('%s from %s on day %s begins on %s', (frequency, start_date, day, begins, anchor) => {
    expect(beginningOf({ frequency, start_date, day }, today)).toEqual({
      start_date: begins,
      anchor_day: anchor,
    });
  });

  test('is no day that is over or far ahead, and a weekly one takes no day of the month', () => {
    for (const start_date of ['2026-01-19', '2031-02-01']) {
      expect(() => beginningOf({ frequency: 'monthly', start_date }, today)).toThrow();
    }
    expect(() => beginningOf({ frequency: 'weekly', start_date: today, day: 5 }, today)).toThrow();
  });

  test('is never before the start given, and number 0 is on it', () => {
    fc.assert(
      fc.property(
        fc.nat(1_800),
        fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
        fc.constantFrom('monthly' as const, 'yearly' as const),
        (days, day, frequency) => {
          const start_date = addDays(today, days);
          const beginning = beginningOf({ frequency, start_date, day }, today);
          expect(beginning.start_date >= start_date).toBe(true);
          expect(dateOf(series({ frequency, ...beginning }), 0)).toBe(beginning.start_date);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test('after a pause it goes on with the first date that is not over', () => {
  expect(firstNumberFrom(series(), 1, '2026-02-28')).toBe(1);
  expect(firstNumberFrom(series(), 1, '2026-03-01')).toBe(2);
  expect(firstNumberFrom(series(), 9, '2026-03-01')).toBe(9);
});
