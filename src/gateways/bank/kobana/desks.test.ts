import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KobanaApi, openKobanaApi } from '../../../../test/support/kobana-api.ts';
import type { Terms } from '../../../core/accruals.ts';
import { newId } from '../../../core/ids.ts';
import { CENTS_MAX, parseMoney } from '../../../core/money.ts';
import type { BankAccount, BankPort, ChargeRequest } from '../port.ts';
import { createKobanaBank } from './index.ts';
import { reais, reaisOf } from './values.ts';

const NOW = new Date('2026-10-01T12:00:00Z');
const CNPJ = '05813794000126';
const CODE = '00020126360014br.gov.bcb.pix';

let api: KobanaApi;
let bank: BankPort;
let account: BankAccount;

beforeAll(async () => {
  api = await openKobanaApi();
  bank = createKobanaBank({ token: api.token, url: api.url });
  account = { bankCode: '341', agency: '1', number: '2', digit: '3', providerId: api.accountUid };
});

beforeEach(() => {
  for (const list of [api.charges, api.receipts, api.announced, api.statement]) list.length = 0;
});

afterAll(async () => {
  await api.close();
  expect(api.problems).toEqual([]);
});

test('MODEL §1.2: every amount leaves and comes back as the same centavos', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: CENTS_MAX - 1 }), (cents) => {
      const sent = JSON.parse(JSON.stringify({ amount: reaisOf(cents) })).amount;
      expect(reais.parse(sent)).toBe(cents);
      expect(parseMoney(sent)).toBe(cents);
    }),
    { numRuns: 1_000 },
  );
});

