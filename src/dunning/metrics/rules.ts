/** What the figures follow from; `docs/metrics.md` defines each of them. Amounts in centavos. */

import { addMonths, type CivilDate, type CivilMonth, monthOf } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import { type Cents, formatPercent, roundHalfUp } from '../../core/money.ts';

export const MONTHS_DEFAULT = 6;
export const MONTHS_MAX = 24;

/** Upper ends of the delay bands, in days; the last band is open. */
export const BANDS_DEFAULT = [30, 90] as const;

export interface Window {
  readonly from: CivilDate;
  /** Today: the current month is not over. */
  readonly to: CivilDate;
  /** Each month of it, oldest first. */
  readonly months: readonly CivilMonth[];
}

/** The so many months up to and including the one of today. */
export function windowOf(months: number, today: CivilDate): Window {
  const last = monthOf(today);
  const all = Array.from({ length: months }, (_, index) => addMonths(last, index - months + 1));
  return { from: `${all[0]}-01`, to: today, months: all };
}

export function isMonths(months: number): boolean {
  return Number.isInteger(months) && months >= 1 && months <= MONTHS_MAX;
}

/** A share in percent with up to two decimals, half up; null of nothing. */
export function shareOf(part: number, whole: number): string | null {
  return whole === 0 ? null : formatPercent(roundHalfUp(BigInt(part) * 10_000n, BigInt(whole)) * 100);
}

/** A mean with two decimals, half up; null without weight. The sum may be beyond safe integers. */
export function meanOf(sum: bigint, weight: bigint): string | null {
  if (weight === 0n) return null;
  const sign = sum < 0n ? '-' : '';
  const hundredths = String(roundHalfUp((sum < 0n ? -sum : sum) * 100n, weight)).padStart(3, '0');
  return `${sign}${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`;
}

/** Recovered payments of one month, method and channel, added up. */
export interface RecoveredSum {
  /** Which month of the window, from 1. */
  readonly month: number;
  readonly method: string;
  readonly channel: string;
  readonly payments: number;
  readonly cents: Cents;
  readonly principal: Cents;
  /** Days late times centavos of principal: a whole number, as text. */
  readonly dayCents: string;
  /** First payments of a charge, and the steps done before them. */
  readonly firsts: number;
  readonly steps: number;
}

export interface Recovered {
  readonly payments: number;
  readonly cents: Cents;
  readonly principal: Cents;
  readonly dayCents: bigint;
  readonly firsts: number;
  readonly steps: number;
}

/** Sums put together. */
export function recoveredOf(sums: readonly RecoveredSum[]): Recovered {
  return {
    payments: added(sums, ({ payments }) => payments),
    cents: added(sums, ({ cents }) => cents),
    principal: added(sums, ({ principal }) => principal),
    dayCents: sums.reduce((total, { dayCents }) => total + BigInt(dayCents), 0n),
    firsts: added(sums, ({ firsts }) => firsts),
    steps: added(sums, ({ steps }) => steps),
  };
}

/** Mean days late, each payment counting with its principal. */
export function meanDaysOf({ dayCents, principal }: Recovered): string | null {
  return meanOf(dayCents, BigInt(principal));
}

/** By what the key says, largest amounts first. */
export function sharesBy(
  sums: readonly RecoveredSum[],
  keyOf: (sum: RecoveredSum) => string,
): { key: string; recovered: Recovered }[] {
  return [...Map.groupBy(sums, keyOf)]
    .map(([key, own]) => ({ key, recovered: recoveredOf(own) }))
    .toSorted(
      (left, right) => right.recovered.cents - left.recovered.cents || (left.key < right.key ? -1 : 1),
    );
}

export interface Band {
  readonly fromDays: number;
  /** Null: without end. */
  readonly toDays: number | null;
}

/** The bands between the upper ends, from one day late on. Fails with `invalid_argument` unless they rise. */
export function bandsOf(upperEnds: readonly number[]): Band[] {
  if (upperEnds.some((end, index) => index > 0 && end <= upperEnds[index - 1]!)) {
    failArgument('bands', 'days in rising order, such as [30, 90]');
  }
  return [...upperEnds, null].map((toDays, index) => ({
    fromDays: index === 0 ? 1 : upperEnds[index - 1]! + 1,
    toDays,
  }));
}

export function added<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
