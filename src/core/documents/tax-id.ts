import { modulo11Digit } from './check-digits.ts';

const CPF = /^\d{11}$/;
const CNPJ = /^[A-Z0-9]{12}\d{2}$/;
const ONE_REPEATED_DIGIT = /^(\d)\1*$/;
const CPF_WEIGHT_MAX = 11;

export type TaxIdKind = 'cpf' | 'cnpj';
export type TaxId = { kind: TaxIdKind; number: string };

/**
 * A CPF or CNPJ as typed, read into its stored form: 11 digits or 14 characters, upper case, no punctuation. Null
 * when it is neither. CNPJ with letters follow IN RFB 2.229/2024.
 */
export function parseTaxId(text: string): TaxId | null {
  const number = normaliseTaxId(text);
  if (isCpf(number)) return { kind: 'cpf', number };
  if (isCnpj(number)) return { kind: 'cnpj', number };
  return null;
}

/**
 * The text without dots, slashes, hyphens and spaces, ASCII letters in upper case. Letters stay: a CNPJ may hold
 * them. Only ASCII is upper-cased, because other alphabets have letters whose capital is an ASCII one.
 */
export function normaliseTaxId(text: string): string {
  return text
    .trim()
    .replace(/[./\- ]/g, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Whether the stored form (no punctuation) is a CPF with right check digits; the eleven repeated ones are not. */
export function isCpf(number: string): boolean {
  if (!CPF.test(number) || ONE_REPEATED_DIGIT.test(number)) return false;
  return number.slice(9) === cpfCheckDigits(number.slice(0, 9));
}

/** Whether the stored form (no punctuation, upper case) is a CNPJ, numeric or alphanumeric, with right check digits. */
export function isCnpj(number: string): boolean {
  if (!CNPJ.test(number) || ONE_REPEATED_DIGIT.test(number)) return false;
  return number.slice(12) === cnpjCheckDigits(number.slice(0, 12));
}

/** The two check digits of the first nine digits of a CPF. */
export function cpfCheckDigits(firstNine: string): string {
  const first = modulo11Digit(firstNine, CPF_WEIGHT_MAX);
  return first + modulo11Digit(firstNine + first, CPF_WEIGHT_MAX);
}

/** The two check digits of the first twelve characters of a CNPJ, upper case. */
export function cnpjCheckDigits(firstTwelve: string): string {
  const first = modulo11Digit(firstTwelve);
  return first + modulo11Digit(firstTwelve + first);
}

/** A stored CPF or CNPJ with its usual mask; any other text comes back as it is. */
export function formatTaxId(number: string): string {
  if (CPF.test(number)) return number.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4');
  if (CNPJ.test(number)) return number.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
  return number;
}

/**
 * A stored tax id for the eyes of those who need not know it: a person's CPF with its middle only, a company's CNPJ
 * whole, because it is public. Anything else is hidden.
 */
export function maskTaxId(number: string): string {
  if (CNPJ.test(number)) return formatTaxId(number);
  if (CPF.test(number)) return `***.${number.slice(3, 6)}.${number.slice(6, 9)}-**`;
  return '***';
}

/** The eight characters that all establishments of one company share; null when the text is no stored CNPJ. */
export function cnpjRoot(number: string): string | null {
  return CNPJ.test(number) ? number.slice(0, 8) : null;
}
