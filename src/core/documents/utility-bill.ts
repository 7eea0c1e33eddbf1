import { modulo10Digit, modulo11Digit } from './check-digits.ts';
import { digitsOfPaymentCode, type ReadingWarning } from './reading.ts';

const BARCODE_LENGTH = 44;
const TYPED_LENGTH = 48;
const BLOCK_LENGTH = 11;
const PRODUCT = '8';
const AMOUNT_CENTS_MAX = 99_999_999_999;

/** Second digit. Source: FEBRABAN, layout of collection bills with barcode. */
const SEGMENTS: Record<string, UtilitySegment> = {
  '1': 'municipality',
  '2': 'water',
  '3': 'power_or_gas',
  '4': 'telecom',
  '5': 'government',
  '6': 'company',
  '7': 'traffic_fine',
  '9': 'bank_internal',
};

export type UtilitySegment =
  | 'municipality'
  | 'water'
  | 'power_or_gas'
  | 'telecom'
  | 'government'
  | 'company'
  | 'traffic_fine'
  | 'bank_internal'
  | 'unknown';
export type UtilityBillField =
  | 'block_1'
  | 'block_2'
  | 'block_3'
  | 'block_4'
  | 'general'
  | 'length'
  | 'characters';
export type UtilityBillWarning = 'unknown_segment' | 'bank_internal' | 'reference_quantity';

export type UtilityBill = {
  ok: true;
  kind: 'utility';
  barcode: string;
  typedLine: string;
  segment: UtilitySegment;
  /** Null when the code holds none: an open amount or a quantity to be converted by the issuer. */
  amountCents: number | null;
  /** Always null: a date may sit in the free field, but only the issuer knows where. */
  dueDate: null;
  /** Eight digits of the CNPJ root for segment "company", otherwise the four digits FEBRABAN gave the issuer. */
  issuerCode: string;
  freeField: string;
  warnings: ReadingWarning<UtilityBillWarning>[];
};
export type UtilityBillFailure = { ok: false; field: UtilityBillField; message: string };

export type UtilityBillParts = {
  /** Second digit, 1 to 9. */
  segmentDigit: string;
  /** Third digit: 6 and 8 hold an amount, 7 and 9 a quantity; 6 and 7 use modulo 10, 8 and 9 modulo 11. */
  valueDigit: '6' | '7' | '8' | '9';
  amountCents: number;
  /** The last 29 digits: issuer code and free field. */
  issuerAndFreeField: string;
};

/**
 * A utility or tax bill from its typed line (48 digits, any spaces, dots and hyphens) or its barcode (44 digits). A
 * failure names the first block whose check digit is wrong. Source: FEBRABAN, layout of collection bills with barcode.
 */
export function readUtilityBill(code: string): UtilityBill | UtilityBillFailure {
  const digits = digitsOfPaymentCode(code);
  if (digits === null) {
    return failure('characters', 'A bill code has only digits, besides spaces, dots and hyphens.');
  }
  if (digits.length !== BARCODE_LENGTH && digits.length !== TYPED_LENGTH) {
    return failure(
      'length',
      `A utility or tax bill has 48 digits in its typed line or 44 in its barcode; this one has ${digits.length}.`,
    );
  }
  if (digits[0] !== PRODUCT) return failure('block_1', 'A utility or tax bill begins with 8.');
  if (!'6789'.includes(digits[2]!))
    return failure('block_1', 'The third digit of a utility or tax bill is 6, 7, 8 or 9.');
  if (digits.length === BARCODE_LENGTH) return readBarcode(digits);
  return readTypedLine(digits);
}

/** Barcode and typed line of a utility or tax bill. Throws RangeError on parts that fit no bill. */
export function buildUtilityBill(parts: UtilityBillParts): { barcode: string; typedLine: string } {
  if (!/^[1-9]$/.test(parts.segmentDigit)) throw new RangeError('segmentDigit must be one digit from 1 to 9');
  if (!/^[6-9]$/.test(parts.valueDigit)) throw new RangeError('valueDigit must be 6, 7, 8 or 9');
  if (!/^\d{29}$/.test(parts.issuerAndFreeField))
    throw new RangeError('issuerAndFreeField must have 29 digits');
  const { amountCents } = parts;
  if (!Number.isSafeInteger(amountCents) || amountCents < 0 || amountCents > AMOUNT_CENTS_MAX) {
    throw new RangeError('amountCents must be a whole number of centavos of at most eleven digits');
  }
  const before = PRODUCT + parts.segmentDigit + parts.valueDigit;
  const after = String(amountCents).padStart(11, '0') + parts.issuerAndFreeField;
  const barcode = before + checkDigit(parts.valueDigit, before + after) + after;
  return { barcode, typedLine: typedLineOf(barcode) };
}

function readTypedLine(digits: string): UtilityBill | UtilityBillFailure {
  let barcode = '';
  for (let block = 1; block <= 4; block += 1) {
    const start = (block - 1) * (BLOCK_LENGTH + 1);
    const content = digits.slice(start, start + BLOCK_LENGTH);
    if (checkDigit(digits[2]!, content) !== digits[start + BLOCK_LENGTH]) {
      const name = `block_${block}` as UtilityBillField;
      return failure(
        name,
        `The check digit of block ${block} does not match: look for a typing mistake there.`,
      );
    }
    barcode += content;
  }
  return readBarcode(barcode);
}

function readBarcode(barcode: string): UtilityBill | UtilityBillFailure {
  const valueDigit = barcode[2]!;
  if (checkDigit(valueDigit, barcode.slice(0, 3) + barcode.slice(4)) !== barcode[3]) {
    return failure(
      'general',
      'The general check digit, the fourth one, does not match the rest of the code.',
    );
  }
  const segment = SEGMENTS[barcode[1]!] ?? 'unknown';
  const issuerEnd = segment === 'company' ? 23 : 19;
  const hasAmount = valueDigit === '6' || valueDigit === '8';
  return {
    ok: true,
    kind: 'utility',
    barcode,
    typedLine: typedLineOf(barcode),
    segment,
    amountCents: hasAmount ? Number(barcode.slice(4, 15)) || null : null,
    dueDate: null,
    issuerCode: barcode.slice(15, issuerEnd),
    freeField: barcode.slice(issuerEnd),
    warnings: warningsOf(segment, hasAmount),
  };
}

function warningsOf(segment: UtilitySegment, hasAmount: boolean): UtilityBill['warnings'] {
  const warnings: UtilityBill['warnings'] = [];
  if (segment === 'unknown') {
    warnings.push({ code: 'unknown_segment', message: 'The second digit names no known kind of issuer.' });
  }
  if (segment === 'bank_internal') {
    warnings.push({ code: 'bank_internal', message: 'Only the bank that issued this bill takes it.' });
  }
  if (!hasAmount) {
    const message = 'The code holds a quantity that the issuer converts, not an amount in reais.';
    warnings.push({ code: 'reference_quantity', message });
  }
  return warnings;
}

/** Unlike boletos, a modulo 11 remainder of 0 or 1 gives 0. */
function checkDigit(valueDigit: string, digits: string): string {
  return valueDigit === '6' || valueDigit === '7' ? modulo10Digit(digits) : modulo11Digit(digits);
}

function typedLineOf(barcode: string): string {
  const blocks = barcode.match(/.{11}/g) ?? [];
  return blocks.map((block) => `${block}-${checkDigit(barcode[2]!, block)}`).join(' ');
}

function failure(field: UtilityBillField, message: string): UtilityBillFailure {
  return { ok: false, field, message };
}
