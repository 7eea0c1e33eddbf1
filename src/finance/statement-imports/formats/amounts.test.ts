import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatBrl, formatMoney } from '../../../core/money.ts';
import { csvCents, decimalMarkOf, ofxCents } from './amounts.ts';

describe('an amount of OFX', () => {
  test.each([
    ['386,80', 38_680],
    ['-386,80', -38_680],
    ['841.62', 84_162],
    ['+12.5', 1_250],
    ['1.234,56', 123_456],
    ['1,234.56', 123_456],
    ['1.234.567,89', 123_456_789],
    ['-35.0000', -3_500],
    ['1500', 150_000],
    ['0,00', 0],
    ['.5', 50],
    ['1.234', null],
    ['12.34.56', null],
    ['1,2,3.4', null],
    ['12,345,67', null],
    ['1e5', null],
    ['', null],
    ['--5', null],
    ['999999999999,00', null],
  ])('PITFALLS 37: reads %s as %s centavos', (text, cents) => {
    expect(ofxCents(text)).toBe(cents);
  });
});

describe('an amount of CSV', () => {
  test.each([
    ['334.327,57', 33_432_757],
    ['87.538.258,97', 8_753_825_897],
    ['-110.7', -11_070],
    ['R$ 1.234,56', 123_456],
    ['-R$ 1.234,56', -123_456],
    ['R$ -5,00', -500],
    ['(1.234,56)', -123_456],
    ['1.234,56 D', -123_456],
    ['1.234,56C', 123_456],
    ['12,00-', -1_200],
    ['\u221212,00', -1_200],
    ['1.234', 123_400],
    ['1,234', null],
    ['saldo', null],
    ['1'.repeat(41), null],
  ])('PITFALLS 40: with decimal commas reads %s as %s centavos', (text, cents) => {
    expect(csvCents(text, ',')).toBe(cents);
  });

  test.each([
    ['1,234', 123_400],
    ['1.234', null],
    ['-110.7', -11_070],
  ])('with decimal points reads %s as %s centavos', (text, cents) => {
    expect(csvCents(text, '.')).toBe(cents);
  });

  test('takes the comma for decimal unless only a point can be', () => {
    expect(decimalMarkOf(['1.234', '1,50'])).toBe(',');
    expect(decimalMarkOf(['1.234', '1.50'])).toBe('.');
    expect(decimalMarkOf(['1.50', '1,50'])).toBe(',');
    expect(decimalMarkOf(['1.234', ''])).toBe(',');
  });

  test('comes back from both forms people write, for every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
        expect(csvCents(formatBrl(cents), ',')).toBe(cents);
        expect(csvCents(formatMoney(cents), '.')).toBe(cents);
        expect(ofxCents(formatMoney(cents))).toBe(cents);
        expect(ofxCents(formatMoney(cents).replace('.', ','))).toBe(cents);
      }),
      { numRuns: 1_000 },
    );
  });
});