describe('charges', () => {
  const terms: Terms = {
    discounts: [{ kind: 'fixed', cents: 500, until: '2026-10-01' }],
    fine: { kind: 'percent', percent: 20_000 },
    interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
    graceDays: 0,
  };

  function chargeOf(fields: Partial<ChargeRequest> = {}): ChargeRequest {
    return {
      idempotencyKey: newId(),
      methods: ['pix'],
      amount: 123_456,
      dueDate: '2026-10-05',
      validDaysAfterDue: 30,
      ourNumber: '1',
      terms: null,
      description: 'Mensalidade',
      documentNumber: null,
      account,
      payee: { name: 'Empresa', documentNumber: CNPJ, city: null },
      payer: { name: 'Cliente', documentNumber: '52998224725' },
      ...fields,
    };
  }

  const register = () => Object.assign(api.charges[0]!, { qrcode: { emv: CODE, png: null } });

  test('is unknown until the bank registered it, then open with its code', async () => {
    const charge = chargeOf({ terms });
    await expect(bank.charges!.submit(charge, NOW)).rejects.toMatchObject({ name: 'BankOutcomeUnknown' });
    await expect(bank.charges!.find(charge.idempotencyKey, NOW)).rejects.toMatchObject({
      name: 'BankOutcomeUnknown',
    });
    register();
    const pix = { txid: expect.stringMatching(/^[0-9a-f]{32}$/), code: CODE };
    const open = { status: 'open', reference: api.charges[0]!['uid'], barcode: null, pix };
    expect(await bank.charges!.find(charge.idempotencyKey, NOW)).toEqual(open);
    expect(await bank.charges!.submit(charge, NOW)).toEqual(open);
    expect(api.charges).toHaveLength(1);
    expect(api.calls('POST /v2/charge/pix').at(-1)!.body).toMatchObject({
      amount: 1234.56,
      expire_at: '2026-10-05T23:59:59-03:00',
      registration_kind: 'billing',
      revoke_days: 30,
      fine_type: 2,
      fine_percentage: 2,
      interest_type: 3,
      interest_percentage: 1,
      discount_type: 1,
      discount_amount: 5,
      discount_days: 4,
    });
  });

  test('is found by another id that the bank gave it', async () => {
    const charge = chargeOf();
    await bank.charges!.submit(charge, NOW).catch(() => null);
    Object.assign(register(), { txid: 'E'.repeat(30) });
    expect(await bank.charges!.find(charge.idempotencyKey, NOW)).toMatchObject({
      pix: { txid: 'E'.repeat(30) },
    });
    expect(await bank.charges!.find(newId(), NOW)).toEqual({ status: 'absent' });
  });

  test('paid: the day in Brazil, the amount paid, and what the bank kept; a duplicate receipt is none', async () => {
    const charge = chargeOf();
    await bank.charges!.submit(charge, NOW).catch(() => null);
    const { uid } = Object.assign(register(), {
      status: 'paid',
      paid_at: '2026-10-04T02:00:00Z',
      paid_amount: 1234.5,
      end_to_end_id: 'E1234567820261003010112345678901',
    }) as unknown as { uid: string };
    const receipt = {
      uid: newId(),
      amount: 1234.5,
      kind: 'pix',
      paid_at: '2026-10-03',
      payable: { uid, type: 'Pix' },
    };
    api.receipts.push({ ...receipt, uid: newId(), bank: { rate: 9 }, duplicated: { uid: receipt.uid } });
    api.receipts.push({ ...receipt, bank: { rate: 1.01 }, duplicated: null });
    expect(await bank.charges!.find(charge.idempotencyKey, NOW)).toEqual({
      status: 'paid',
      reference: uid,
      paidOn: '2026-10-03',
      amount: 123_450,
      fee: 101,
      method: 'pix',
      paymentId: 'E1234567820261003010112345678901',
    });
  });

  test('without a payer it is instant and ends with its last day; canceled stays canceled', async () => {
    const charge = chargeOf({
      payer: { name: 'Cliente', documentNumber: null },
      dueDate: '2026-10-03',
      validDaysAfterDue: 0,
    });
    await bank.charges!.submit(charge, NOW).catch(() => null);
    const { body } = api.calls('POST /v2/charge/pix').at(-1)!;
    // Due on a Saturday: payable until Monday.
    expect(body).toMatchObject({ registration_kind: 'instant', expire_at: '2026-10-05T23:59:59-03:00' });
    expect(body).not.toHaveProperty('payer');
    register();
    expect(await bank.charges!.cancel(charge.idempotencyKey, NOW)).toMatchObject({ status: 'canceled' });
    expect(await bank.charges!.cancel(charge.idempotencyKey, NOW)).toMatchObject({ status: 'canceled' });
    expect(await bank.charges!.cancel(newId(), NOW)).toEqual({ status: 'absent' });
  });

  const perDay = { kind: 'fixed_per_day', cents: 10, days: 'business' } as const;
  test.each<[string, Partial<ChargeRequest>]>([
    ['a boleto', { methods: ['boleto'] }],
    ['a boleto with Pix', { methods: ['boleto', 'pix'] }],
    ['days of grace', { terms: { ...terms, graceDays: 2 } }],
    ['terms without a payer document', { terms, payer: { name: 'Cliente', documentNumber: null } }],
    ['more than a year', { validDaysAfterDue: 366 }],
    ['discounts of two kinds', { terms: { ...terms, discounts: [...terms.discounts, perDay] } }],
    [
      'a discount after the due date',
      { terms: { ...terms, discounts: [{ kind: 'fixed', cents: 1, until: '2026-10-06' }] } },
    ],
    [
      'an account without Pix at Kobana',
      { account: { bankCode: null, agency: null, number: null, digit: null, providerId: newId() } },
    ],
  ])('%s is rejected with a reason, and nothing is made', async (_, fields) => {
    const answer = await bank.charges!.submit(chargeOf(fields), NOW);
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.stringMatching(/\w{4}/) });
    expect(api.charges).toEqual([]);
  });

  test('what the API refuses is rejected in its words', async () => {
    const body = { status: 422, errors: [{ detail: 'Pagador > CPF/CNPJ inválido' }] };
    api.failNext({ on: 'POST /v2/charge', acts: false, as: { status: 422, body } });
    expect(await bank.charges!.submit(chargeOf(), NOW)).toMatchObject({
      reason: 'Pagador > CPF/CNPJ inválido',
    });
  });
});

