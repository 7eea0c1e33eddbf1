import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_TERMS } from './accruals.ts';
import { addDays } from './dates.ts';
import { allocateReceipt } from './receipts.ts';
import { amountsAt } from './terms.ts';

describe('allocateReceipt', () => {
  test('PITFALL 46: uses what is still due, oldest first, and leaves the rest as credit', () => {
    const first = amountsAt({
      amount: 151_000,
      dueDate: '2026-03-10',
      terms: NO_TERMS,
      payments: [{ on: '2026-03-10', amount: 150_000 }],
      on: '2026-03-20',
    });
    const result = allocateReceipt(330_000, [
      { id: 'new', dueDate: '2026-04-10', amountDue: 200_000 },
      { id: 'old', dueDate: '2026-03-10', amountDue: first.amountDue },
    ]);
    expect(result).toEqual({
      parts: [
        { id: 'old', amount: 1000 },
        { id: 'new', amount: 200_000 },
      ],
      credit: 129_000,
    });
  });

  test('stops when the receipt is used up and skips what is paid', () => {
    const documents = [
      { id: 'paid', dueDate: '2026-01-10', amountDue: 0 },
      { id: 'b', dueDate: '2026-02-10', amountDue: 300 },
      { id: 'c', dueDate: '2026-02-10', amountDue: 300 },
      { id: 'd', dueDate: '2026-03-10', amountDue: 300 },
    ];
    expect(allocateReceipt(500, documents)).toEqual({
      parts: [
        { id: 'b', amount: 300 },
        { id: 'c', amount: 200 },
      ],
      credit: 0,
    });
    expect(documents.map(({ id }) => id)).toEqual(['paid', 'b', 'c', 'd']);
    expect(allocateReceipt(500, [])).toEqual({ parts: [], credit: 500 });
  });

  test('refuses a negative receipt or document', () => {
    expect(() => allocateReceipt(-1, [])).toThrow(RangeError);
    expect(() => allocateReceipt(1, [{ id: 'a', dueDate: '2026-01-10', amountDue: -1 }])).toThrow(RangeError);
  });

  test('adds up to the receipt, never over-pays, and leaves no older document open behind a newer one', () => {
    const documents = fc.array(
      fc.record({ days: fc.nat({ max: 400 }), amountDue: fc.nat({ max: 100_000 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.nat({ max: 600_000 }), documents, (receipt, drawn) => {
        const given = drawn.map(({ days, amountDue }, index) => ({
          id: String(index),
          dueDate: addDays('2026-01-01', days),
          amountDue,
        }));
        const { parts, credit } = allocateReceipt(receipt, given);
        const due = given.reduce((sum, document) => sum + document.amountDue, 0);
        expect(parts.reduce((sum, part) => sum + part.amount, credit)).toBe(receipt);
        expect(credit).toBe(Math.max(0, receipt - due));
        const placed = parts.map((part) => ({ ...given[Number(part.id)]!, amount: part.amount }));
        const partial = placed.filter(({ amount, amountDue }) => amount < amountDue);
        expect(placed.every(({ amount, amountDue }) => amount > 0 && amount <= amountDue)).toBe(true);
        expect(partial.every((document) => document === placed.at(-1))).toBe(true);
        expect(placed.map(({ dueDate }) => dueDate)).toEqual(placed.map(({ dueDate }) => dueDate).toSorted());
      }),
      { numRuns: 1000 },
    );
  });
});
