/** Dates as statements write them; always the civil date as written, never moved to another zone (MODEL §11). */

import { type CivilDate, isCivilDate } from '../../../core/dates.ts';

export type DateOrder = 'dmy' | 'mdy' | 'ymd';

const PARTED = /^(\d{1,4})[/.-](\d{1,2})[/.-](\d{2,4})(?:[T ,].*)?$/;
const YEAR_FIRST = /^\s*\d{4}[/.-]/;
const COMPACT = /^\d{8}$/;

/** The first eight digits, YYYYMMDD; the time and its offset say nothing about the day. */
export function compactDate(text: string): CivilDate | null {
  const digits = text.trim().slice(0, 8);
  return COMPACT.test(digits) ? realDate(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)) : null;
}

/** A date of a CSV cell in the order of its column; a time behind it is left out. Two-digit years are of this century. */
export function csvDate(text: string, order: DateOrder): CivilDate | null {
  const trimmed = text.trim();
  if (COMPACT.test(trimmed)) {
    if (order === 'ymd') return compactDate(trimmed);
    const [first, second, year] = [trimmed.slice(0, 2), trimmed.slice(2, 4), trimmed.slice(4)];
    return order === 'dmy' ? realDate(year, second, first) : realDate(year, first, second);
  }
  const parts = PARTED.exec(trimmed);
  if (parts === null) return null;
  const [, first = '', second = '', third = ''] = parts;
  if (order === 'ymd' || first.length === 4) return realDate(first, second, third);
  return order === 'dmy' ? realDate(third, second, first) : realDate(third, first, second);
}

/** The order of a column of dates: day first, unless a year comes first or some second number is too large for a month. */
export function dateOrderOf(samples: readonly string[]): DateOrder {
  if (samples.some((sample) => YEAR_FIRST.test(sample))) return 'ymd';
  const orders: readonly DateOrder[] = ['dmy', 'ymd', 'mdy'];
  const read = (order: DateOrder) => samples.filter((sample) => csvDate(sample, order) !== null).length;
  return orders.reduce((best, order) => (read(order) > read(best) ? order : best));
}

function realDate(year: string, month: string, day: string): CivilDate | null {
  if (year.length === 3 || year.length === 1 || day.length > 2) return null;
  const whole = year.length === 2 ? `20${year}` : year;
  const date = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCivilDate(date) ? date : null;
}
