import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takenBy } from './matching/fit.ts';
import {
  partsOf,
  type ReconciliationRequest,
  requireBalance,
  requireDirection,
  requireRest,
  requireSound,
  sideOf,
} from './rules.ts';

const failing = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

describe('what is asked for', () => {
  const asked = (documents: object[], transactions: object[] = [{ id: 'l', amount: 100 }]) =>
    requireSound({ transactions, documents } as unknown as ReconciliationRequest);

  test.each([
    [
      'a document twice',
      [
        { kind: 'payable', id: 'a' },
        { kind: 'payable', id: 'a' },
      ],
      'documents.1.id',
    ],
    ['parts of a settlement', [{ kind: 'settlement', id: 'a', principal: 1 }], 'documents.0.principal'],
    ['parts of a transfer', [{ kind: 'transfer', id: 'a', fee: 0 }], 'documents.0.fee'],
    ['a fee on a payable', [{ kind: 'payable', id: 'a', fee: 1 }], 'documents.0.fee'],
    [
      'a transfer beside a bill',
      [
        { kind: 'transfer', id: 'a' },
        { kind: 'payable', id: 'b' },
      ],
      'documents',
    ],
  ])('is refused with %s', (_what, documents, path) => {
    expect(() => asked(documents)).toThrow(failing('invalid_argument', { path }));
  });

  test('is refused with a line twice, and with two lines for a transfer', () => {
    const twice = [
      { id: 'l', amount: 1 },
      { id: 'l', amount: 2 },
    ];
    expect(() => asked([{ kind: 'payable', id: 'a' }], twice)).toThrow(
      failing('invalid_argument', { path: 'transactions.1.id' }),
    );
    const two = [
      { id: 'l', amount: 1 },
      { id: 'm', amount: 2 },
    ];
    expect(() => asked([{ kind: 'transfer', id: 'a' }], two)).toThrow(failing('invalid_argument'));
    expect(() =>
      asked(
        [
          { kind: 'payable', id: 'a' },
          { kind: 'settlement', id: 'b' },
        ],
        two,
      ),
    ).not.toThrow();
  });
});

describe('a line', () => {
  const line = { id: 'l', account_id: 'a', direction: 'debit', amount_cents: 100, reconciled_cents: 60 };

  test('gives its rest and no more', () => {
    expect(() => requireRest(line, 40)).not.toThrow();
    expect(() => requireRest(line, 41)).toThrow(failing('exceeds_open_amount', { open: '0.40' }));
    expect(() => requireRest({ ...line, reconciled_cents: 100 }, 1)).toThrow(failing('already_reconciled'));
  });

  test('is of the account and direction of the others', () => {
    expect(sideOf([line, line])).toEqual({ accountId: 'a', direction: 'debit' });
    expect(() => sideOf([line, { ...line, account_id: 'b' }])).toThrow(failing('invalid_argument'));
    expect(() => sideOf([line, { ...line, direction: 'credit' }])).toThrow(failing('invalid_argument'));
  });

  test('pays what is owed in its direction', () => {
    expect(() => requireDirection(0, 'payable', null, 'debit')).not.toThrow();
    expect(() => requireDirection(0, 'receivable', null, 'debit')).toThrow(failing('invalid_argument'));
    expect(() => requireDirection(1, 'settlement', 'credit', 'debit')).toThrow(
      failing('invalid_argument', { path: 'documents.1.kind' }),
    );
  });
});

describe('parts', () => {
  test('without a principal close all that is open', () => {
    expect(partsOf({ kind: 'payable', id: 'a' }, 100)).toEqual({
      principal: 100,
      discount: 0,
      interest: 0,
      fine: 0,
      fee: 0,
    });
  });

  test('never close more than is open, and always take something', () => {
    expect(() => partsOf({ kind: 'payable', id: 'a', principal: 101 }, 100)).toThrow(
      failing('exceeds_open_amount', { open: '1.00' }),
    );
    for (const parts of [{ discount: 100 }, { principal: 0 }, { discount: 101, fine: 50 }, { fee: 100 }]) {
      expect(() => partsOf({ kind: 'receivable', id: 'a', ...parts }, 100)).toThrow(failing('unbalanced'));
    }
  });
});

test('MODEL §14.4: both sides are equal to the centavo, or nothing is made', () => {
  const cents = fc.integer({ min: 0, max: 1_000_000 });
  const document = fc
    .record({ principal: fc.integer({ min: 1, max: 1_000_000 }), interest: cents, fine: cents })
    .chain((parts) =>
      fc
        .record({ discount: fc.integer({ min: 0, max: parts.principal - 1 }), fee: fc.constant(0) })
        .map((rest) => ({
          ...parts,
          ...rest,
        })),
    );
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(1_000), { maxLength: 6 }),
      fc.integer({ min: -3, max: 3 }),
      (documents, cuts, off) => {
        const taken = documents.map((parts) => {
          const { principal } = parts;
          return takenBy(partsOf({ kind: 'receivable', id: 'a', ...parts }, principal));
        });
        const total = taken.reduce((sum, amount) => sum + amount, 0);
        const lines = splitAt(total, cuts);
        expect(requireBalance(lines, taken)).toBe(total);
        if (off !== 0) {
          expect(() => requireBalance([...lines, off], taken)).toThrow(failing('unbalanced'));
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

/** The total cut into parts at the given thousandths. */
function splitAt(total: number, thousandths: number[]): number[] {
  const places = [
    0,
    ...thousandths.map((at) => Math.floor((total * at) / 1_000)).sort((a, b) => a - b),
    total,
  ];
  return places.slice(1).map((place, index) => place - places[index]!);
}
