/** How a bill is paid: the argument `payment_details`, its checked form, and what a record shows of it. */

import { z } from 'zod';
import { readPaymentCode } from '../../core/documents/payment-code.ts';
import { readPixCode } from '../../core/documents/pix.ts';
import { type PixKeyType, readPixKey } from '../../core/documents/pix-key.ts';
import { parseTaxId } from '../../core/documents/tax-id.ts';
import { AppError, fail, failArgument } from '../../core/errors.ts';
import { text } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';

const FIELD = 'payment_details';
const PIX_KEY_TYPES = ['cpf', 'cnpj', 'phone', 'email', 'random'] as const;
const SHOWN_DIGITS = 3;

const digits = (from: number, to: number) => {
  const error = from === to ? `${to} digits` : `${from} to ${to} digits`;
  return z.string({ error }).regex(new RegExp(`^\\d{${from},${to}}$`), { error });
};
const checkDigit = z
  .string({ error: 'one digit or X' })
  .regex(/^[0-9X]$/i, { error: 'one digit or X' })
  .toUpperCase();

/** What a caller says about how to pay. */
export const paymentDetailsArgument = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('boleto'), code: text(80).describe('Typed line or barcode.') }),
      z.strictObject({ kind: z.literal('utility'), code: text(80).describe('Typed line or barcode.') }),
      z.strictObject({
        kind: z.literal('pix_key'),
        key: text(140),
        key_type: z.enum(PIX_KEY_TYPES).optional().describe('Needed when eleven digits can be CPF or phone.'),
      }),
      z.strictObject({ kind: z.literal('pix_code'), code: text(1100).describe('Copy-and-paste code.') }),
      z.strictObject({
        kind: z.literal('ted'),
        bank_code: digits(3, 3),
        agency: digits(1, 5),
        number: digits(1, 13),
        digit: checkDigit,
        account_kind: z.enum(['checking', 'savings', 'payment']).default('checking'),
        holder_name: text(200).optional(),
        holder_document: text(18).optional().describe('CPF or CNPJ.'),
      }),
      z.strictObject({ kind: z.literal('none') }),
    ],
    { error: 'one of: boleto, utility, pix_key, pix_code, ted, none' },
  )
  .meta({ id: 'payment_details_input', description: 'How the bill is paid.' });

export type PaymentDetailsInput = z.output<typeof paymentDetailsArgument>;

/** Checked and normalised: what is stored with a payable and given to the bank. */
export type PaymentDetails =
  | { kind: 'boleto' | 'utility'; barcode: string; typed_line: string; amount_cents: Cents | null }
  | { kind: 'pix_key'; key: string; key_type: PixKeyType }
  | {
      kind: 'pix_code';
      code: string;
      key: string | null;
      url: string | null;
      merchant: string | null;
      amount_cents: Cents | null;
    }
  | {
      kind: 'ted';
      bank_code: string;
      agency: string;
      number: string;
      digit: string;
      account_kind: 'checking' | 'savings' | 'payment';
      holder_name: string | null;
      holder_document: string | null;
    }
  | { kind: 'none' };

/** What a record shows: account numbers, Pix keys and documents are masked without the right to see them. */
export const paymentDetailsSchema = z
  .object({
    kind: z.string(),
    barcode: z.string().optional(),
    typed_line: z.string().optional(),
    key: z.string().nullable().optional(),
    key_type: z.string().optional(),
    code: z.string().optional(),
    merchant: z.string().nullable().optional(),
    bank_code: z.string().optional(),
    agency: z.string().optional(),
    number: z.string().optional(),
    digit: z.string().optional(),
    account_kind: z.string().optional(),
    holder_name: z.string().nullable().optional(),
    holder_document: z.string().nullable().optional(),
  })
  .meta({ id: 'payment_details', description: 'How the bill is paid; bank details may be masked.' });

/**
 * The checked form of what a caller sent. `today` decides which cycle a boleto's due factor means. Fails with
 * `invalid_barcode`, `invalid_pix_code`, `invalid_document_number` or `invalid_argument`.
 */
export function readPaymentDetails(given: PaymentDetailsInput, today: string): PaymentDetails {
  switch (given.kind) {
    case 'boleto':
    case 'utility':
      return readCode(given.kind, given.code, today);
    case 'pix_key':
      return readKey(given.key, given.key_type);
    case 'pix_code':
      return readPix(given.code);
    case 'ted':
      return {
        ...given,
        holder_name: given.holder_name ?? null,
        holder_document: given.holder_document === undefined ? null : taxIdOf(given.holder_document),
      };
    case 'none':
      return given;
  }
}

