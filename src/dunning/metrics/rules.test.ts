import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, monthOf } from '../../core/dates.ts';
import { bandsOf, isMonths, meanOf, recoveredOf, shareOf, sharesBy, windowOf } from './rules.ts';

test('MODEL §16: a window is whole months up to today, zero months and the current one among them', () => {
  expect(windowOf(3, '2026-03-01')).toEqual({
    from: '2026-01-01',
    to: '2026-03-01',
    months: ['2026-01', '2026-02', '2026-03'],
  });
  expect(windowOf(1, '2026-02-28')).toEqual({ from: '2026-02-01', to: '2026-02-28', months: ['2026-02'] });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 0, max: 600 }), (count, ahead) => {
      const today = `${addMonths('2000-01', ahead)}-15`;
      const { months, from } = windowOf(count, today);
      expect(months).toHaveLength(count);
      expect(months.at(-1)).toBe(monthOf(today));
      expect(from).toBe(`${months[0]}-01`);
      months.slice(1).forEach((month, index) => {
        expect(month).toBe(addMonths(months[index]!, 1));
      });
    }),
  );
});

test.each([
  [1, true],
  [24, true],
  [0, false],
  [25, false],
  [1.5, false],
  [Number.NaN, false],
])('%s months: %s', (months, expected) => {
  expect(isMonths(months)).toBe(expected);
});

test('MODEL §16: a share of nothing is null, not zero; others are rounded half up to two decimals', () => {
  expect(shareOf(0, 0)).toBeNull();
  expect(shareOf(0, 10)).toBe('0');
  expect(shareOf(1, 3)).toBe('33.33');
  expect(shareOf(2, 3)).toBe('66.67');
  expect(shareOf(1, 8)).toBe('12.5');
  expect(shareOf(5, 5)).toBe('100');
  expect(shareOf(1, 20_000)).toBe('0.01');
  expect(shareOf(10 ** 13, 10 ** 13 * 2)).toBe('50');
});

test('a mean without weight is null; others are rounded half up to two decimals', () => {
  expect(meanOf(0n, 0n)).toBeNull();
  expect(meanOf(0n, 5n)).toBe('0.00');
  expect(meanOf(1n, 200n)).toBe('0.01');
  expect(meanOf(25n, 2n)).toBe('12.50');
  expect(meanOf(-25n, 2n)).toBe('-12.50');
  expect(meanOf(10n ** 24n, 10n ** 21n)).toBe('1000.00');
});

const sum = fc.record({
  month: fc.integer({ min: 1, max: 24 }),
  method: fc.constantFrom('pix', 'boleto'),
  channel: fc.constantFrom('email', 'none'),
  payments: fc.integer({ min: 0, max: 1_000 }),
  cents: fc.integer({ min: 0, max: 1_000_000 }),
  principal: fc.integer({ min: 0, max: 1_000_000 }),
  dayCents: fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
  firsts: fc.integer({ min: 0, max: 100 }),
  steps: fc.integer({ min: 0, max: 100 }),
});

test('parts make the whole, however they are cut', () => {
  fc.assert(
    fc.property(
      fc.array(sum, { maxLength: 20 }),
      fc.constantFrom('method', 'channel', 'month'),
      (sums, by) => {
        const whole = recoveredOf(sums);
        const parts = sharesBy(sums, (one) => String(one[by as 'method']));
        for (const field of ['payments', 'cents', 'principal', 'firsts', 'steps'] as const) {
          expect(parts.reduce((total, { recovered }) => total + recovered[field], 0)).toBe(whole[field]);
        }
        expect(parts.reduce((total, { recovered }) => total + recovered.dayCents, 0n)).toBe(whole.dayCents);
        const amounts = parts.map(({ recovered }) => recovered.cents);
        expect(amounts).toEqual(amounts.toSorted((left, right) => right - left));
      },
    ),
  );
});

test('bands meet without gaps, the last is open, and they must rise', () => {
  expect(bandsOf([30, 90])).toEqual([
    { fromDays: 1, toDays: 30 },
    { fromDays: 31, toDays: 90 },
    { fromDays: 91, toDays: null },
  ]);
  expect(() => bandsOf([30, 30])).toThrow();
});
