import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BankOrderStatus } from '../../gateways/bank/port.ts';
import { holderOf } from './holder.ts';
import {
  isContradiction,
  isLive,
  orderKeyOf,
  type PaymentState,
  paymentAfterAnswer,
  requireCancelable,
  requirePayableForOrder,
} from './rules.ts';

const fresh: PaymentState = {
  status: 'pending',
  registration_status: 'requested',
  bank_reference: null,
  bank_authentication: null,
  bank_settled_on: null,
  rejected_reason: null,
};

const confirmed: BankOrderStatus = {
  status: 'confirmed',
  reference: 'R1',
  authentication: 'A1',
  settledOn: '2026-10-05',
};

const anyAnswer: fc.Arbitrary<BankOrderStatus> = fc.oneof(
  fc.constant({ status: 'absent' as const }),
  fc.constantFrom('scheduled', 'processing', 'awaiting_funds').map((status) => ({
    status: status as 'scheduled',
    reference: 'R1',
  })),
  fc.constant(confirmed),
  fc.constantFrom('rejected', 'canceled').map((status) => ({
    status: status as 'rejected',
    reference: 'R1',
    reason: 'no such account',
  })),
);

const rank = ['pending', 'awaiting_approval', 'scheduled', 'awaiting_funds', 'processing'];

describe('an answer of the bank', () => {
  test('never moves an order backwards and settles at most once, whatever the sequence', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer, { maxLength: 12 }), (answers) => {
        let payment = fresh;
        let settled = 0;
        for (const answer of answers) {
          const after = paymentAfterAnswer(payment, answer);
          if (!isLive(payment.status)) expect(after).toBe(payment);
          else if (isLive(after.status)) {
            expect(rank.indexOf(after.status)).toBeGreaterThanOrEqual(rank.indexOf(payment.status));
          }
          if (after.status === 'confirmed' && payment.status !== 'confirmed') settled += 1;
          payment = after;
        }
        const firstFinal = answers.find(({ status }) => /confirmed|rejected|canceled/.test(status));
        if (firstFinal === undefined) expect(isLive(payment.status)).toBe(true);
        else expect(payment.status).toBe(firstFinal.status);
        expect(settled).toBe(firstFinal?.status === 'confirmed' ? 1 : 0);
      }),
      { numRuns: 2000 },
    );
  });

  test('carries the date and authentication of the bank, not ours', () => {
    expect(paymentAfterAnswer(fresh, confirmed)).toEqual({
      status: 'confirmed',
      registration_status: 'confirmed',
      bank_reference: 'R1',
      bank_authentication: 'A1',
      bank_settled_on: '2026-10-05',
      rejected_reason: null,
    });
  });

  test('tells an order refused at once from one refused after it was taken', () => {
    const refusal: BankOrderStatus = { status: 'rejected', reference: 'R1', reason: 'closed\u202eaccount' };
    expect(paymentAfterAnswer(fresh, refusal)).toMatchObject({
      status: 'rejected',
      registration_status: 'rejected',
      rejected_reason: 'closedaccount',
    });
    const taken = paymentAfterAnswer(fresh, { status: 'scheduled', reference: 'R1' });
    expect(paymentAfterAnswer(taken, refusal)).toMatchObject({
      status: 'rejected',
      registration_status: 'confirmed',
    });
  });

  test('that contradicts the final one is told from one that repeats it', () => {
    const paid = paymentAfterAnswer(fresh, confirmed);
    expect(isContradiction(paid, confirmed)).toBe(false);
    expect(isContradiction(paid, { status: 'scheduled', reference: 'R1' })).toBe(false);
    expect(isContradiction(paid, { status: 'canceled', reference: 'R1', reason: '' })).toBe(true);
    expect(isContradiction(fresh, confirmed)).toBe(false);
  });
});

test('an order can be called off until the bank is processing it, once', () => {
  for (const status of ['pending', 'awaiting_approval', 'scheduled', 'awaiting_funds']) {
    expect(() => requireCancelable({ status, cancel_requested_at: null })).not.toThrow();
  }
  for (const status of ['processing', 'confirmed', 'canceled', 'rejected', 'failed']) {
    expect(() => requireCancelable({ status, cancel_requested_at: null })).toThrow(
      expect.objectContaining({ code: 'invalid_state', details: expect.objectContaining({ from: status }) }),
    );
  }
  expect(() =>
    requireCancelable({ status: 'scheduled', cancel_requested_at: '2026-10-01T00:00:00Z' }),
  ).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

test('only an open and approved payable may be paid, and an approval is for one place', () => {
  const code = (status: string, approval_status: string, isOtherPlace = false) => {
    try {
      requirePayableForOrder({ status, approval_status }, isOtherPlace);
      return 'allowed';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(code('open', 'not_required')).toBe('allowed');
  expect(code('partially_paid', 'approved')).toBe('allowed');
  expect(code('open', 'not_required', true)).toBe('allowed');
  expect(code('open', 'approved', true)).toBe('approval_required');
  expect(code('open', 'pending')).toBe('approval_required');
  expect(code('open', 'rejected')).toBe('invalid_state');
  for (const status of ['draft', 'paid', 'canceled']) expect(code(status, 'approved')).toBe('invalid_state');
});

test('CF-70: the key of an order is the same for every attempt and names what was confirmed', () => {
  const payment = { id: 'p1', scheduled_for: '2026-10-05', amount_cents: 123456, kind: 'pix_key' };
  expect(orderKeyOf(payment)).toBe('p1.20261005.123456.pix_key');
  expect(orderKeyOf({ ...payment })).toBe(orderKeyOf(payment));
  expect(orderKeyOf({ ...payment, id: 'p2' })).not.toBe(orderKeyOf(payment));
});

describe('the holder of a destination', () => {
  const payee = {
    documentNumber: '12ABC34501DE35',
    pixKeys: [{ type: 'email', key: 'pix@example.com' }],
    bankAccounts: [
      { bank_code: '341', agency: '1234', number: '55', digit: '7', holder_document: '52998224725' },
    ],
  };

  test('is compared with the payee when the key is a document', () => {
    const key = (value: string) => holderOf({ kind: 'pix_key', key: value, key_type: 'cnpj' }, payee);
    expect(key('12ABC34501DE35')).toEqual({ result: 'same_document' });
    expect(key('00000000000191')).toEqual({ result: 'other_document', document: '00000000000191' });
  });

  test('is known when the key is registered for the payee, and unknown otherwise', () => {
    const key = (value: string) => holderOf({ kind: 'pix_key', key: value, key_type: 'email' }, payee);
    expect(key('pix@example.com')).toEqual({ result: 'registered' });
    expect(key('other@example.com')).toEqual({ result: 'unknown' });
  });

  test('PITFALL 19: eleven digits in a phone key are not taken for a CPF', () => {
    expect(holderOf({ kind: 'pix_key', key: '+5511987650034', key_type: 'phone' }, payee)).toEqual({
      result: 'unknown',
    });
  });

  test('is the registered holder of a bank account, even when that is another document', () => {
    const ted = { kind: 'ted', bank_code: '341', agency: '1234', number: '55', digit: '7' } as const;
    const details = { ...ted, account_kind: 'checking', holder_name: null, holder_document: null } as const;
    expect(holderOf(details, payee)).toEqual({ result: 'other_document', document: '52998224725' });
    expect(holderOf({ ...details, digit: '8' }, payee)).toEqual({ result: 'unknown' });
    expect(holderOf({ ...details, holder_document: '12ABC34501DE35' }, payee)).toEqual({
      result: 'same_document',
    });
  });
});