/**
 * The amount a payment code asks for, which a bank takes as it is; null when the payer says it. The charge behind a
 * dynamic Pix code decides by itself, so its printed amount binds nothing.
 */
export function boundAmountOf(details: PaymentDetails): Cents | null {
  if (details.kind === 'boleto' || details.kind === 'utility') return details.amount_cents;
  return details.kind === 'pix_code' && details.url === null ? details.amount_cents : null;
}

/** Fails with `invalid_argument` when the code asks for none of the amounts the bill may be paid with. */
export function requireMatchingAmount(details: PaymentDetails | null, ...amounts: Cents[]): void {
  const bound = details === null ? null : boundAmountOf(details);
  if (bound === null || amounts.includes(bound)) return;
  failArgument(`${FIELD}.code`, 'a code whose amount is the amount of the bill');
}

/** Fails with `invalid_argument` for details that are for one payment only: no two installments can share them. */
export function requireRepeatable(details: PaymentDetails | null): void {
  if (details === null || !['boleto', 'utility', 'pix_code'].includes(details.kind)) return;
  failArgument(FIELD, 'pix_key, ted or none for a plan: a code pays one installment only');
}

/** The barcode of a boleto or utility bill, by which the same bill is recognised; null for other kinds. */
export function barcodeOf(details: PaymentDetails | null): string | null {
  return details !== null && 'barcode' in details ? details.barcode : null;
}

/** What a record shows of the details. */
export function shownPaymentDetails(
  details: PaymentDetails,
  canSeeBankDetails: boolean,
): z.input<typeof paymentDetailsSchema> {
  const shown = canSeeBankDetails ? (value: string) => value : masked;
  switch (details.kind) {
    case 'boleto':
    case 'utility':
      return { kind: details.kind, barcode: details.barcode, typed_line: details.typed_line };
    case 'pix_key':
      return { kind: details.kind, key: shown(details.key), key_type: details.key_type };
    case 'pix_code':
      return {
        kind: details.kind,
        key: details.key === null ? null : shown(details.key),
        merchant: details.merchant,
        ...(canSeeBankDetails && { code: details.code }),
      };
    case 'ted':
      return {
        ...details,
        number: shown(details.number),
        holder_document: details.holder_document === null ? null : shown(details.holder_document),
      };
    case 'none':
      return details;
  }
}

function readCode(kind: 'boleto' | 'utility', code: string, today: string): PaymentDetails {
  const reading = readPaymentCode(code, today);
  if (!reading.ok) fail('invalid_barcode', { path: `${FIELD}.code`, field: reading.field });
  if (reading.kind !== kind) failArgument(`${FIELD}.kind`, `${reading.kind}, which is what the code is`);
  return {
    kind,
    barcode: reading.barcode,
    typed_line: reading.typedLine,
    amount_cents: reading.amountCents,
  };
}

function readKey(text: string, type: PixKeyType | undefined): PaymentDetails {
  const reading = readPixKey(text, type);
  if (reading.ok) return { kind: 'pix_key', key: reading.value, key_type: reading.type };
  if (reading.reason === 'invalid') fail('invalid_pix_code', { path: `${FIELD}.key`, reason: 'invalid_key' });
  throw new AppError('invalid_argument', {
    path: `${FIELD}.key_type`,
    expected: reading.readings.map((possible) => possible.type).join(' or '),
    readings: reading.readings,
  });
}

function readPix(code: string): PaymentDetails {
  const reading = readPixCode(code);
  if (!reading.ok) fail('invalid_pix_code', { path: `${FIELD}.code`, reason: reading.reason });
  return {
    kind: 'pix_code',
    // Only white space around the code and line breaks in it are taken off: its check value covers every byte.
    code: code.trim().replace(/[\r\n]+/g, ''),
    key: reading.key,
    url: reading.url,
    merchant: reading.merchant,
    amount_cents: reading.amountCents,
  };
}

function taxIdOf(text: string): string {
  return parseTaxId(text)?.number ?? fail('invalid_document_number', { path: `${FIELD}.holder_document` });
}

function masked(value: string): string {
  return `***${value.slice(-SHOWN_DIGITS)}`;
}
