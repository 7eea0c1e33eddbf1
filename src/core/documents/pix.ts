import { cleanOutsideText } from '../text.ts';
import { crc16, type EmvElement, emvElement, readEmvElements } from './emv.ts';
import { type PixKeyType, readPixKey } from './pix-key.ts';
import type { ReadingWarning } from './reading.ts';

export { crc16 } from './emv.ts';
export { type PixKeyType, readPixKey } from './pix-key.ts';

const CODE_MAX = 1024;
const ARRANGEMENT = 'br.gov.bcb.pix';
const REAL = '986';
const NO_TXID = '***';
const NAME_MAX = 25;
const CITY_MAX = 15;
const TXID_STATIC_MAX = 25;
const TXID_DYNAMIC = /^[A-Za-z0-9]{26,35}$/;
const TXID_STATIC = /^[A-Za-z0-9]{1,25}$/;
const NOTE_MAX = 72;
const AMOUNT = /^(\d{1,10})(?:\.(\d{0,2}))?$/;
const AMOUNT_CENTS_MAX = 999_999_999_999;
const URL_MAX = 77;
const URL_WITHOUT_SCHEME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/[\x21-\x7e]+$/i;
const OUTSIDE_TEXT_MAX = 99;

export type PixCodeReason =
  | 'too_long'
  | 'not_pix'
  | 'truncated'
  | 'crc_mismatch'
  | 'malformed'
  | 'repeated_field'
  | 'no_key_or_url'
  | 'key_and_url'
  | 'invalid_url'
  | 'invalid_amount'
  | 'currency_not_brl'
  | 'country_not_br';

export type PixCodeWarning =
  | 'white_space_removed'
  | 'lengths_in_bytes'
  | 'crc_lower_case'
  | 'accented_text'
  | 'text_too_long'
  | 'field_missing'
  | 'unknown_key'
  | 'unusual_txid'
  | 'amount_not_binding'
  | 'other_arrangement';

export type PixCode = {
  ok: true;
  kind: 'static' | 'dynamic';
  /** Static codes: the key as the directory stores it; as written when its type is unknown. */
  key: string | null;
  keyType: PixKeyType | null;
  /** Dynamic codes: the address of the charge, without scheme. */
  url: string | null;
  /** Null when the payer fills it in or the address tells it. */
  amountCents: number | null;
  merchant: string | null;
  city: string | null;
  txid: string | null;
  note: string | null;
  singleUse: boolean;
  crcOk: true;
  warnings: ReadingWarning<PixCodeWarning>[];
};
export type PixCodeFailure = { ok: false; reason: PixCodeReason; message: string };

export type PixReceiver = { merchant: string; city: string };
export type StaticPixParts = PixReceiver & {
  key: string;
  keyType?: PixKeyType;
  amountCents?: number | null;
  txid?: string | null;
  note?: string | null;
};
/** The address tells amount, due date and transaction id, so none of them is in the code. */
export type DynamicPixParts = PixReceiver & { url: string };

/**
 * A Pix copy-and-paste code. Only white space added by copying is taken off before the check value is verified; names
 * and notes in the answer are a stranger's text, cleaned and capped. Source: Pix initiation manual (EMV QR Code).
 */
export function readPixCode(text: string): PixCode | PixCodeFailure {
  const code = text.trim().replace(/[\r\n]+/g, '');
  const warnings: PixCode['warnings'] = [];
  if (code !== text)
    warn(warnings, 'white_space_removed', 'White space or line breaks around or in the code were removed.');
  if (code.length > CODE_MAX) return failure('too_long', `A Pix code has at most ${CODE_MAX} characters.`);
  if (!code.startsWith('000201')) return failure('not_pix', 'A Pix code begins with 000201.');
  const crc = crcFailureOf(code, warnings);
  if (crc !== null) return crc;
  const elements = elementsOf(code, warnings);
  if (elements === null) return failure('malformed', 'The lengths inside the code do not fit its text.');
  const fields = fieldsOf(elements);
  if (fields === null) return failure('repeated_field', 'The code holds the same field twice.');
  return readFields(fields, warnings);
}

/**
 * A static Pix code. Merchant, city and note are written without accents and cut to 25, 15 and what fits. Throws
 * RangeError on a key, amount or transaction id that no code may hold.
 */
export function buildStaticPixCode(parts: StaticPixParts): string {
  const key = readPixKey(parts.key, parts.keyType);
  if (!key.ok) throw new RangeError(key.message);
  const txid = parts.txid ?? NO_TXID;
  if (txid !== NO_TXID && !TXID_STATIC.test(txid)) {
    throw new RangeError(`txid must have 1 to ${TXID_STATIC_MAX} letters and digits`);
  }
  const account = emvElement('00', ARRANGEMENT) + emvElement('01', key.value);
  const note = plainText(parts.note ?? '', Math.min(NOTE_MAX, 95 - account.length));
  const noted = account + (note === '' ? '' : emvElement('02', note));
  return codeOf(emvElement('26', noted), parts, amountElement(parts.amountCents ?? null), txid);
}

