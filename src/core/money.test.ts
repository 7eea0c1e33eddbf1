import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CENTS_MAX,
  formatBrl,
  formatMoney,
  formatPercent,
  parseMoney,
  parsePercent,
  percentOf,
  roundHalfUp,
  splitCents,
} from './money.ts';

const RUNS = { numRuns: 2000 };
const anyCents = fc.integer({ min: -CENTS_MAX + 1, max: CENTS_MAX - 1 });
const anyPercent = fc.integer({ min: 0, max: 9_999_999 });

describe('parseMoney', () => {
  test.each([
    ['1234.56', 123_456],
    ['0', 0],
    ['-0', 0],
    ['-0.00', 0],
    ['-0.05', -5],
    ['10', 1000],
    ['10.5', 1050],
    ['007.10', 710],
    ['99999999999.99', 9_999_999_999_999],
    ['-99999999999.99', -9_999_999_999_999],
  ])('reads the text %s', (text, cents) => {
    expect(parseMoney(text)).toBe(cents);
  });

  test.each([
    ['1.234,56'],
    ['1,234.56'],
    ['1234,56'],
    ['R$ 10'],
    [''],
    [' 10'],
    ['10 '],
    ['10\n'],
    ['+10'],
    ['--1'],
    ['.5'],
    ['5.'],
    ['1e3'],
    ['1.005'],
    ['0x10'],
    ['١٠'],
    ['Infinity'],
    ['100000000000.00'],
  ])('refuses the text %j instead of guessing', (text) => {
    expect(parseMoney(text)).toBeNull();
  });

  test('refuses numbers whose shortest text is not an amount', () => {
    for (const value of [8.165, 1e-7, 1e21, 1e11, Number.NaN, Number.POSITIVE_INFINITY, 0.1 + 0.2]) {
      expect(parseMoney(value)).toBeNull();
    }
  });

  test('PITFALL 28: reads 19.99 as 1999 centavos, refuses more than two decimals, rounds −61.005 inside to −61.01', () => {
    expect(parseMoney(19.99)).toBe(1999);
    expect(parseMoney('19.99')).toBe(1999);
    expect(parseMoney(8.165)).toBeNull();
    expect(parseMoney('8.165')).toBeNull();
    expect(parseMoney(-61.005)).toBeNull();
    expect(formatMoney(roundHalfUp(-61_005n, 10n))).toBe('-61.01');
  });

  test('gives back every amount that was printed, as text and as a number', () => {
    fc.assert(
      fc.property(anyCents, (cents) => {
        const text = formatMoney(cents);
        expect(parseMoney(text)).toBe(cents);
        expect(parseMoney(Number(text))).toBe(cents);
      }),
      RUNS,
    );
  });
});

describe('formatMoney and formatBrl', () => {
  test('print two decimals and the sign', () => {
    expect(formatMoney(123_456)).toBe('1234.56');
    expect(formatMoney(-5)).toBe('-0.05');
    expect(formatMoney(0)).toBe('0.00');
    expect(formatMoney(100)).toBe('1.00');
  });

  test('print the Brazilian form with a plain space', () => {
    expect(formatBrl(123_456)).toBe('R$ 1.234,56');
    expect(formatBrl(-100)).toBe('-R$ 1,00');
    expect(formatBrl(5)).toBe('R$ 0,05');
    expect(formatBrl(99_999)).toBe('R$ 999,99');
    expect(formatBrl(100_000)).toBe('R$ 1.000,00');
    expect(formatBrl(CENTS_MAX)).toBe('R$ 100.000.000.000,00');
  });

  test('refuse a fraction of a centavo', () => {
    expect(() => formatMoney(0.5)).toThrow(RangeError);
    expect(() => formatBrl(Number.NaN)).toThrow(RangeError);
  });
});

