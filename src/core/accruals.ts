/**
 * What was agreed about paying early or late, and what each agreement is worth on a date: discount, fine and
 * interest, each an exact fraction until its single rounding.
 */

import { businessDaysBetween, nextBusinessDay } from './calendar.ts';
import type { CivilDate } from './dates.ts';
import { addDays, daysBetween } from './dates.ts';
import type { Cents, Percent } from './money.ts';
import { PERCENT_WHOLE, percentOf, roundHalfUp } from './money.ts';

export type DayKind = 'calendar' | 'business';

/** Up to a date (inclusive), or for each day of anticipation of the due date. Percentages are of the base. */
export type Discount =
  | { readonly kind: 'fixed'; readonly cents: Cents; readonly until: CivilDate }
  | { readonly kind: 'percent'; readonly percent: Percent; readonly until: CivilDate }
  | {
      readonly kind: 'fixed_per_day';
      readonly cents: Cents;
      readonly days: DayKind;
      readonly until?: CivilDate;
    }
  | {
      readonly kind: 'percent_per_day';
      readonly percent: Percent;
      readonly days: DayKind;
      readonly until?: CivilDate;
    };

/** Charged once, flat, on the base. */
export type Fine =
  | { readonly kind: 'fixed'; readonly cents: Cents }
  | { readonly kind: 'percent'; readonly percent: Percent };

/** Simple interest on the open principal; `fixed_per_day` is an amount for each day while principal is open. */
export type Interest =
  | { readonly kind: 'none' }
  | { readonly kind: 'fixed_per_day'; readonly cents: Cents; readonly days: DayKind }
  | { readonly kind: PercentInterestKind; readonly percent: Percent; readonly days: DayKind };

export interface Terms {
  /** Alternatives, not a sum: the one with the nearest limit date still ahead applies. */
  readonly discounts: readonly Discount[];
  readonly fine: Fine | null;
  readonly interest: Interest;
  /** Calendar days after the adjusted due date in which nothing is charged yet. */
  readonly graceDays: number;
}

/** Where calendar days of interest are counted from once a document is late. */
export type InterestFrom = 'original' | 'adjusted';

type PercentInterestKind = 'percent_per_day' | 'percent_per_month' | 'percent_per_year';

/** No discount, no fine, no interest. */
export const NO_TERMS: Terms = { discounts: [], fine: null, interest: { kind: 'none' }, graceDays: 0 };

/**
 * Days a rate is spread over: 30 and 365 calendar days, 21 and 252 business days, as the central bank's
 * maintainers state for Pix with due date (bacen/pix-api, thread on calculation, 2020-12-03).
 */
const DAYS_IN_PERIOD: Record<PercentInterestKind, Record<DayKind, number>> = {
  percent_per_day: { calendar: 1, business: 1 },
  percent_per_month: { calendar: 30, business: 21 },
  percent_per_year: { calendar: 365, business: 252 },
};

/** The due date, or the next business day if it is not one: paying on it is paying in time (Lei 7.089/83). */
export function adjustedDueDateOf(dueDate: CivilDate): CivilDate {
  return nextBusinessDay(dueDate);
}

/** The last date on which neither fine nor interest is owed: the adjusted due date and its days of grace. */
export function lastFreeDay(dueDate: CivilDate, graceDays: number): CivilDate {
  return addDays(adjustedDueDateOf(dueDate), graceDays);
}

/** The first date on which fine and interest may be owed: never the due date itself, which banks refuse. */
export function firstLateDay(dueDate: CivilDate, graceDays: number): CivilDate {
  return addDays(lastFreeDay(dueDate, graceDays), 1);
}

/**
 * The last date an instrument may be paid: calendar days counted from the adjusted due date, 0 meaning until that
 * date inclusive (reading of the central bank's maintainers for Pix with due date).
 */
export function lastPayableDay(dueDate: CivilDate, validDaysAfterDue: number): CivilDate {
  return addDays(adjustedDueDateOf(dueDate), validDaysAfterDue);
}

/**
 * The date a payment counts from. A boleto paid on a day banks are closed, or after the bank's cut-off, counts on
 * the next business day; everything else, a Pix above all, counts on its own day.
 */
export function effectivePaymentDay(method: string, paidOn: CivilDate, isAfterCutOff = false): CivilDate {
  if (method !== 'boleto') return paidOn;
  return nextBusinessDay(isAfterCutOff ? addDays(paidOn, 1) : paidOn);
}

/** The discount a full payment on a date has, in centavos, never above the base; 0 when none applies. */
export function discountOn(
  base: Cents,
  discounts: readonly Discount[],
  dueDate: CivilDate,
  on: CivilDate,
): Cents {
  const limitOf = (discount: Discount) => discount.until ?? dueDate;
  const applicable = discounts
    .filter((discount) => on <= limitOf(discount))
    .sort((left, right) => (limitOf(left) < limitOf(right) ? -1 : limitOf(left) > limitOf(right) ? 1 : 0))[0];
  return applicable === undefined ? 0 : Math.min(base, discountValue(base, applicable, dueDate, on));
}

/** The flat fine on a base, in centavos. */
export function fineOf(base: Cents, fine: Fine | null): Cents {
  if (fine === null) return 0;
  return fine.kind === 'fixed' ? fine.cents : percentOf(base, fine.percent);
}

/** The date interest days are counted from (exclusive). Business days always count from the adjusted due date. */
export function interestStart(dueDate: CivilDate, interest: Interest, interestFrom: InterestFrom): CivilDate {
  const isBusiness = interest.kind !== 'none' && interest.days === 'business';
  return isBusiness || interestFrom === 'adjusted' ? adjustedDueDateOf(dueDate) : dueDate;
}

/**
 * The exact interest on a principal over (from, to], as the numerator of a fraction of a centavo whose denominator
 * is `interestDenominator`. Stretches of one document add up before they are rounded, once.
 */
export function interestNumerator(
  principal: Cents,
  interest: Interest,
  from: CivilDate,
  to: CivilDate,
): bigint {
  if (interest.kind === 'none' || principal === 0) return 0n;
  const days = BigInt(daysOf(interest.days, from, to));
  if (interest.kind === 'fixed_per_day') return BigInt(interest.cents) * days;
  return BigInt(principal) * BigInt(interest.percent) * days;
}

/** The denominator of `interestNumerator`. */
export function interestDenominator(interest: Interest): bigint {
  if (interest.kind === 'none' || interest.kind === 'fixed_per_day') return 1n;
  return BigInt(PERCENT_WHOLE) * BigInt(DAYS_IN_PERIOD[interest.kind][interest.days]);
}

function discountValue(base: Cents, discount: Discount, dueDate: CivilDate, on: CivilDate): Cents {
  if (discount.kind === 'fixed') return discount.cents;
  if (discount.kind === 'percent') return percentOf(base, discount.percent);
  const days = Math.max(0, daysOf(discount.days, on, dueDate));
  if (discount.kind === 'fixed_per_day') return discount.cents * days;
  return roundHalfUp(BigInt(base) * BigInt(discount.percent) * BigInt(days), BigInt(PERCENT_WHOLE));
}

function daysOf(kind: DayKind, from: CivilDate, to: CivilDate): number {
  return kind === 'business' ? businessDaysBetween(from, to) : daysBetween(from, to);
}