/**
 * A dynamic Pix code, for one payment, of the charge kept at an address (written without scheme, at most 77
 * characters). Throws RangeError on an address that no code may hold. Source: Pix initiation manual.
 */
export function buildDynamicPixCode(parts: DynamicPixParts): string {
  if (parts.url.length > URL_MAX || !URL_WITHOUT_SCHEME.test(parts.url)) {
    throw new RangeError(`url must be an address without scheme of at most ${URL_MAX} characters`);
  }
  const account = emvElement('26', emvElement('00', ARRANGEMENT) + emvElement('25', parts.url));
  return codeOf(emvElement('01', '12') + account, parts, '', NO_TXID);
}

function codeOf(account: string, receiver: PixReceiver, amount: string, txid: string): string {
  const merchant = plainText(receiver.merchant, NAME_MAX);
  const city = plainText(receiver.city, CITY_MAX);
  if (merchant === '' || city === '') throw new RangeError('merchant and city need unaccented text');
  const unchecked = [
    emvElement('00', '01'),
    account,
    emvElement('52', '0000'),
    emvElement('53', REAL),
    amount,
    emvElement('58', 'BR'),
    emvElement('59', merchant),
    emvElement('60', city),
    emvElement('62', emvElement('05', txid)),
    '6304',
  ].join('');
  return unchecked + crc16(Buffer.from(unchecked, 'utf8'));
}

function crcFailureOf(code: string, warnings: PixCode['warnings']): PixCodeFailure | null {
  if (!/6304[0-9A-Fa-f]{4}$/.test(code)) {
    return failure(
      'truncated',
      'The code does not end with its check value (6304 and four digits): copy it whole.',
    );
  }
  const printed = code.slice(-4);
  if (crc16(Buffer.from(code.slice(0, -4), 'utf8')) !== printed.toUpperCase()) {
    return failure('crc_mismatch', 'The check value does not match: the code was changed or copied wrongly.');
  }
  if (printed !== printed.toUpperCase()) {
    warn(warnings, 'crc_lower_case', 'The check value is in lower case, which some readers refuse.');
  }
  return null;
}

function elementsOf(code: string, warnings: PixCode['warnings']): EmvElement[] | null {
  const elements = readEmvElements(code);
  if (elements?.at(-1)?.id === '63') return elements;
  const byBytes = readEmvElements(code, 'bytes');
  if (byBytes?.at(-1)?.id !== '63') return null;
  warn(warnings, 'lengths_in_bytes', 'The lengths in the code count bytes instead of characters.');
  return byBytes;
}

/** Values by id; null when one id comes twice, because two readers could then pay two different things. */
function fieldsOf(elements: EmvElement[]): Map<string, string> | null {
  const fields = new Map(elements.map(({ id, value }) => [id, value]));
  return fields.size === elements.length ? fields : null;
}

function readFields(fields: Map<string, string>, warnings: PixCode['warnings']): PixCode | PixCodeFailure {
  const accounts = pixTemplatesOf(fields, 26, 51);
  if (accounts.length > 1) return failure('repeated_field', 'The code holds two Pix accounts.');
  const account = accounts[0];
  if (account === undefined) return failure('not_pix', 'The code holds no Pix account (br.gov.bcb.pix).');
  if (account === 'repeated')
    return failure('repeated_field', 'The Pix account in the code holds a field twice.');
  if ((fields.get('53') ?? REAL) !== REAL) return failure('currency_not_brl', 'The code is not in reais.');
  if ((fields.get('58') ?? 'BR').toUpperCase() !== 'BR') {
    return failure('country_not_br', 'The code is not for a payment in Brazil.');
  }
  const amountCents = amountOf(fields.get('54'));
  if (amountCents === undefined)
    return failure('invalid_amount', 'The amount in the code is no number with a point.');
  if (pixTemplatesOf(fields, 80, 99).length > 0) {
    warn(
      warnings,
      'other_arrangement',
      'The code also offers another arrangement, for example a recurring Pix.',
    );
  }
  const target = targetOf(account, warnings);
  if ('ok' in target) return target;
  if (target.kind === 'dynamic' && amountCents !== null) {
    warn(warnings, 'amount_not_binding', 'The charge at the address of the code decides the amount.');
  }
  return {
    ok: true,
    ...target,
    amountCents,
    merchant: merchantTextOf(fields, '59', NAME_MAX, warnings),
    city: merchantTextOf(fields, '60', CITY_MAX, warnings),
    txid: txidOf(fields.get('62'), target.kind, warnings),
    note: outsideText(account.get('02')),
    singleUse: fields.get('01') === '12',
    crcOk: true,
    warnings,
  };
}

