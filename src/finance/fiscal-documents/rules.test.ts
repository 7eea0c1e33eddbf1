import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../core/errors.ts';
import type { NfeDocument } from './nfe.ts';
import { partyWarnings, receivedAmounts } from './received.ts';
import {
  billsOf,
  cancellationWarnings,
  requireBillable,
  requireCancelable,
  requireLinkable,
} from './rules.ts';
import { authorizationStatuses, documentStatuses } from './schema.ts';

function failureOf(work: () => unknown): { code: string; details: unknown } | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, details: error.details };
    throw error;
  }
}

const dateAt = (index: number) => `2026-${String(1 + (index % 12)).padStart(2, '0')}-10`;
const sumOf = (bills: readonly { amountCents: number }[]) =>
  bills.reduce((sum, { amountCents }) => sum + amountCents, 0);

describe('the bills of a document', () => {
  test('are its installments, with their own dates', () => {
    const installments = [
      { due_date: '2026-08-10', amount_cents: 400_00 },
      { due_date: '2026-09-10', amount_cents: 800_00 },
    ];
    expect(billsOf({ net_cents: 1200_00, installments }, undefined)).toEqual([
      { amountCents: 400_00, dueDate: '2026-08-10', number: 1, total: 2 },
      { amountCents: 800_00, dueDate: '2026-09-10', number: 2, total: 2 },
    ]);
  });

  test('are due on the dates given instead, one each', () => {
    const installments = [
      { due_date: '2026-08-10', amount_cents: 100 },
      { due_date: null, amount_cents: 200 },
    ];
    const document = { net_cents: 300, installments };
    expect(billsOf(document, ['2026-10-01', '2026-11-01']).map(({ dueDate }) => dueDate)).toEqual([
      '2026-10-01',
      '2026-11-01',
    ]);
    expect(failureOf(() => billsOf(document, ['2026-10-01']))).toEqual({
      code: 'invalid_argument',
      details: { path: 'due_dates', expected: '2 dates, one per installment of the document' },
    });
  });

  test('are never due on an invented date', () => {
    const installments = [
      { due_date: '2026-08-10', amount_cents: 100 },
      { due_date: null, amount_cents: 200 },
    ];
    expect(failureOf(() => billsOf({ net_cents: 300, installments }, undefined))).toEqual({
      code: 'invalid_argument',
      details: { path: 'due_dates', expected: '2 dates, because installment 2 has none' },
    });
    expect(failureOf(() => billsOf({ net_cents: 300, installments: [] }, undefined))).toEqual({
      code: 'invalid_argument',
      details: { path: 'due_dates', expected: 'at least one date, because the document tells none' },
    });
  });

  test('PITFALL 29: without installments split the net amount: 559.30 in 3 is 186.44 + 186.43 + 186.43', () => {
    const dates = ['2026-10-10', '2026-11-10', '2026-12-10'];
    const bills = billsOf({ net_cents: 559_30, installments: [] }, dates);
    expect(bills.map(({ amountCents }) => amountCents)).toEqual([186_44, 186_43, 186_43]);
  });

  test('need something to pay', () => {
    const expected = {
      code: 'invalid_argument',
      details: { path: 'id', expected: 'a document with an amount to pay' },
    };
    expect(failureOf(() => billsOf({ net_cents: 0, installments: [] }, ['2026-10-10']))).toEqual(expected);
    const installments = [{ due_date: '2026-10-10', amount_cents: 0 }];
    expect(failureOf(() => billsOf({ net_cents: 0, installments }, undefined))).toEqual(expected);
    expect(
      failureOf(() => billsOf({ net_cents: 1, installments: [] }, ['2026-10-10', '2026-11-10'])),
    ).toEqual({
      code: 'invalid_argument',
      details: { path: 'due_dates', expected: 'at most 1 dates for this amount' },
    });
  });

  test('add up to the net amount to the centavo, each greater than zero, however it is split', () => {
    fc.assert(
      fc.property(fc.integer({ min: 120, max: 1e13 }), fc.integer({ min: 1, max: 120 }), (net, count) => {
        const dates = Array.from({ length: count }, (_, index) => dateAt(index));
        const bills = billsOf({ net_cents: net, installments: [] }, dates);
        expect(sumOf(bills)).toBe(net);
        expect(bills.map(({ dueDate }) => dueDate)).toEqual(dates);
        expect(Math.min(...bills.map(({ amountCents }) => amountCents))).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  test('add up to the installments as printed, whatever the document says it adds up to', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 1e10 }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), amounts, (net, cents) => {
        fc.pre(cents.some((amount) => amount > 0));
        const installments = cents.map((amount_cents, index) => ({ due_date: dateAt(index), amount_cents }));
        const bills = billsOf({ net_cents: net, installments }, undefined);
        expect(sumOf(bills)).toBe(cents.reduce((sum, amount) => sum + amount, 0));
        for (const { number, amountCents } of bills) expect(amountCents).toBe(cents[number - 1]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the states of a document', () => {
  test.each(
    documentStatuses.flatMap((status) => authorizationStatuses.map((proof) => [status, proof] as const)),
  )('allow of one %s and %s only what the model lists', (status, authorization_status) => {
    const document = { status, authorization_status };
    const isDenied = authorization_status === 'denied';
    expect(failureOf(() => requireBillable(document, 1)) === null).toBe(status === 'new' && !isDenied);
    expect(failureOf(() => requireLinkable(document)) === null).toBe(
      (status === 'new' || status === 'linked') && !isDenied,
    );
    expect(failureOf(() => requireCancelable(document)) === null).toBe(
      status === 'new' || status === 'linked',
    );
  });

  test('name the state and the ones that would do', () => {
    expect(
      failureOf(() => requireBillable({ status: 'linked', authorization_status: 'authorized' }, 3)),
    ).toEqual({
      code: 'invalid_state',
      details: { from: 'linked', allowed: ['new'] },
    });
    expect(failureOf(() => requireBillable({ status: 'new', authorization_status: 'denied' }, 0))).toEqual({
      code: 'invalid_state',
      details: { from: 'denied', allowed: ['authorized', 'unproven'] },
    });
  });
});

test('a cancellation names the bills to look at and, apart, those that are paid', () => {
  const bills = [
    { id: 'a', status: 'open' },
    { id: 'b', status: 'paid' },
    { id: 'c', status: 'canceled' },
    { id: 'd', status: 'partially_paid' },
  ];
  expect(cancellationWarnings(bills).map(({ code, payable_ids }) => [code, payable_ids])).toEqual([
    ['payables_to_review', ['a', 'd']],
    ['payables_already_paid', ['b']],
  ]);
  expect(cancellationWarnings([{ id: 'c', status: 'canceled' }])).toEqual([]);
});

const document: NfeDocument = {
  kind: 'nfe',
  accessKey: '35260712ABC34501DE35550010000012341123456780',
  model: '55',
  number: '1234',
  series: '1',
  issuedAt: '2026-07-10T09:30:00-03:00',
  issuer: { taxId: '12ABC34501DE35', name: 'Peças Exemplo Ltda' },
  recipient: { taxId: '11222333000181', name: 'Compradora Exemplo S.A.' },
  totalCents: 10_000_00,
  netCents: 10_000_00,
  installments: [],
  withholdings: null,
  authorization: { protocol: '1', status: 'authorized' },
  isSignatureVerified: false,
  warnings: [],
};
const withheld: NfeDocument['withholdings'] = {
  pisCents: 65_00,
  cofinsCents: 300_00,
  csllCents: 100_00,
  incomeTaxCents: 150_00,
  socialSecurityCents: 0,
  serviceTaxCents: null,
};

describe('what is to be paid', () => {
  test('is the printed net amount, with the withheld taxes named', () => {
    const amounts = receivedAmounts({ ...document, netCents: 9_385_00, withholdings: withheld });
    expect(amounts).toEqual({
      net_cents: 9_385_00,
      withholdings: [
        { kind: 'pis', amount_cents: 65_00 },
        { kind: 'cofins', amount_cents: 300_00 },
        { kind: 'csll', amount_cents: 100_00 },
        { kind: 'irrf', amount_cents: 150_00 },
      ],
      installments: [],
      warnings: [],
    });
  });

  test('is the total less the withheld taxes where no net amount is printed, and says so', () => {
    const amounts = receivedAmounts({ ...document, withholdings: withheld });
    expect(amounts.net_cents).toBe(9_385_00);
    expect(amounts.warnings.map(({ code }) => code)).toEqual(['withholdings_deducted']);
  });

  test('is never changed against printed installments; the missing deduction is only pointed out', () => {
    const installments = [{ number: '001', dueDate: '2026-09-15', amountCents: 10_000_00 }];
    const amounts = receivedAmounts({ ...document, withholdings: withheld, installments });
    expect(amounts.net_cents).toBe(10_000_00);
    expect(amounts.installments).toEqual([
      { number: '001', due_date: '2026-09-15', amount_cents: 10_000_00 },
    ]);
    expect(amounts.warnings.map(({ code }) => code)).toEqual(['withholdings_not_deducted']);
  });

  test('never becomes negative by absurd withholdings', () => {
    const amounts = receivedAmounts({
      ...document,
      totalCents: 600_00,
      netCents: 600_00,
      withholdings: withheld,
    });
    expect(amounts.net_cents).toBe(600_00);
    expect(amounts.warnings.map(({ code }) => code)).toEqual(['withholdings_not_deducted']);
  });
});

test('warns of a recipient that is none of ours, or another than the company given, and of an unknown issuer', () => {
  const codes = (...args: Parameters<typeof partyWarnings>) => partyWarnings(...args).map(({ code }) => code);
  expect(codes(document, { document_number: '11222333000181' }, true)).toEqual([]);
  expect(codes(document, undefined, true)).toEqual(['recipient_not_ours']);
  expect(codes(document, { document_number: '05813794000126' }, false)).toEqual([
    'recipient_differs',
    'issuer_not_registered',
  ]);
  expect(codes({ ...document, recipient: null }, { document_number: '05813794000126' }, true)).toEqual([
    'recipient_differs',
  ]);
});
