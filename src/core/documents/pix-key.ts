import { isCnpj, isCpf, normaliseTaxId } from './tax-id.ts';

const EMAIL_MAX = 77;
const TEXT_MAX = 140;
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CPF_MASK = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/;
/** Area codes in use, then nine digits beginning with 9 or eight beginning with 2 to 5. Source: Anatel numbering plan. */
const NATIONAL_PHONE =
  /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(?:9\d{8}|[2-5]\d{7})$/;

export type PixKeyType = 'cpf' | 'cnpj' | 'phone' | 'email' | 'random';
export type PixKeyReading = { type: PixKeyType; value: string };
export type PixKeyFailure = {
  ok: false;
  reason: 'ambiguous' | 'invalid';
  message: string;
  /** Both readings when the text is ambiguous, otherwise none. */
  readings: PixKeyReading[];
};

/**
 * A Pix key in the form the directory stores: CPF and CNPJ without punctuation, phone as +55 and digits, e-mail and
 * random key in lower case. Eleven bare digits may be a CPF and a mobile number of different people, so without a type
 * they are refused with both readings. Source: Pix initiation manual and DICT key formats.
 */
export function readPixKey(text: string, type?: PixKeyType): ({ ok: true } & PixKeyReading) | PixKeyFailure {
  const key = text.trim();
  if (key.length > TEXT_MAX) return invalid('A Pix key is never this long.');
  if (type !== undefined) {
    const value = READERS[type](key);
    return value === null ? invalid(`This is not a Pix key of type ${type}.`) : { ok: true, type, value };
  }
  const readings = readingsOf(key);
  const [first, second] = readings;
  if (first === undefined) {
    return invalid('This is no CPF, CNPJ, phone with +55, e-mail or random key with right check digits.');
  }
  if (second === undefined) return { ok: true, ...first };
  const message =
    'These eleven digits are both a valid CPF and a mobile number: say which type of key is meant.';
  return { ok: false, reason: 'ambiguous', message, readings };
}

const READERS: Record<PixKeyType, (key: string) => string | null> = {
  cpf: (key) => whenValid(normaliseTaxId(key), isCpf),
  cnpj: (key) => whenValid(normaliseTaxId(key), isCnpj),
  phone: phoneOf,
  email: (key) => whenValid(lowerAscii(key), (email) => email.length <= EMAIL_MAX && EMAIL.test(email)),
  random: (key) => whenValid(lowerAscii(key), (uuid) => UUID.test(uuid)),
};

/** A sign that belongs to one type only settles it; bare digits are tried as every type. */
function readingsOf(key: string): PixKeyReading[] {
  const types: PixKeyType[] = key.includes('@')
    ? ['email']
    : /[+()]/.test(key)
      ? ['phone']
      : CPF_MASK.test(key)
        ? ['cpf']
        : ['cpf', 'phone', 'cnpj', 'random'];
  return types.flatMap((type) => {
    const value = READERS[type](key);
    return value === null ? [] : [{ type, value }];
  });
}

function phoneOf(key: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(key)) return null;
  const digits = key.replace(/\D/g, '');
  // Eleven digits may begin with area code 55, so a country code is only taken off longer numbers or after a plus.
  const hasCountry = key.startsWith('+') || digits.length > 11;
  if (hasCountry && !digits.startsWith('55')) return null;
  const national = hasCountry ? digits.slice(2) : digits;
  return NATIONAL_PHONE.test(national) ? `+55${national}` : null;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function whenValid(value: string, isValid: (value: string) => boolean): string | null {
  return isValid(value) ? value : null;
}

function invalid(message: string): PixKeyFailure {
  return { ok: false, reason: 'invalid', message, readings: [] };
}