describe('roundHalfUp', () => {
  test('takes halves away from zero on both sides', () => {
    expect(roundHalfUp(1n, 2n)).toBe(1);
    expect(roundHalfUp(-1n, 2n)).toBe(-1);
    expect(roundHalfUp(1n, -2n)).toBe(-1);
    expect(roundHalfUp(5n, 2n)).toBe(3);
    expect(roundHalfUp(7n, 3n)).toBe(2);
    expect(roundHalfUp(-1n, 3n)).toBe(0);
    expect(roundHalfUp(0n, -7n)).toBe(0);
  });

  test('refuses a zero denominator and a result that would not be exact', () => {
    expect(() => roundHalfUp(1n, 0n)).toThrow(RangeError);
    expect(() => roundHalfUp(2n ** 53n, 1n)).toThrow(RangeError);
  });

  test('is never more than half a unit away', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.bigInt(100_000n, 10n ** 9n), (top, bottom) => {
        const twice = 2n * (BigInt(roundHalfUp(top, bottom)) * bottom - top);
        expect(twice <= bottom && twice >= -bottom).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('splitCents', () => {
  test('PITFALL 29: splits 559.30 in 3 as 186.44 + 186.43 + 186.43', () => {
    expect(splitCents(55_930, 3)).toEqual([18_644, 18_643, 18_643]);
  });

  test('adds up to the total with parts one centavo apart at most, larger ones first', () => {
    fc.assert(
      fc.property(anyCents, fc.integer({ min: 1, max: 400 }), (total, count) => {
        const parts = splitCents(total, count);
        expect(parts).toHaveLength(count);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
        expect(parts[0]! - parts.at(-1)!).toBeLessThanOrEqual(1);
        expect(parts.toSorted((left, right) => right - left)).toEqual(parts);
      }),
      RUNS,
    );
  });

  test('refuses no parts, half parts and fractions of a centavo', () => {
    expect(() => splitCents(100, 0)).toThrow(RangeError);
    expect(() => splitCents(100, 1.5)).toThrow(RangeError);
    expect(() => splitCents(0.5, 2)).toThrow(RangeError);
  });
});

describe('percentages', () => {
  test.each([
    ['0.0333', 333],
    ['2', 20_000],
    ['1.5', 15_000],
    ['100', 1_000_000],
    ['0', 0],
    ['999.9999', 9_999_999],
    [2.5, 25_000],
    [0.0333, 333],
  ])('reads %s as ten-thousandths of a percent', (text, percent) => {
    expect(parsePercent(text)).toBe(percent);
  });

  test.each([['0.00333'], ['-1'], ['1,5'], ['2%'], [''], ['1000'], ['1e2'], [1e-7], [0.00001], [Number.NaN]])(
    'refuses %j',
    (value) => {
      expect(parsePercent(value)).toBeNull();
    },
  );

  test('prints the shortest form', () => {
    expect(formatPercent(20_000)).toBe('2');
    expect(formatPercent(15_000)).toBe('1.5');
    expect(formatPercent(333)).toBe('0.0333');
    expect(formatPercent(0)).toBe('0');
    expect(formatPercent(-12_500)).toBe('-1.25');
  });

  test('gives back every percentage that was printed', () => {
    fc.assert(
      fc.property(anyPercent, (percent) => {
        expect(parsePercent(formatPercent(percent))).toBe(percent);
      }),
      RUNS,
    );
  });

  test('rounds a share once: 2 % of 123.45 is 2.47', () => {
    expect(percentOf(12_345, 20_000)).toBe(247);
    expect(percentOf(-12_345, 20_000)).toBe(-247);
    expect(percentOf(100, 1_000_000)).toBe(100);
  });

  test('PITFALL 23: 0.05 % of 10.00 is 0.01, leaving 9.99', () => {
    const abatement = percentOf(1000, parsePercent('0.05')!);
    expect(abatement).toBe(1);
    expect(formatMoney(1000 - abatement)).toBe('9.99');
  });

  test('grow with the amount and with the rate', () => {
    const amount = fc.integer({ min: 0, max: CENTS_MAX });
    fc.assert(
      fc.property(amount, amount, anyPercent, anyPercent, (a, b, p, q) => {
        expect(percentOf(Math.min(a, b), p)).toBeLessThanOrEqual(percentOf(Math.max(a, b), p));
        expect(percentOf(a, Math.min(p, q))).toBeLessThanOrEqual(percentOf(a, Math.max(p, q)));
      }),
      RUNS,
    );
  });
});
