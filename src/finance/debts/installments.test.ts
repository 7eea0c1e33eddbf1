import fc from 'fast-check';
import { expect, test } from 'vitest';
import { installmentsOf, intervals } from './installments.ts';
import type { DebtDraft } from './schema.ts';

const bill = (fields: Partial<DebtDraft> = {}): DebtDraft => ({
  companyId: 'company',
  personId: 'person',
  description: 'Machine',
  amountCents: 55_930,
  dueDate: '2026-01-31',
  ...fields,
});

const plan = (count: number, fields: Partial<Parameters<typeof installmentsOf>[1]> = {}) => ({
  count,
  firstDueDate: '2026-01-31',
  interval: 'monthly' as const,
  ...fields,
});

test('PITFALL 29: 559.30 in three is 186.44, 186.43 and 186.43', () => {
  const amounts = installmentsOf(bill(), plan(3), 'group').map(({ amountCents }) => amountCents);
  expect(amounts).toEqual([18_644, 18_643, 18_643]);
});

test('PITFALL 31: monthly dates keep the day of the first one', () => {
  const dates = installmentsOf(bill(), plan(6), 'group').map(({ dueDate }) => dueDate);
  expect(dates).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']);
});

test('steps by one week, two weeks and years', () => {
  const second = (interval: (typeof intervals)[number]) =>
    installmentsOf(bill(), plan(2, { interval, firstDueDate: '2028-02-29' }), 'group')[1]!.dueDate;
  expect(intervals.map(second)).toEqual(['2028-03-07', '2028-03-14', '2028-03-29', '2029-02-28']);
});

test('splits amount, abatement and withholdings so that each adds up to its whole', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 120, max: 1e12 }),
      fc.integer({ min: 2, max: 120 }),
      fc.nat(1e6),
      fc.nat(1e6),
      (amountCents, count, abatementCents, cents) => {
        const withholdings = [{ kind: 'iss', cents }];
        const parts = installmentsOf(
          bill({ amountCents, abatementCents, withholdings }),
          plan(count),
          'group',
        );
        const sum = (of: (part: DebtDraft) => number) => parts.reduce((total, part) => total + of(part), 0);
        expect(sum((part) => part.amountCents)).toBe(amountCents);
        expect(sum((part) => part.abatementCents ?? 0)).toBe(abatementCents);
        expect(sum((part) => part.withholdings?.[0]?.cents ?? 0)).toBe(cents);
        expect(parts.map(({ installment }) => installment)).toEqual(
          parts.map((_, index) => ({ number: index + 1, total: count, groupId: 'group' })),
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test('refuses what one installment only can have: a discount up to one date', () => {
  const refusal = (fields: Partial<DebtDraft>) => () => installmentsOf(bill(fields), plan(2), 'group');
  const discounts = [{ kind: 'fixed', cents: 100, until: '2026-01-31' }] as const;
  expect(refusal({ terms: { discounts, fine: null, interest: { kind: 'none' }, graceDays: 0 } })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ path: 'charges.discounts' }) }),
  );
  expect(refusal({ amountCents: 1 })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ path: 'amount' }) }),
  );
});