/** The templates from one id to another that belong to Pix; the arrangement's name is compared without case. */
function pixTemplatesOf(
  fields: Map<string, string>,
  from: number,
  to: number,
): (Map<string, string> | 'repeated')[] {
  const found: (Map<string, string> | 'repeated')[] = [];
  for (let id = from; id <= to; id += 1) {
    const elements = readInner(fields.get(String(id)));
    const arrangement = elements?.find((element) => element.id === '00')?.value;
    if (elements && arrangement?.toLowerCase() === ARRANGEMENT) found.push(fieldsOf(elements) ?? 'repeated');
  }
  return found;
}

function readInner(value: string | undefined): EmvElement[] | null {
  if (value === undefined) return null;
  return readEmvElements(value) ?? readEmvElements(value, 'bytes');
}

function targetOf(
  account: Map<string, string>,
  warnings: PixCode['warnings'],
): Pick<PixCode, 'kind' | 'key' | 'keyType' | 'url'> | PixCodeFailure {
  const written = account.get('01');
  const url = account.get('25');
  if (written && url) return failure('key_and_url', 'The code holds both a key and an address.');
  if (url) {
    if (!URL_WITHOUT_SCHEME.test(url))
      return failure('invalid_url', 'The address in the code is no address of a charge.');
    return { kind: 'dynamic', key: null, keyType: null, url };
  }
  if (!written) return failure('no_key_or_url', 'The code holds neither a key nor an address.');
  // In a code a phone always has its plus, so eleven bare digits are a CPF.
  const reading = /^\d{11}$/.test(written) ? readPixKey(written, 'cpf') : readPixKey(written);
  if (reading.ok) return { kind: 'static', key: reading.value, keyType: reading.type, url: null };
  warn(warnings, 'unknown_key', 'The key in the code has the form of no Pix key.');
  return { kind: 'static', key: outsideText(written), keyType: null, url: null };
}

/** Centavos, null for none or zero (the payer fills it in), undefined when the text is no amount. */
function amountOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return null;
  const match = AMOUNT.exec(text);
  if (match === null) return undefined;
  return Number(match[1] + (match[2] ?? '').padEnd(2, '0')) || null;
}

function merchantTextOf(
  fields: Map<string, string>,
  id: '59' | '60',
  max: number,
  warnings: PixCode['warnings'],
): string | null {
  const name = id === '59' ? 'name' : 'city';
  const text = outsideText(fields.get(id));
  if (text === null) {
    warn(warnings, 'field_missing', `The ${name} of the receiver is missing.`);
    return null;
  }
  if (/[^\x20-\x7e]/.test(text))
    warn(warnings, 'accented_text', `The ${name} of the receiver has accents or symbols.`);
  if (Array.from(text).length > max) {
    warn(warnings, 'text_too_long', `The ${name} of the receiver is longer than ${max} characters.`);
  }
  return text;
}

function txidOf(
  template: string | undefined,
  kind: PixCode['kind'],
  warnings: PixCode['warnings'],
): string | null {
  const txid = readInner(template)?.find((element) => element.id === '05')?.value;
  if (!txid || txid === NO_TXID) return null;
  const usual = kind === 'static' ? TXID_STATIC : TXID_DYNAMIC;
  if (!usual.test(txid)) warn(warnings, 'unusual_txid', 'The transaction id has an unusual form.');
  return outsideText(txid);
}

function outsideText(text: string | undefined): string | null {
  return cleanOutsideText(text ?? '', OUTSIDE_TEXT_MAX) || null;
}

function amountElement(amountCents: number | null): string {
  if (amountCents === null) return '';
  if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > AMOUNT_CENTS_MAX) {
    throw new RangeError('amountCents must be a whole positive number of centavos of at most twelve digits');
  }
  const digits = String(amountCents).padStart(3, '0');
  return emvElement('54', `${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Text that every bank's reader takes: no accents, printable ASCII, cut without a space at its end. */
function plainText(text: string, max: number): string {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, ' ');
  return plain.replace(/ +/g, ' ').trim().slice(0, Math.max(0, max)).trim();
}

function warn(warnings: PixCode['warnings'], code: PixCodeWarning, message: string): void {
  warnings.push({ code, message });
}

function failure(reason: PixCodeReason, message: string): PixCodeFailure {
  return { ok: false, reason, message };
}
