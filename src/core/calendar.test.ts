import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addBusinessDays,
  bankHolidaysOf,
  businessDaysBetween,
  easterOf,
  isBusinessDay,
  nextBusinessDay,
  previousBusinessDay,
} from './calendar.ts';
import { addDays, daysBetween, weekdayOf } from './dates.ts';

const RUNS = { numRuns: 1000 };
const anyDate = fc
  .integer({ min: 0, max: daysBetween('1950-01-01', '2149-12-31') })
  .map((days) => addDays('1950-01-01', days));

describe('easterOf', () => {
  test.each([
    [1900, '1900-04-15'],
    [2000, '2000-04-23'],
    [2008, '2008-03-23'],
    [2011, '2011-04-24'],
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2028, '2028-04-16'],
    [2038, '2038-04-25'],
  ])('%d', (year, easter) => {
    expect(easterOf(year)).toBe(easter);
  });

  test('is a Sunday from 22 March to 25 April in every year', () => {
    for (let year = 1900; year <= 2199; year += 1) {
      const easter = easterOf(year);
      expect(weekdayOf(easter)).toBe(0);
      expect(easter >= `${year}-03-22` && easter <= `${year}-04-25`).toBe(true);
    }
  });

  test('refuses other years', () => {
    expect(() => easterOf(1899)).toThrow(RangeError);
    expect(() => bankHolidaysOf(2200)).toThrow(RangeError);
    expect(() => bankHolidaysOf(2026.5)).toThrow(RangeError);
  });
});

describe('bankHolidaysOf', () => {
  test('lists 2026 in order of date', () => {
    expect([...bankHolidaysOf(2026).keys()]).toEqual([
      '2026-01-01',
      '2026-02-16',
      '2026-02-17',
      '2026-04-03',
      '2026-04-21',
      '2026-05-01',
      '2026-06-04',
      '2026-09-07',
      '2026-10-12',
      '2026-11-02',
      '2026-11-15',
      '2026-11-20',
      '2026-12-25',
    ]);
  });

  test.each([
    [2026, ['2026-02-16', '2026-02-17', '2026-04-03', '2026-06-04']],
    [2027, ['2027-02-08', '2027-02-09', '2027-03-26', '2027-05-27']],
    [2028, ['2028-02-28', '2028-02-29', '2028-04-14', '2028-06-15']],
  ])('moves Carnival, Good Friday and Corpus Christi with Easter in %d', (year, dates) => {
    const holidays = bankHolidaysOf(year);
    expect(dates.map((date) => holidays.get(date))).toEqual([
      'Carnival Monday',
      'Carnival Tuesday',
      'Good Friday',
      'Corpus Christi',
    ]);
  });

  test('PITFALL 32: 20 November is a business day in 2023 and a holiday from 2024', () => {
    expect(bankHolidaysOf(2023).has('2023-11-20')).toBe(false);
    expect(isBusinessDay('2023-11-20')).toBe(true);
    expect(bankHolidaysOf(2024).get('2024-11-20')).toBe('Black Awareness Day');
    expect(isBusinessDay('2024-11-20')).toBe(false);
  });

  test('PITFALL 33: banks close for Carnival and Corpus Christi and open on Ash Wednesday', () => {
    expect(['2026-02-16', '2026-02-17', '2026-06-04', '2026-02-18'].map(isBusinessDay)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('counts 31 December as a business day', () => {
    expect(isBusinessDay('2026-12-31')).toBe(true);
  });
});

describe('nearest business day', () => {
  test.each([
    ['2026-02-14', '2026-02-18'],
    ['2026-06-04', '2026-06-05'],
    ['2026-11-20', '2026-11-23'],
    ['2023-11-20', '2023-11-20'],
    ['2027-01-01', '2027-01-04'],
    ['2018-10-12', '2018-10-15'],
  ])('after %s is %s', (date, next) => {
    expect(nextBusinessDay(date)).toBe(next);
  });

  test('before Ash Wednesday is the Friday before Carnival', () => {
    expect(previousBusinessDay('2026-02-18')).toBe('2026-02-18');
    expect(previousBusinessDay('2026-02-17')).toBe('2026-02-13');
    expect(previousBusinessDay('2027-01-03')).toBe('2026-12-31');
  });
});

describe('counting business days', () => {
  test('five after 2026-10-08 is 2026-10-16', () => {
    expect(addBusinessDays('2026-10-08', 5)).toBe('2026-10-16');
    expect(businessDaysBetween('2026-10-08', '2026-10-16')).toBe(5);
    expect(addBusinessDays('2026-10-16', -5)).toBe('2026-10-08');
  });

  test('starts after the first date and includes the last', () => {
    expect(businessDaysBetween('2026-10-09', '2026-10-12')).toBe(0);
    expect(businessDaysBetween('2026-10-09', '2026-10-13')).toBe(1);
    expect(businessDaysBetween('2026-10-13', '2026-10-13')).toBe(0);
    expect(businessDaysBetween('2026-10-13', '2026-10-09')).toBe(-1);
    expect(businessDaysBetween('2025-12-31', '2026-12-31')).toBe(249);
  });

  test('leaves the date as it is for none, and counts from a closed day', () => {
    expect(addBusinessDays('2026-02-14', 0)).toBe('2026-02-14');
    expect(addBusinessDays('2026-02-14', 1)).toBe('2026-02-18');
    expect(() => addBusinessDays('2026-02-14', 0.5)).toThrow(RangeError);
  });

  test('agrees with walking day by day', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: 0, max: 800 }), (from, days) => {
        const to = addDays(from, days);
        let walked = 0;
        for (let step = 1; step <= days; step += 1) if (isBusinessDay(addDays(from, step))) walked += 1;
        expect(businessDaysBetween(from, to)).toBe(walked);
        expect(businessDaysBetween(to, from)).toBe(0 - walked);
      }),
      RUNS,
    );
  });

  test('adds up over stretches and undoes addBusinessDays', () => {
    fc.assert(
      fc.property(
        anyDate,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 90 }),
        (from, days, count) => {
          const middle = addDays(from, days);
          const to = addBusinessDays(middle, count);
          expect(isBusinessDay(to)).toBe(true);
          expect(businessDaysBetween(middle, to)).toBe(count);
          expect(businessDaysBetween(from, middle) + count).toBe(businessDaysBetween(from, to));
          expect(nextBusinessDay(from) >= from && previousBusinessDay(from) <= from).toBe(true);
        },
      ),
      RUNS,
    );
  });
});
