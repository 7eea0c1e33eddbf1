/** Amounts as statements write them. What can be read in two ways is not read at all (MODEL §11). */

import { type Cents, parseMoney } from '../../../core/money.ts';

export type DecimalMark = ',' | '.';

const NUMBER_LENGTH_MAX = 40;
const DIGITS_AND_MARKS = /^(?=.*\d)[\d.,]+$/;

/** A number taken apart; null where its marks make no sense. */
interface Parts {
  readonly whole: string;
  readonly decimals: string;
}

/** The amount of an OFX field with its sign: a comma or point alone is decimal, of two kinds the last one is. */
export function ofxCents(text: string): Cents | null {
  const { body, isNegative } = signOf(text);
  return centsOf(partsOf(body, null), isNegative);
}

/**
 * The amount of a CSV cell with its sign (before or after, brackets, `D` for a debit). `decimal` decides only where
 * one mark stands before three digits: "1.234" is a thousand reais when the comma is decimal, and nothing otherwise.
 */
export function csvCents(text: string, decimal: DecimalMark): Cents | null {
  const { body, isNegative } = signOf(text);
  return centsOf(partsOf(body, decimal), isNegative);
}

/** The decimal mark of a column: the comma, unless some value can only have a point and none only a comma. */
export function decimalMarkOf(samples: readonly string[]): DecimalMark {
  const seen = new Set(samples.map((sample) => plainDecimalMark(signOf(sample).body)));
  return seen.has('.') && !seen.has(',') ? '.' : ',';
}

function signOf(text: string): { body: string; isNegative: boolean } {
  let body = text.length > NUMBER_LENGTH_MAX ? '' : text.replace(/[\s\u00a0]/g, '');
  let isNegative = false;
  if (body.startsWith('(') && body.endsWith(')')) [body, isNegative] = [body.slice(1, -1), true];
  const suffix = /[a-z]{1,2}$/i.exec(body)?.[0]?.toUpperCase();
  if (suffix !== undefined && ['C', 'CR', 'D', 'DB'].includes(suffix)) {
    body = body.slice(0, -suffix.length);
    isNegative ||= suffix.startsWith('D');
  }
  body = body.replace(/^([-+\u2212]?)R\$/i, '$1');
  const sign = /^[-+\u2212]|[-+\u2212]$/.exec(body);
  if (sign !== null) {
    isNegative ||= sign[0] !== '+';
    body = sign.index === 0 ? body.slice(1) : body.slice(0, -1);
  }
  return { body: body.replace(/^R\$/i, ''), isNegative };
}

/** `decimal` null: a mark that stands alone is always decimal. */
function partsOf(body: string, decimal: DecimalMark | null): Parts | null {
  if (!DIGITS_AND_MARKS.test(body)) return null;
  const marks = body.replace(/\d/g, '');
  if (marks === '') return { whole: body, decimals: '' };
  const last = marks.at(-1) as DecimalMark;
  const isMixed = marks.includes(',') && marks.includes('.');
  const [head, tail] = cutAt(body, body.lastIndexOf(last));
  if (isMixed) {
    const group = last === ',' ? '.' : ',';
    return head.includes(last) ? null : withDecimals(ungrouped(head, group), tail);
  }
  if (marks.length > 1) return wholeOf(ungrouped(body, last));
  if (tail.length !== 3) return withDecimals(head, tail);
  return decimal === null || decimal === last ? null : wholeOf(ungrouped(body, last));
}

/** The mark that is decimal in this value whatever the column says; null where that is open. */
function plainDecimalMark(body: string): DecimalMark | null {
  const parts = partsOf(body, null);
  return parts === null || parts.decimals === '' ? null : (body.replace(/\d/g, '').at(-1) as DecimalMark);
}

function cutAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)];
}

/** "1.234.567" as "1234567"; null unless every group but the first has three digits. */
function ungrouped(text: string, mark: string): string | null {
  const [first = '', ...groups] = text.split(mark);
  const isGrouped = /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
  return isGrouped ? [first, ...groups].join('') : null;
}

function wholeOf(whole: string | null): Parts | null {
  return whole === null ? null : { whole, decimals: '' };
}

/** Digits beyond the centavos have to be zeros. */
function withDecimals(whole: string | null, tail: string): Parts | null {
  if (whole === null || tail === '' || !/^0*$/.test(tail.slice(2))) return null;
  return { whole, decimals: tail.slice(0, 2) };
}

function centsOf(parts: Parts | null, isNegative: boolean): Cents | null {
  if (parts === null) return null;
  const whole = parts.whole.replace(/^0+(?=\d)/, '') || '0';
  const cents = parseMoney(parts.decimals === '' ? whole : `${whole}.${parts.decimals}`);
  return cents !== null && isNegative && cents !== 0 ? -cents : cents;
}
