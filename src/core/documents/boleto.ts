import { addDays, daysBetween, isCivilDate } from '../dates.ts';
import { modulo10Digit, modulo11Remainder } from './check-digits.ts';
import { digitsOfPaymentCode, type ReadingWarning } from './reading.ts';

const BARCODE_LENGTH = 44;
const TYPED_LENGTH = 47;
const FREE_FIELD_LENGTH = 25;
const REAL = '9';

/** FEBRABAN, due factor: days since this date, from 1000 to 9999 and then from 1000 again. */
const DUE_BASE = '1997-10-07';
const DUE_FACTOR_FIRST = 1000;
const DUE_FACTOR_CYCLE = 9000;
/** FEBRABAN, window for reading a factor: a boleto is this many days overdue or ahead at most. */
const DAYS_BACK_MAX = 3000;
const DAYS_AHEAD_MAX = 5500;
/** From this amount on, the amount takes the four places of the due factor. */
const WIDE_AMOUNT_CENTS = 10_000_000_000;
const AMOUNT_CENTS_MAX = 9_999_999_999_999;

export type BoletoField = 'field_1' | 'field_2' | 'field_3' | 'general' | 'length' | 'characters';
export type BoletoWarning = 'due_date_out_of_window' | 'amount_over_due_factor';

export type Boleto = {
  ok: true;
  kind: 'boleto';
  barcode: string;
  typedLine: string;
  bankCode: string;
  /** Null when the payer fills it in. */
  amountCents: number | null;
  dueDate: string | null;
  freeField: string;
  warnings: ReadingWarning<BoletoWarning>[];
};
export type BoletoFailure = { ok: false; field: BoletoField; message: string };

export type BoletoParts = {
  bankCode: string;
  dueDate: string | null;
  /** Null or zero: the payer fills it in. */
  amountCents: number | null;
  freeField: string;
};

/**
 * A bank boleto from its typed line (47 digits, any spaces, dots and hyphens) or its barcode (44 digits). Due factors
 * repeat every 9000 days, so the reference date (the civil date of reading) decides which cycle is meant. A failure
 * names the first field whose check digit is wrong. Source: FEBRABAN, boleto layout.
 */
export function readBoleto(code: string, referenceDate: string): Boleto | BoletoFailure {
  const digits = digitsOfPaymentCode(code);
  if (digits === null) {
    return failure('characters', 'A boleto code has only digits, besides spaces, dots and hyphens.');
  }
  if (digits.length === BARCODE_LENGTH) return readBarcode(digits, referenceDate);
  if (digits.length === TYPED_LENGTH) return readTypedLine(digits, referenceDate);
  return failure(
    'length',
    `A boleto has 47 digits in its typed line or 44 in its barcode; this one has ${digits.length}.`,
  );
}

/**
 * Barcode and typed line of a boleto. Amounts from R$ 100,000,000.00 leave no room for a due date. Throws RangeError
 * on parts that fit no boleto: they come from our own code, not from a reader.
 */
export function buildBoleto(parts: BoletoParts): { barcode: string; typedLine: string } {
  const amountCents = parts.amountCents ?? 0;
  if (!/^\d{3}$/.test(parts.bankCode)) throw new RangeError('bankCode must have three digits');
  if (!/^\d{25}$/.test(parts.freeField)) throw new RangeError('freeField must have 25 digits');
  if (!Number.isSafeInteger(amountCents) || amountCents < 0 || amountCents > AMOUNT_CENTS_MAX) {
    throw new RangeError('amountCents must be a whole number of centavos below R$ 100 billion');
  }
  const isWide = amountCents >= WIDE_AMOUNT_CENTS;
  if (isWide && parts.dueDate !== null) throw new RangeError('this amount leaves no room for a due date');
  const factor = parts.dueDate === null ? '0000' : dueFactorOf(parts.dueDate);
  const factorAndAmount = isWide
    ? String(amountCents).padStart(14, '0')
    : factor + String(amountCents).padStart(10, '0');
  const before = parts.bankCode + REAL;
  const after = factorAndAmount + parts.freeField;
  const barcode = before + generalDigit(before + after) + after;
  return { barcode, typedLine: typedLineOf(barcode) };
}

/**
 * The four digits of a due date: 9999 is 2025-02-21 and 1000 the day after. Throws RangeError for dates before
 * 2000-07-03, the first with a factor, and for text that is no civil date.
 */
