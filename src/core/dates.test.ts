import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  civilDateAt,
  civilTimeAt,
  daysBetween,
  formatDateBr,
  isCivilDate,
  isCivilMonth,
  lastDayOfMonth,
  lastMonths,
  monthlyFromAnchor,
  monthOf,
  weekdayOf,
} from './dates.ts';

const RUNS = { numRuns: 2000 };
const SAO_PAULO = 'America/Sao_Paulo';
const DAYS_IN_RANGE = daysBetween('1900-01-01', '2199-12-31');
const anyDate = fc.integer({ min: 0, max: DAYS_IN_RANGE }).map((days) => addDays('1900-01-01', days));
const anyMonth = anyDate.map(monthOf);

describe('isCivilDate and isCivilMonth', () => {
  test.each([['2026-02-20'], ['2024-02-29'], ['2000-02-29'], ['1900-01-01'], ['2199-12-31']])(
    'accept %s',
    (text) => {
      expect(isCivilDate(text)).toBe(true);
    },
  );

  test.each([
    ['2026-02-29'],
    ['1900-02-29'],
    ['2100-02-29'],
    ['2026-04-31'],
    ['2026-00-10'],
    ['2026-13-01'],
    ['2026-01-00'],
    ['1899-12-31'],
    ['2200-01-01'],
    ['2026-2-3'],
    ['20/02/2026'],
    ['2026-02-20T00:00:00Z'],
    ['2026-02-20\n'],
    ['12026-02-20'],
    [''],
  ])('refuse the date %j', (text) => {
    expect(isCivilDate(text)).toBe(false);
  });

  test('accept real months only', () => {
    expect(['2026-01', '2026-12', '1900-01', '2199-12'].every(isCivilMonth)).toBe(true);
    expect(['2026-00', '2026-13', '1899-12', '2200-01', '2026-1', '2026-01-01', ''].some(isCivilMonth)).toBe(
      false,
    );
  });
});

describe('day arithmetic', () => {
  test('crosses months, leap days and years', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2100-02-28', 1)).toBe('2100-03-01');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addDays('1997-10-07', 9999)).toBe('2025-02-21');
    expect(daysBetween('1997-10-07', '2025-02-21')).toBe(9999);
    expect(daysBetween('2026-03-01', '2026-02-01')).toBe(-28);
    expect(DAYS_IN_RANGE).toBe(300 * 365 + 73 - 1);
  });

  test('knows the day of the week on both sides of 1970', () => {
    expect(weekdayOf('1970-01-01')).toBe(4);
    expect(weekdayOf('1900-01-01')).toBe(1);
    expect(weekdayOf('2018-10-12')).toBe(5);
    expect(weekdayOf('2021-02-27')).toBe(6);
    expect(weekdayOf('2026-02-15')).toBe(0);
  });

  test('agrees with the platform calendar on every day of 300 years', () => {
    for (let days = 0; days <= DAYS_IN_RANGE; days += 1) {
      const expected = new Date(Date.UTC(1900, 0, 1 + days));
      const date = addDays('1900-01-01', days);
      if (date !== expected.toISOString().slice(0, 10) || weekdayOf(date) !== expected.getUTCDay()) {
        expect.fail(`day ${days} came out as ${date}`);
      }
    }
  });

  test('goes back where it came from', () => {
    fc.assert(
      fc.property(anyDate, anyDate, (from, to) => {
        const days = daysBetween(from, to);
        expect(addDays(from, days)).toBe(to);
        expect(addDays(to, -days)).toBe(from);
        expect(daysBetween(to, from) + days).toBe(0);
        expect(days > 0).toBe(to > from);
        expect((((weekdayOf(from) + days) % 7) + 7) % 7).toBe(weekdayOf(to));
      }),
      RUNS,
    );
  });

  test('refuses what is not a date, not whole, or beyond the years', () => {
    expect(() => addDays('2026-02-30', 1)).toThrow(RangeError);
    expect(() => addDays('2026-02-20', 0.5)).toThrow(RangeError);
    expect(() => addDays('2199-12-31', 1)).toThrow(RangeError);
    expect(() => addDays('1900-01-01', -1)).toThrow(RangeError);
    expect(() => daysBetween('2026-02-20', 'tomorrow')).toThrow(RangeError);
    expect(() => addMonths('2199-12', 1)).toThrow(RangeError);
    expect(() => monthOf('2026-02')).toThrow(RangeError);
  });
});

