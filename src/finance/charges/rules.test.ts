import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustedDueDateOf, type Terms } from '../../core/accruals.ts';
import { addDays } from '../../core/dates.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { buildStaticPixCode } from '../../core/documents/pix.ts';
import { messageOf } from './message.ts';
import {
  type ChargeState,
  chargeAfterAnswer,
  isLive,
  lastOverdueDueDate,
  printedTerms,
  recipientOf,
  shownStatusOf,
} from './rules.ts';
import { instructionsOf } from './words.ts';

const TODAY = '2026-10-01';
const barcodeOf = (amountCents: number, dueDate: string | null = '2026-10-05') =>
  buildBoleto({ bankCode: '341', dueDate, amountCents, freeField: '1'.repeat(25) }).barcode;
const pixOf = (amountCents: number) => ({
  txid: 'A1',
  code: buildStaticPixCode({
    key: '11222333000181',
    amountCents,
    merchant: 'ACME',
    city: 'SAO PAULO',
    txid: 'A1',
  }),
});
const generating: ChargeState = {
  status: 'generating',
  registration_status: 'requested',
  amount_cents: 123_456,
  due_date: '2026-10-05',
  methods: ['boleto', 'pix'],
  bank_reference: null,
  barcode: null,
  typed_line: null,
  pix_txid: null,
  pix_code: null,
  rejected_reason: null,
  cancel_reason: null,
};
const open = { status: 'open', reference: 'R', barcode: barcodeOf(123_456), pix: pixOf(123_456) } as const;

describe('answers', () => {
  it('MODEL §14.8: move a charge forward only, whatever their order, and leave a final one alone', () => {
    const rank = { generating: 0, open: 1, paid: 2, canceled: 2, failed: 2 };
    const answer = fc.constantFrom(
      open,
      { status: 'absent' } as const,
      { status: 'rejected', reference: 'R', reason: 'no' } as const,
      { status: 'canceled', reference: 'R', reason: 'asked' } as const,
    );
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 8 }), (answers) => {
        let state = generating;
        for (const said of answers) {
          const after = chargeAfterAnswer(state, said, TODAY);
          expect(rank[after.status]).toBeGreaterThanOrEqual(rank[state.status]);
          if (!isLive(state.status) || after.status === state.status) expect(after).toBe(state);
          state = after;
        }
        const first = answers.find(({ status }) => status !== 'absent')?.status;
        if (first === undefined) expect(state).toBe(generating);
        if (first === 'rejected') expect(state.status).toBe('failed');
        if (first === 'open') expect(state.status).toMatch(/^(open|canceled)$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('keep a reason of ours over that of the bank, and clean what the bank says', () => {
    const asked = { ...generating, cancel_reason: 'wrong customer' };
    const canceled = { status: 'canceled', reference: 'R', reason: 'a\r\n\u202eb' } as const;
    expect(chargeAfterAnswer(asked, canceled, TODAY).cancel_reason).toBe('wrong customer');
    expect(chargeAfterAnswer(generating, canceled, TODAY).cancel_reason).toBe('a b');
  });

  it.each([
    ['another amount in the barcode', { ...open, barcode: barcodeOf(1) }],
    ['another date in the barcode', { ...open, barcode: barcodeOf(123_456, '2026-10-06') }],
    ['a barcode that is none', { ...open, barcode: '0'.repeat(44) }],
    ['another amount in the Pix code', { ...open, pix: pixOf(1) }],
    ['a Pix code that is none', { ...open, pix: { txid: 'A1', code: '000201' } }],
    ['no boleto', { ...open, barcode: null }],
    ['no Pix code', { ...open, pix: null }],
  ])('are refused with %s', (_what, answer) => {
    expect(() => chargeAfterAnswer(generating, answer, TODAY)).toThrow(/^the /);
  });

  it('are refused with a method that was not asked for', () => {
    expect(() => chargeAfterAnswer({ ...generating, methods: ['pix'] }, open, TODAY)).toThrow(
      'no such boleto',
    );
    const boleto = { ...open, pix: null };
    expect(chargeAfterAnswer({ ...generating, methods: ['boleto'] }, boleto, TODAY)).toMatchObject({
      status: 'open',
      pix_code: null,
      typed_line: expect.stringMatching(/^34191\.\d{5} /),
    });
  });
});

describe('overdue', () => {
  it('is the same for one charge and for a list, on every day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 800 }), fc.integer({ min: -12, max: 12 }), (day, distance) => {
        const today = addDays('2026-01-01', day);
        const due_date = addDays(today, distance);
        const isOverdue = shownStatusOf({ status: 'open', due_date }, today) === 'overdue';
        expect(isOverdue).toBe(adjustedDueDateOf(due_date) < today);
        expect(due_date <= lastOverdueDueDate(today)).toBe(isOverdue);
      }),
      { numRuns: 1000 },
    );
  });

  it('is nothing but an open charge', () => {
    const due_date = '2020-01-01';
    expect(shownStatusOf({ status: 'generating', due_date }, TODAY)).toBe('generating');
    expect(shownStatusOf({ status: 'paid', due_date }, TODAY)).toBe('paid');
  });
});

