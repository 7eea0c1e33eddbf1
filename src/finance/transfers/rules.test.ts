import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BankOrderStatus } from '../../gateways/bank/port.ts';
import {
  cancellationOf,
  isContradiction,
  isLive,
  requireOneTransfer,
  type TransferState,
  transferAfterAnswer,
  transferDateOf,
  transferKeyOf,
} from './rules.ts';

const pending: TransferState = {
  status: 'pending',
  registration_status: 'requested',
  bank_reference: null,
  bank_settled_on: null,
  rejected_reason: null,
};

const answer: fc.Arbitrary<BankOrderStatus> = fc.oneof(
  fc.constantFrom(
    { status: 'scheduled', reference: 'R' } as const,
    { status: 'processing', reference: 'R' } as const,
    { status: 'awaiting_funds', reference: 'R' } as const,
    { status: 'absent' } as const,
    { status: 'confirmed', reference: 'R', authentication: 'A', settledOn: '2026-10-02' } as const,
    { status: 'rejected', reference: 'R', reason: 'no such account' } as const,
    { status: 'canceled', reference: 'R', reason: 'asked for' } as const,
  ),
);

test('whatever the bank says, in whatever order, the first final answer is the last', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 12 }), (answers) => {
      let transfer = pending;
      let first: TransferState | undefined;
      for (const said of answers) {
        const after = transferAfterAnswer(transfer, said);
        if (first !== undefined) expect(after).toBe(transfer);
        else if (!isLive(after)) first = after;
        expect(transferAfterAnswer(after, said)).toEqual(after);
        transfer = after;
      }
      expect(transfer.status === 'confirmed').toBe(transfer.bank_settled_on !== null);
    }),
    { numRuns: 1_000 },
  );
});

test('another final answer than the one on record is told', () => {
  const confirmed = transferAfterAnswer(pending, {
    status: 'confirmed',
    reference: 'R',
    authentication: 'A',
    settledOn: '2026-10-02',
  });
  expect(isContradiction(confirmed, { status: 'rejected', reference: 'R', reason: 'x' })).toBe(true);
  expect(isContradiction(confirmed, { status: 'processing', reference: 'R' })).toBe(false);
  expect(isContradiction(pending, { status: 'rejected', reference: 'R', reason: 'x' })).toBe(false);
  const failed = transferAfterAnswer(pending, { status: 'rejected', reference: 'R', reason: 'x' });
  expect(isContradiction(failed, { status: 'rejected', reference: 'R', reason: 'x' })).toBe(false);
});

test('the key tells day, centavos and method', () => {
  const transfer = { id: 'a', scheduled_for: '2026-10-05', amount_cents: 123_456, method: 'pix' };
  expect(transferKeyOf(transfer)).toBe('a.20261005.123456.pix');
});

describe('the day', () => {
  test('is today by hand and for Pix, and the next business day for TED', () => {
    expect(transferDateOf('internal', undefined, '2026-10-03')).toBe('2026-10-03');
    expect(transferDateOf('pix', undefined, '2026-10-03')).toBe('2026-10-03');
    expect(transferDateOf('ted', undefined, '2026-10-03')).toBe('2026-10-05');
  });

  test.each([
    ['internal', '2026-10-04'],
    ['pix', '2026-10-02'],
    ['ted', '2027-10-04'],
  ] as const)('of %s cannot be %s', (method, given) => {
    expect(() => transferDateOf(method, given, '2026-10-03')).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ path: 'date' }),
      }),
    );
  });
});

test.each([
  [{ status: 'pending', origin: 'ordered', method: 'pix', cancel_requested_at: null }, 'order'],
  [{ status: 'confirmed', origin: 'linked', method: 'internal', cancel_requested_at: null }, 'link'],
  [{ status: 'confirmed', origin: 'ordered', method: 'internal', cancel_requested_at: null }, 'entries'],
] as const)('%o is called off as %s', (transfer, how) => {
  expect(cancellationOf(transfer)).toBe(how);
});

test.each([
  { status: 'confirmed', origin: 'ordered', method: 'pix', cancel_requested_at: null },
  { status: 'failed', origin: 'ordered', method: 'ted', cancel_requested_at: null },
  { status: 'canceled', origin: 'linked', method: 'internal', cancel_requested_at: null },
  { status: 'pending', origin: 'ordered', method: 'pix', cancel_requested_at: '2026-10-01T00:00:00Z' },
])('%o is not called off', (transfer) => {
  expect(() => cancellationOf(transfer)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

describe('two lines are one transfer', () => {
  const line = {
    id: 'l',
    account_id: 'a',
    direction: 'debit',
    amount_cents: 100,
    reconciled_cents: 0,
    source: 'import',
    ignored: false,
    transfer_id: null,
  };
  const other = { ...line, id: 'm', account_id: 'b', direction: 'credit' };

  test('when they are equal, opposite, whole, and of two accounts', () => {
    expect(() => requireOneTransfer(line, other)).not.toThrow();
  });

  test.each([
    ['of one account', { account_id: 'a' }, 'invalid_argument'],
    ['of one direction', { direction: 'debit' }, 'invalid_argument'],
    ['unequal', { amount_cents: 101 }, 'unbalanced'],
    ['reconciled in part', { reconciled_cents: 1 }, 'already_reconciled'],
    ['a leg already', { transfer_id: 't' }, 'already_reconciled'],
    ['ignored', { ignored: true }, 'invalid_state'],
    ['made by a settlement', { source: 'settlement' }, 'invalid_state'],
  ])('not when %s', (_what, change, code) => {
    expect(() => requireOneTransfer(line, { ...other, ...change })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});