describe('months', () => {
  test('belong to dates and end where they end', () => {
    expect(monthOf('2026-02-20')).toBe('2026-02');
    expect(lastDayOfMonth('2026-02')).toBe('2026-02-28');
    expect(lastDayOfMonth('2028-02')).toBe('2028-02-29');
    expect(lastDayOfMonth('2026-04')).toBe('2026-04-30');
    expect(lastDayOfMonth('2026-12')).toBe('2026-12-31');
  });

  test('are counted across years', () => {
    expect(addMonths('2026-01', -1)).toBe('2025-12');
    expect(addMonths('2026-11', 2)).toBe('2027-01');
    expect(addMonths('2026-12', -12)).toBe('2025-12');
    expect(lastMonths('2026-02-20', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(lastMonths('2026-02-20', 0)).toEqual([]);
  });

  test('are followed by the day after their last one', () => {
    fc.assert(
      fc.property(
        anyMonth.filter((month) => month < '2199-12'),
        (month) => {
          expect(addDays(lastDayOfMonth(month), 1)).toBe(`${addMonths(month, 1)}-01`);
          expect(addMonths(addMonths(month, 1), -1)).toBe(month);
        },
      ),
      RUNS,
    );
  });
});

describe('monthlyFromAnchor', () => {
  test('PITFALL 31: does not drift after a short month from 2026-01-31', () => {
    expect([0, 1, 2, 3, 4, 5].map((k) => monthlyFromAnchor('2026-01-31', k))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
    ]);
  });

  test('reaches the leap day and other years', () => {
    expect(monthlyFromAnchor('2027-12-30', 2)).toBe('2028-02-29');
    expect(monthlyFromAnchor('2027-12-30', 13)).toBe('2029-01-30');
  });

  test('takes an anchor other than the start day', () => {
    expect(monthlyFromAnchor('2026-02-28', 0, 31)).toBe('2026-02-28');
    expect(monthlyFromAnchor('2026-02-28', 1, 31)).toBe('2026-03-31');
    expect(monthlyFromAnchor('2026-02-10', 1, 5)).toBe('2026-03-05');
    expect(() => monthlyFromAnchor('2026-02-10', 1, 0)).toThrow(RangeError);
    expect(() => monthlyFromAnchor('2026-02-10', 1, 32)).toThrow(RangeError);
  });
});

describe('instants seen in a zone', () => {
  test('2026-10-01T02:30Z belongs to September in São Paulo', () => {
    const instant = new Date('2026-10-01T02:30:00Z');
    expect(civilDateAt(instant, SAO_PAULO)).toBe('2026-09-30');
    expect(monthOf(civilDateAt(instant, SAO_PAULO))).toBe('2026-09');
    expect(civilTimeAt(instant, SAO_PAULO)).toBe('23:30');
    expect(civilDateAt(instant, 'UTC')).toBe('2026-10-01');
    expect(civilDateAt(instant, 'Pacific/Auckland')).toBe('2026-10-01');
  });

  test('follows daylight saving up to 2019: 2018-11-04 00:00 did not exist in São Paulo', () => {
    const before = new Date('2018-11-04T02:59:59Z');
    const after = new Date('2018-11-04T03:00:00Z');
    expect([civilDateAt(before, SAO_PAULO), civilTimeAt(before, SAO_PAULO)]).toEqual(['2018-11-03', '23:59']);
    expect([civilDateAt(after, SAO_PAULO), civilTimeAt(after, SAO_PAULO)]).toEqual(['2018-11-04', '01:00']);
    expect(civilDateAt(new Date('2019-01-15T02:30:00Z'), SAO_PAULO)).toBe('2019-01-15');
    expect(civilDateAt(new Date('2020-01-15T02:30:00Z'), SAO_PAULO)).toBe('2020-01-14');
  });

  test('writes midnight as 00:00 of the new day', () => {
    const midnight = new Date('2026-02-20T03:00:00Z');
    expect(civilTimeAt(midnight, SAO_PAULO)).toBe('00:00');
    expect(civilDateAt(midnight, SAO_PAULO)).toBe('2026-02-20');
  });

  test('refuses an unknown zone and a broken instant', () => {
    expect(() => civilDateAt(new Date(0), 'America/Nowhere')).toThrow(RangeError);
    expect(() => civilDateAt(new Date(Number.NaN), SAO_PAULO)).toThrow(RangeError);
  });
});

describe('PITFALL 30: a due date stays the day it is', () => {
  test('prints 2026-02-20 as 20/02/2026', () => {
    expect(formatDateBr('2026-02-20')).toBe('20/02/2026');
    expect(formatDateBr('1999-01-02')).toBe('02/01/1999');
  });

  // A process zone set here changes what `new Date` would print, which is what the rules must not depend on.
  test.each([['UTC'], [SAO_PAULO], ['Pacific/Auckland']])('whatever the process zone, here %s', (zone) => {
    const former = process.env.TZ;
    process.env.TZ = zone;
    try {
      expect(formatDateBr('2026-02-20')).toBe('20/02/2026');
      expect(addDays('2026-02-20', 0)).toBe('2026-02-20');
      expect(daysBetween('2018-11-03', '2018-11-05')).toBe(2);
      expect(civilDateAt(new Date('2026-02-20T02:59:00Z'), SAO_PAULO)).toBe('2026-02-19');
      expect(civilDateAt(new Date('2026-02-20T03:00:00Z'), SAO_PAULO)).toBe('2026-02-20');
    } finally {
      if (former === undefined) delete process.env.TZ;
      else process.env.TZ = former;
    }
  });
});
