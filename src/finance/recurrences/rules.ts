/** When a recurrence falls due and what each occurrence is made of: values in, values out. */

import type { Terms } from '../../core/accruals.ts';
import { nextBusinessDay, previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate, daysBetween, monthlyFromAnchor, monthOf } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { CostCenterShare, DebtDraft, Withholding } from '../debts/index.ts';
import type { Frequency, NonBusinessDay } from './schema.ts';

/** How far ahead a recurrence may begin. */
const START_DAYS_MAX = 5 * 366;

/** The dates of a recurrence: number k, from zero, always counted from the start and the anchor day. */
export interface Series {
  readonly frequency: string;
  readonly anchor_day: number;
  readonly start_date: CivilDate;
  readonly end_date: CivilDate | null;
  readonly occurrences: number | null;
  readonly non_business_day: string;
}

/** What each occurrence is made of, as stored; amounts in centavos. */
export interface Template {
  readonly companyId: string;
  readonly personId: string;
  readonly description: string;
  readonly amountCents: Cents;
  readonly documentNumber: string | null;
  readonly categoryId: string | null;
  readonly costCenters: readonly CostCenterShare[];
  readonly withholdings: readonly Withholding[];
  readonly abatementCents: Cents;
  readonly terms: Terms | null;
  /** Of payables, as they check and show it; null for receivables. */
  readonly paymentDetails: unknown;
  readonly plannedAccountId: string | null;
}

/** The date of an occurrence before it is moved to a business day (MODEL §2, Recurrence). */
export function dateOf(series: Series, number: number): CivilDate {
  switch (series.frequency as Frequency) {
    case 'weekly':
      return addDays(series.start_date, 7 * number);
    case 'monthly':
      return monthlyFromAnchor(series.start_date, number, series.anchor_day);
    case 'yearly':
      return monthlyFromAnchor(series.start_date, 12 * number, series.anchor_day);
  }
}

/** The date on which an occurrence of that date is due. */
export function dueDateOf(series: Series, date: CivilDate): CivilDate {
  switch (series.non_business_day as NonBusinessDay) {
    case 'keep':
      return date;
    case 'next':
      return nextBusinessDay(date);
    case 'previous':
      return previousBusinessDay(date);
  }
}

/** True when the recurrence has no occurrence of that number any more. */
export function isBeyondEnd(series: Series, number: number): boolean {
  if (series.occurrences !== null && number >= series.occurrences) return true;
  return series.end_date !== null && dateOf(series, number) > series.end_date;
}

/** The first number from the given one on whose date is not over. */
export function firstNumberFrom(series: Series, number: number, today: CivilDate): number {
  let reached = number;
  while (dateOf(series, reached) < today) reached += 1;
  return reached;
}

/** The next occurrences from the given number on, at most `max`. */
export function nextDates(
  series: Series,
  number: number,
  max: number,
): { number: number; date: CivilDate; due_date: CivilDate }[] {
  const dates = [];
  for (let next = number; dates.length < max && !isBeyondEnd(series, next); next += 1) {
    const date = dateOf(series, next);
    dates.push({ number: next + 1, date, due_date: dueDateOf(series, date) });
  }
  return dates;
}

/**
 * Where a recurrence begins: the first date of the series that is not before the date given. Fails with
 * `invalid_argument` for a start that is over or too far ahead, and for a day of the month of a weekly one.
 */
export function beginningOf(
  given: { frequency: Frequency; start_date: CivilDate; day?: number | undefined },
  today: CivilDate,
): { start_date: CivilDate; anchor_day: number } {
  const { frequency, start_date: start, day } = given;
  if (start < today || daysBetween(today, start) > START_DAYS_MAX) {
    failArgument('start_date', `a date from ${today}, today, to five years later`);
  }
  const anchorDay = day ?? Number(start.slice(8));
  requireDayFits(given, day);
  if (frequency === 'weekly') return { start_date: start, anchor_day: anchorDay };
  const first = monthlyFromAnchor(start, 0, anchorDay);
  const months = frequency === 'monthly' ? 1 : 12;
  const isBefore = first < start;
  return {
    start_date: isBefore ? monthlyFromAnchor(start, months, anchorDay) : first,
    anchor_day: anchorDay,
  };
}

/** Fails with `invalid_argument` when both ends are given, or one that leaves nothing to come. */
export function requireMoreToCome(
  series: Series,
  number: number,
  given: { end_date?: CivilDate | null | undefined; count?: number | null | undefined },
): void {
  if (given.end_date != null && given.count != null) failArgument('count', '`end_date` or `count`, not both');
  if (!isBeyondEnd(series, number)) return;
  const isCount = series.occurrences !== null && number >= series.occurrences;
  failArgument(
    isCount ? 'count' : 'end_date',
    isCount
      ? `at least ${number + 1}: that many have been or come next`
      : `a date from ${dateOf(series, number)}, the next occurrence, on`,
  );
}

/** Fails with `invalid_argument` for a day of the month of a recurrence that has none. */
export function requireDayFits(series: Pick<Series, 'frequency'>, day: number | undefined): void {
  if (day !== undefined && series.frequency === 'weekly') {
    failArgument('day', 'nothing: the start date says the day of the week');
  }
}

/** Fails with `invalid_state` once a recurrence has ended. */
export function requireNotEnded(status: string): void {
  if (status === 'ended') fail('invalid_state', { from: status, allowed: ['active', 'paused'] });
}

/** The occurrence of a number as the payable or receivable it becomes. */
export function occurrenceDraft(
  recurrence: Series & { id: string },
  template: Template,
  number: number,
): DebtDraft & Pick<Template, 'paymentDetails'> {
  const date = dateOf(recurrence, number);
  const { documentNumber, ...made } = template;
  return {
    ...made,
    documentNumber: documentNumber === null ? null : `${documentNumber}/${number + 1}`,
    dueDate: dueDateOf(recurrence, date),
    // The month it belongs to does not move with a weekend.
    competenceMonth: monthOf(date),
    recurrence: { id: recurrence.id, number },
  };
}
