import { expect, test } from 'vitest';
import { AppError } from '../../core/errors.ts';
import {
  boundAmountOf,
  type PaymentDetailsInput,
  readPaymentDetails,
  requireMatchingAmount,
  requireRepeatable,
  shownPaymentDetails,
} from './payment-details.ts';

const TODAY = '2026-10-01';
/** MODEL §8: factor 1510, due 2026-07-17, 1,234.56. */
const BOLETO = '34191.23454 67890.123457 67890.123457 8 15100000123456';
const BOLETO_BARCODE = '34198151000001234561234567890123456789012345';
const PIX_CODE =
  '00020126360014br.gov.bcb.pix011412ABC34501DE355204000053039865406150.005802BR5918FORNECEDOR EXEMPLO6009SAO PAULO62100506NF12346304ECE2';
const TED = {
  kind: 'ted',
  bank_code: '341',
  agency: '1234',
  number: '1234556',
  digit: '7',
  account_kind: 'checking',
  holder_name: 'Supplier',
  holder_document: '12.ABC.345/01DE-35',
} as const;

test('a boleto is kept by barcode and typed line, with the amount it asks for', () => {
  const details = readPaymentDetails({ kind: 'boleto', code: BOLETO }, TODAY);
  expect(details).toEqual({
    kind: 'boleto',
    barcode: BOLETO_BARCODE,
    typed_line: BOLETO,
    amount_cents: 123_456,
  });
  expect(readPaymentDetails({ kind: 'boleto', code: BOLETO_BARCODE }, TODAY)).toEqual(details);
});

test('a wrong check digit names the field that has it', () => {
  const wrong = BOLETO.replace('67890.123457 6', '67890.123456 6');
  expect(refusalOf({ kind: 'boleto', code: wrong })).toEqual([
    'invalid_barcode',
    { path: 'payment_details.code', field: 'field_2' },
  ]);
  const bill = '83670000001-8 23450012202-8 61015000000-4 00000000001-7';
  expect(refusalOf({ kind: 'utility', code: bill })).toEqual([
    'invalid_barcode',
    { path: 'payment_details.code', field: 'block_4' },
  ]);
});

test('a code given under the wrong kind is refused with the right one', () => {
  expect(refusalOf({ kind: 'utility', code: BOLETO })).toEqual([
    'invalid_argument',
    { path: 'payment_details.kind', expected: 'boleto, which is what the code is' },
  ]);
});

test('a truncated Pix code is refused with the reason; a whole one keeps its bytes', () => {
  expect(refusalOf({ kind: 'pix_code', code: PIX_CODE.slice(0, -6) })).toEqual([
    'invalid_pix_code',
    { path: 'payment_details.code', reason: 'truncated' },
  ]);
  expect(readPaymentDetails({ kind: 'pix_code', code: ` ${PIX_CODE}\n` }, TODAY)).toEqual({
    kind: 'pix_code',
    code: PIX_CODE,
    key: '12ABC34501DE35',
    url: null,
    merchant: 'FORNECEDOR EXEMPLO',
    amount_cents: 15_000,
  });
});

test('PITFALL 19: eleven digits that are a CPF and a phone are asked about, not guessed', () => {
  expect(refusalOf({ kind: 'pix_key', key: '11987650034' })).toEqual([
    'invalid_argument',
    {
      path: 'payment_details.key_type',
      expected: 'cpf or phone',
      readings: [
        { type: 'cpf', value: '11987650034' },
        { type: 'phone', value: '+5511987650034' },
      ],
    },
  ]);
  expect(readPaymentDetails({ kind: 'pix_key', key: '11987650034', key_type: 'phone' }, TODAY)).toEqual({
    kind: 'pix_key',
    key: '+5511987650034',
    key_type: 'phone',
  });
});

test('the document of an account holder is checked and stored without punctuation', () => {
  expect(readPaymentDetails(TED, TODAY)).toMatchObject({ holder_document: '12ABC34501DE35' });
  expect(refusalOf({ ...TED, holder_document: '12.ABC.345/01DE-45' })).toEqual([
    'invalid_document_number',
    { path: 'payment_details.holder_document' },
  ]);
});

test('an amount in a boleto or static Pix code binds; the one in a dynamic code does not', () => {
  const boleto = readPaymentDetails({ kind: 'boleto', code: BOLETO }, TODAY);
  expect(() => requireMatchingAmount(boleto, 123_456)).not.toThrow();
  expect(() => requireMatchingAmount(boleto, 123_455, 123_457)).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
  const code = { kind: 'pix_code', code: 'x', key: null, merchant: null, amount_cents: 100 } as const;
  expect(boundAmountOf({ ...code, url: 'pix.example.com/v2/1' })).toBeNull();
  expect(boundAmountOf({ ...code, url: null })).toBe(100);
});

test('bank details are masked for those who may not see them', () => {
  const ted = readPaymentDetails(TED, TODAY);
  expect(shownPaymentDetails(ted, true)).toMatchObject({
    number: '1234556',
    holder_document: '12ABC34501DE35',
  });
  expect(shownPaymentDetails(ted, false)).toMatchObject({ number: '***556', holder_document: '***E35' });
  const key = { kind: 'pix_key', key: '11144477735', key_type: 'cpf' } as const;
  expect(shownPaymentDetails(key, false)).toEqual({ kind: 'pix_key', key: '***735', key_type: 'cpf' });
  const code = readPaymentDetails({ kind: 'pix_code', code: PIX_CODE }, TODAY);
  expect(JSON.stringify(shownPaymentDetails(code, false))).not.toContain('12ABC34501DE35');
});

function refusalOf(input: PaymentDetailsInput): [string, unknown] | undefined {
  try {
    readPaymentDetails(input, TODAY);
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.details];
    throw error;
  }
  return undefined;
}

test('a plan takes only details that every installment can be paid with', () => {
  const boleto = readPaymentDetails({ kind: 'boleto', code: BOLETO }, TODAY);
  expect(() => requireRepeatable(boleto)).toThrow(
    expect.objectContaining({
      code: 'invalid_argument',
      details: expect.objectContaining({ path: 'payment_details' }),
    }),
  );
  expect(() => requireRepeatable(readPaymentDetails({ kind: 'pix_code', code: PIX_CODE }, TODAY))).toThrow();
  for (const details of [null, readPaymentDetails(TED, TODAY)]) {
    expect(() => requireRepeatable(details)).not.toThrow();
  }
});