export function dueFactorOf(date: string): string {
  if (!isCivilDate(date)) throw new RangeError('date must be a civil date, YYYY-MM-DD');
  const days = daysBetween(DUE_BASE, date);
  if (days < DUE_FACTOR_FIRST) throw new RangeError('due factors begin on 2000-07-03');
  return String(((days - DUE_FACTOR_FIRST) % DUE_FACTOR_CYCLE) + DUE_FACTOR_FIRST);
}

function readTypedLine(digits: string, referenceDate: string): Boleto | BoletoFailure {
  const fields = [digits.slice(0, 10), digits.slice(10, 21), digits.slice(21, 32)];
  for (const [index, field] of fields.entries()) {
    if (modulo10Digit(field.slice(0, -1)) === field.at(-1)) continue;
    const name = `field_${index + 1}` as BoletoField;
    return failure(
      name,
      `The check digit of field ${index + 1} does not match: look for a typing mistake there.`,
    );
  }
  const freeField = digits.slice(4, 9) + digits.slice(10, 20) + digits.slice(21, 31);
  return readBarcode(digits.slice(0, 4) + digits.slice(32) + freeField, referenceDate);
}

function readBarcode(barcode: string, referenceDate: string): Boleto | BoletoFailure {
  if (barcode[0] === '8') {
    return failure('field_1', 'A code that begins with 8 is a utility or tax bill, not a boleto.');
  }
  if (barcode[3] !== REAL) return failure('field_1', 'The fourth digit of a boleto in reais is 9.');
  if (generalDigit(barcode.slice(0, 4) + barcode.slice(5)) !== barcode[4]) {
    return failure(
      'general',
      'The general check digit does not match: look for a mistake in the amount, the due date or that digit.',
    );
  }
  return {
    ok: true,
    kind: 'boleto',
    barcode,
    typedLine: typedLineOf(barcode),
    bankCode: barcode.slice(0, 3),
    ...amountAndDueDate(barcode.slice(5, 19), referenceDate),
    freeField: barcode.slice(BARCODE_LENGTH - FREE_FIELD_LENGTH),
  };
}

function amountAndDueDate(
  factorAndAmount: string,
  referenceDate: string,
): Pick<Boleto, 'amountCents' | 'dueDate' | 'warnings'> {
  const factor = Number(factorAndAmount.slice(0, 4));
  const amountCents = Number(factorAndAmount.slice(4)) || null;
  if (factor === 0) return { amountCents, dueDate: null, warnings: [] };
  // No factor lies between 1 and 999, so these four digits belong to an amount.
  if (factor < DUE_FACTOR_FIRST) {
    const message = 'The amount takes the place of the due date, so the code holds no due date.';
    const warnings: Boleto['warnings'] = [{ code: 'amount_over_due_factor', message }];
    return { amountCents: Number(factorAndAmount), dueDate: null, warnings };
  }
  const dueDate = dueDateOf(factor, referenceDate);
  if (dueDate !== null) return { amountCents, dueDate, warnings: [] };
  const message =
    'The due date in the code is too far from today to be told; take it from the printed document.';
  return { amountCents, dueDate, warnings: [{ code: 'due_date_out_of_window', message }] };
}

function dueDateOf(factor: number, referenceDate: string): string | null {
  if (!isCivilDate(referenceDate)) throw new RangeError('referenceDate must be a civil date, YYYY-MM-DD');
  const reference = daysBetween(DUE_BASE, referenceDate);
  const cycle = Math.max(0, Math.ceil((reference - DAYS_BACK_MAX - factor) / DUE_FACTOR_CYCLE));
  const days = factor + cycle * DUE_FACTOR_CYCLE;
  return days <= reference + DAYS_AHEAD_MAX ? addDays(DUE_BASE, days) : null;
}

/** Modulo 11 over the other 43 digits. A result of 0, 10 or 11 is printed as 1, so it is never 0. */
function generalDigit(otherDigits: string): string {
  const digit = 11 - modulo11Remainder(otherDigits);
  return digit > 9 ? '1' : String(digit);
}

function typedLineOf(barcode: string): string {
  const free = barcode.slice(19);
  const first = withDigit(barcode.slice(0, 4) + free.slice(0, 5));
  const second = withDigit(free.slice(5, 15));
  const third = withDigit(free.slice(15));
  const dotted = [first, second, third].map((field) => `${field.slice(0, 5)}.${field.slice(5)}`);
  return `${dotted.join(' ')} ${barcode[4]} ${barcode.slice(5, 19)}`;
}

function withDigit(digits: string): string {
  return digits + modulo10Digit(digits);
}

function failure(field: BoletoField, message: string): BoletoFailure {
  return { ok: false, field, message };
}
