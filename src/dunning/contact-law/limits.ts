/** Days and dates that the law sets for reporting a debt. */

import { addBusinessDays } from '../../core/calendar.ts';
import { addMonths, type CivilDate, lastDayOfMonth, monthOf } from '../../core/dates.ts';
import { lawOf } from './hours.ts';
import { REMOVAL_BUSINESS_DAYS, REPORTABLE_YEARS } from './law.ts';

/** Days to wait after the proven notice in this state; the organization's own number counts where it is longer. */
export function priorNoticeDays(
  state: string | null,
  overrides: Readonly<Record<string, number>> = {},
): number {
  const own = state === null ? undefined : overrides[state];
  return Math.max(lawOf(state).priorNoticeDays, own ?? 0);
}

/** The last day on which a debt due on this date may be reported: calendar years, from the due date. */
export function lastReportableDay(dueDate: CivilDate): CivilDate {
  return yearsAfter(dueDate, REPORTABLE_YEARS);
}

/** The same day of a later year; 28 February for the 29th of a year without one. */
export function yearsAfter(date: CivilDate, years: number): CivilDate {
  const month = addMonths(monthOf(date), years * 12);
  const sameDay = `${month}${date.slice(7)}`;
  const last = lastDayOfMonth(month);
  return sameDay < last ? sameDay : last;
}

/** The last day on which the report of a debt paid on this date may still stand. */
export function removalDeadline(paidOn: CivilDate, businessDays: number = REMOVAL_BUSINESS_DAYS): CivilDate {
  return addBusinessDays(paidOn, businessDays);
}
