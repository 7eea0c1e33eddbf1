/**
 * Money is an integer number of centavos and a percentage an integer number of ten-thousandths of a percent.
 * Decimal text exists only at the edge, and no value here ever passes through a fraction of floating point.
 */

/** Centavos, a whole number with |x| <= `CENTS_MAX`. */
export type Cents = number;

/** Ten-thousandths of a percent, a whole number: 2 % is 20000, 0.0333 % is 333. */
export type Percent = number;

/** The largest amount accepted on write, R$ 100 billion: far below the safe integers, so sums stay exact. */
export const CENTS_MAX = 1e13;

/** One hundred percent in ten-thousandths of a percent: what a product of amount and rate is divided by. */
export const PERCENT_WHOLE = 1_000_000;

/** Eleven digits of reais keep every match below `CENTS_MAX`. */
const MONEY_FORM = /^(-?)(\d{1,11})(?:\.(\d{1,2}))?$/;
const PERCENT_FORM = /^(\d{1,3})(?:\.(\d{1,4}))?$/;

/**
 * Centavos of an amount in reais written with a point, such as "1234.56" or "-0.5".
 * A number is read by its shortest decimal text and never multiplied, since 19.99 * 100 is 1998.99….
 * Null for every other form ("1.234,56", "R$ 10", exponents, more than two decimals, above the limit).
 */
export function parseMoney(value: string | number): Cents | null {
  const match = MONEY_FORM.exec(String(value));
  if (match === null) return null;
  const [, sign, reais = '', decimals = ''] = match;
  const cents = Number(reais + decimals.padEnd(2, '0'));
  return sign === '-' && cents !== 0 ? -cents : cents;
}

/** The edge form of an amount: reais with exactly two decimals, "1234.56" or "-0.05". Throws on a fraction. */
export function formatMoney(cents: Cents): string {
  const { sign, reais, decimals } = moneyParts(cents);
  return `${sign}${reais}.${decimals}`;
}

/** The form people read in Brazil: "R$ 1.234,56", negative "-R$ 1,00", with a plain space. Throws on a fraction. */
export function formatBrl(cents: Cents): string {
  const { sign, reais, decimals } = moneyParts(cents);
  return `${sign}R$ ${reais.replace(/\B(?=(\d{3})+$)/g, '.')},${decimals}`;
}

/**
 * The only rounding of amounts: the nearest whole number, halves away from zero.
 * The Pix manual leaves the half open; half up is what readers of statements expect.
 * Throws `RangeError` on a zero denominator or a result beyond the safe integers.
 */
export function roundHalfUp(numerator: bigint, denominator: bigint): number {
  const isNegative = numerator < 0n !== denominator < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = denominator < 0n ? -denominator : denominator;
  const rounded = Number((2n * top + bottom) / (2n * bottom));
  if (!Number.isSafeInteger(rounded)) throw new RangeError('The rounded amount is beyond the safe integers.');
  return isNegative && rounded !== 0 ? -rounded : rounded;
}

/**
 * Splits a total into parts that add up to it exactly and differ by at most one centavo, the larger ones first:
 * 559.30 in 3 is 186.44 + 186.43 + 186.43. Throws `RangeError` unless `parts` is a whole number from 1 up.
 */
export function splitCents(total: Cents, parts: number): Cents[] {
  requireWhole(total);
  if (!Number.isSafeInteger(parts) || parts < 1) throw new RangeError(`Cannot split into ${parts} parts.`);
  const quotient = Math.floor(total / parts);
  const remainder = total - quotient * parts;
  return Array.from({ length: parts }, (_, index) => (index < remainder ? quotient + 1 : quotient));
}

/**
 * Ten-thousandths of a percent of a text such as "2", "1.5" or "0.0333" (at most 999.9999), or of a number by its
 * shortest decimal text. Null for every other form, negative ones included.
 */
export function parsePercent(value: string | number): Percent | null {
  const match = PERCENT_FORM.exec(String(value));
  if (match === null) return null;
  const [, whole = '', decimals = ''] = match;
  return Number(whole + decimals.padEnd(4, '0'));
}

/** The shortest edge form of a percentage: "2", "1.5", "0.0333". Throws on a fraction. */
export function formatPercent(percent: Percent): string {
  requireWhole(percent);
  const digits = String(Math.abs(percent)).padStart(5, '0');
  const decimals = digits.slice(-4).replace(/0+$/, '');
  const sign = percent < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -4)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** A percentage of an amount in centavos, rounded once. Throws on a fraction. */
export function percentOf(cents: Cents, percent: Percent): Cents {
  return roundHalfUp(BigInt(cents) * BigInt(percent), BigInt(PERCENT_WHOLE));
}

function moneyParts(cents: Cents): { sign: string; reais: string; decimals: string } {
  requireWhole(cents);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return { sign: cents < 0 ? '-' : '', reais: digits.slice(0, -2), decimals: digits.slice(-2) };
}

function requireWhole(value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of units.`);
}