describe('what is printed', () => {
  const terms: Terms = {
    discounts: [
      { kind: 'fixed', cents: 1000, until: '2026-10-01' },
      { kind: 'percent', percent: 25_000, until: '2026-10-02' },
      { kind: 'percent_per_day', percent: 500, days: 'business' },
    ],
    fine: { kind: 'percent', percent: 20_000 },
    interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
    graceDays: 0,
  };

  it('says every agreement in words; PITFALLS 14: late begins after the due date, moved to a business day', () => {
    // 10 October 2026 is a Saturday, the Monday after it a holiday.
    const agreed = { amount: 12_345, dueDate: '2026-10-10', payUntil: '2026-11-12', terms };
    expect(instructionsOf(agreed)).toEqual([
      'Desconto de R$ 10,00 para pagamento até 01/10/2026.',
      'Desconto de 2,5% para pagamento até 02/10/2026.',
      'Desconto de 0,05% por dia útil de antecipação, para pagamento até 10/10/2026.',
      'A partir de 14/10/2026, multa de 2% (R$ 2,47).',
      'A partir de 14/10/2026, juros de 1% ao mês, cobrados por dia corrido de atraso.',
      'Não receber após 12/11/2026.',
    ]);
    expect(instructionsOf({ ...agreed, terms: null })).toEqual(['Não receber após 12/11/2026.']);
  });

  it.each([
    [{ kind: 'fixed_per_day', cents: 33, days: 'calendar' }, 'R$ 0,33 por dia corrido de atraso'],
    [{ kind: 'percent_per_day', percent: 333, days: 'business' }, '0,0333% por dia útil de atraso'],
    [
      { kind: 'percent_per_year', percent: 120_000, days: 'calendar' },
      '12% ao ano, cobrados por dia corrido de atraso',
    ],
  ] as const)('says interest of %j', (interest, words) => {
    const fixed: Terms = { discounts: [], fine: { kind: 'fixed', cents: 500 }, interest, graceDays: 2 };
    const agreed = { amount: 10_000, dueDate: '2026-10-05', payUntil: '2026-10-05', terms: fixed };
    expect(instructionsOf(agreed)).toEqual([
      'A partir de 08/10/2026, multa de R$ 5,00.',
      `A partir de 08/10/2026, juros de ${words}.`,
      'Não receber após 05/10/2026.',
    ]);
  });

  it('leaves out discounts once part was paid, and the fine if it is late too', () => {
    const debt = (status: string) => ({ status, due_date: '2026-10-05' });
    expect(printedTerms(terms, debt('open'), '2026-10-20')).toBe(terms);
    expect(printedTerms(null, debt('partially_paid'), '2026-10-20')).toBeNull();
    expect(printedTerms(terms, debt('partially_paid'), '2026-10-05')).toEqual({ ...terms, discounts: [] });
    expect(printedTerms(terms, debt('partially_paid'), '2026-10-06')).toEqual({
      ...terms,
      discounts: [],
      fine: null,
    });
  });
});

describe('a message', () => {
  const charge = {
    companyName: 'Padaria\r\nBcc: outro@example.com',
    customerName: 'João <script>alert(1)</script>',
    description: 'Pães & bolos',
    amount: 12_345,
    dueDate: '2026-10-05',
    payUntil: '2026-10-05',
    terms: null,
    typedLine: '34191.23454 67890.123457 67890.123457 2 99990000010000',
    pixCode: null,
  };

  it('has one line of subject, without the debt, and text of others as text', () => {
    const { subject, text, html } = messageOf(charge);
    expect(subject).toBe('Padaria Bcc: outro@example.com: seu documento de pagamento');
    expect(text).toContain('Olá, João <script>alert(1)</script>.');
    expect(html).not.toContain('<script>');
    expect(html).toContain('Pães &#38; bolos');
  });

  it('names only what there is', () => {
    expect(messageOf(charge).text).not.toContain('Pix');
    expect(messageOf({ ...charge, typedLine: null, pixCode: '000201' }).text).not.toContain('boleto');
  });
});

describe('a recipient', () => {
  const registered = ['a@example.com', 'b@example.com'];

  it('is the first address registered, or the one given', () => {
    expect(recipientOf('to', 'customer', registered)).toEqual({
      address: 'a@example.com',
      isRegistered: true,
    });
    expect(recipientOf('to', 'b@example.com', registered)).toEqual({
      address: 'b@example.com',
      isRegistered: true,
    });
    expect(recipientOf('to', 'c@example.com', registered)).toEqual({
      address: 'c@example.com',
      isRegistered: false,
    });
    expect(() => recipientOf('to', 'customer', [])).toThrow();
  });
});