describe('announced boletos', () => {
  const boletoOf = (fields: object = {}) => ({
    uid: newId(),
    status: 'pending',
    external_status: 'open',
    barcode: '23791160000000250000000000000000000000000002',
    our_number: '77',
    nominal_amount: 250,
    amount: 255.1,
    expire_at: '2026-10-05',
    beneficiary_name: 'Luz\u202E S.A.',
    beneficiary_cnpj_cpf: '00.000.000/0001-91',
    owner_cnpj_cpf: '05.813.794/0001-26',
    ...fields,
  });
  const announced = () =>
    bank.dda!.announced({ ...account, holderDocument: CNPJ }, '2026-10-01', '2026-10-31', NOW);

  test('only those of the holder and the days, whole, in centavos and in our words', async () => {
    api.announced.push(
      boletoOf({ external_status: 'downloaded', discount_amount: 5, discount_date: '2026-10-02' }),
    );
    const elsewhere = [
      { owner_cnpj_cpf: '529.982.247-25' },
      { expire_at: '2026-11-01' },
      { expire_at: '2026-09-30' },
    ];
    const incomplete = [{ barcode: null }, { expire_at: null }, { amount: null, nominal_amount: null }];
    api.announced.push(...[...elsewhere, ...incomplete].map(boletoOf));
    expect(await announced()).toEqual([
      {
        reference: api.announced[0]!['uid'],
        barcode: '23791160000000250000000000000000000000000002',
        beneficiary: { name: 'Luz S.A.', documentNumber: '00000000000191' },
        payerDocument: CNPJ,
        documentNumber: '77',
        nominalAmount: 25_000,
        amount: 25_510,
        minAmount: null,
        maxAmount: null,
        allowsPartial: false,
        issueDate: null,
        dueDate: '2026-10-05',
        terms: {
          discounts: [{ kind: 'fixed', cents: 500, until: '2026-10-02' }],
          fine: null,
          interest: { kind: 'none' },
          graceDays: 0,
        },
        status: 'written_off',
      },
    ]);
  });

  test('terms that the API leaves open are no terms', async () => {
    api.announced.push(boletoOf({ fine_percentage: 2, interest_amount: 0.33, fine_date: '2026-10-06' }));
    api.announced.push(boletoOf({ interest_percentage: 1 }));
    api.announced.push(boletoOf({ fine_amount: 3, fine_date: '2026-10-09' }));
    const terms = (await announced()).map((boleto) => boleto.terms);
    expect(terms).toMatchObject(
      [
        { fine: { kind: 'percent', percent: 20_000 }, interest: { kind: 'fixed_per_day', cents: 33 } },
        null,
        null,
      ].map((expected) => expected ?? expect.toBeOneOf([null])),
    );
  });

  test('reads every page', async () => {
    api.announced.push(...Array.from({ length: 120 }, () => boletoOf()));
    expect(await announced()).toHaveLength(120);
  });

  test('rejecting twice does no more than once; one let go for payment cannot be rejected', async () => {
    const boleto = boletoOf();
    const released = boletoOf({ status: 'released' });
    api.announced.push(boleto, released);
    await bank.dda!.reject(boleto.uid, 'não é nosso', NOW);
    await bank.dda!.reject(boleto.uid, 'não é nosso', NOW);
    expect(boleto.status).toBe('rejected');
    await expect(bank.dda!.reject(released.uid, 'não é nosso', NOW)).rejects.toMatchObject({
      name: 'BankRefused',
      message: 'Ação não permitida',
    });
  });
});

describe('statement', () => {
  const lineOf = (id: number, fields: object = {}) => ({
    id,
    amount: -19.99,
    occurrence_date: '2026-10-01',
    kind: 'debit',
    description: 'PAGTO',
    document_number: null,
    person: null,
    ...fields,
  });
  const read = async (from: string, to: string) => {
    const lines = [];
    for await (const line of bank.statements!.lines(account, from, to, NOW)) lines.push(line);
    return lines;
  };

  test('every line once, page after page and window after window', async () => {
    const dates = ['2025-10-01', '2026-03-29', '2026-03-30', '2026-09-30'];
    const days = Array.from({ length: 1_200 }, (_, index) => dates[index % dates.length]!);
    api.statement.push(...days.map((occurrence_date, id) => lineOf(id, { occurrence_date })));
    const lines = await read('2025-10-01', '2026-09-30');
    expect(new Set(lines.map(({ reference }) => reference)).size).toBe(1_200);
    expect(lines).toHaveLength(1_200);
  });

  test('in our form: positive centavos, direction apart, strangers named', async () => {
    const { person, ...plain } = lineOf(1);
    api.statement.push({
      ...plain,
      amount: 1_000.1,
      kind: 'credit',
      person: { name: 'Cliente', document_number: '529.982.247-25' },
    });
    api.statement.push(lineOf(2), lineOf(3, { amount: 0, description: 'SALDO' }));
    expect(person).toBeNull();
    expect(await read('2026-10-01', '2026-10-01')).toEqual([
      {
        date: '2026-10-01',
        direction: 'credit',
        amount: 100_010,
        description: 'PAGTO',
        reference: '1',
        documentNumber: null,
        counterparty: { name: 'Cliente', documentNumber: '52998224725' },
        endToEndId: null,
      },
      expect.objectContaining({ direction: 'debit', amount: 1_999, counterparty: null }),
    ]);
  });
});
