import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CENTS_MAX } from '../../core/money.ts';
import { adjustmentOf, isOpeningChanged, maskedAccount, requireAdjustableDate } from './rules.ts';

const bank = {
  name: 'Main',
  kind: 'checking',
  bank_code: '341',
  agency: '1234',
  number: '1234556',
  digit: '7',
};

describe('maskedAccount', () => {
  test('shows bank, branch, the last two digits and the check digit', () => {
    expect(maskedAccount(bank)).toBe('Main (341 ag. 1234 c/c ***56-7)');
    expect(maskedAccount({ ...bank, kind: 'savings', digit: null })).toBe('Main (341 ag. 1234 c/p ***56)');
  });

  test('shows the name alone where there is no number to mask', () => {
    const none = { bank_code: null, agency: null, number: null, digit: null };
    expect(maskedAccount({ name: 'Petty cash', kind: 'cash', ...none })).toBe('Petty cash');
  });

  test('never shows a whole number, however short or long', () => {
    expect(maskedAccount({ ...bank, number: '12', digit: null })).toBe('Main (341 ag. 1234 c/c ***)');
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(digits, (list) => {
        const number = list.join('');
        const shown = maskedAccount({
          ...bank,
          bank_code: null,
          agency: null,
          name: 'A',
          number,
          digit: null,
        });
        expect(shown.replace(/\D/g, '').length).toBeLessThanOrEqual(2);
        expect(shown.replace(/\D/g, '').length).toBeLessThan(number.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('adjustmentOf', () => {
  test('is a credit when the books have less than the target and a debit when they have more', () => {
    expect(adjustmentOf(10_000, 12_550)).toEqual({ direction: 'credit', amount: 2_550 });
    expect(adjustmentOf(10_000, -1)).toEqual({ direction: 'debit', amount: 10_001 });
  });

  test('refuses a target that is the book balance already, and says what that balance is', () => {
    expect(() => adjustmentOf(-1_234, -1_234)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: {
          path: 'target_balance',
          expected: 'another amount than the book balance of that day, -12.34',
        },
      }),
    );
  });

  test('refuses a difference that no entry can hold', () => {
    expect(adjustmentOf(-1, CENTS_MAX - 1).amount).toBe(CENTS_MAX);
    expect(() => adjustmentOf(-1, CENTS_MAX)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ path: 'target_balance' }) }),
    );
  });

  test('always leads from the book balance to the target, by a positive amount', () => {
    const cents = fc.integer({ min: -CENTS_MAX / 2, max: CENTS_MAX / 2 });
    fc.assert(
      fc.property(cents, cents, (book, target) => {
        fc.pre(book !== target);
        const { direction, amount } = adjustmentOf(book, target);
        expect(amount).toBeGreaterThan(0);
        expect(direction === 'credit' ? book + amount : book - amount).toBe(target);
      }),
      { numRuns: 2000 },
    );
  });
});

test('an adjustment lies between the opening of the account and today, both included', () => {
  const account = { opening_date: '2026-01-01' };
  for (const on of ['2026-01-01', '2026-10-01']) requireAdjustableDate(account, on, '2026-10-01');
  for (const on of ['2025-12-31', '2026-10-02']) {
    expect(() => requireAdjustableDate(account, on, '2026-10-01')).toThrow(
      expect.objectContaining({
        details: {
          path: 'as_of',
          expected: 'a date from 2026-01-01, the opening of the account, to 2026-10-01, today',
        },
      }),
    );
  }
});

test('the opening changes by its amount or its date, and not by being sent again', () => {
  const before = { opening_balance_cents: 100, opening_date: '2026-01-01' };
  expect(isOpeningChanged(before, { ...before })).toBe(false);
  expect(isOpeningChanged(before, { ...before, opening_balance_cents: 0 })).toBe(true);
  expect(isOpeningChanged(before, { ...before, opening_date: '2026-01-02' })).toBe(true);
});
