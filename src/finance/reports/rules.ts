/** What the figures of the reports follow from; `docs/reports.md` has the definitions. Amounts in centavos. */

import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import { addDays, addMonths, daysBetween, lastDayOfMonth, monthOf, weekdayOf } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';

/** How far a projection reaches when nobody says, and at most. */
export const OUTLOOK_DAYS = 90;
export const OUTLOOK_DAYS_MAX = 366;
/** Two calendar years, a leap year among them. */
export const STATEMENT_DAYS_MAX = 730;
export const MONTH_MIN = '2000-01';
export const MONTHS_AHEAD_MAX = 12;
/** Upper ends of the delay bands, in days; the last band is open. */
export const BANDS_DEFAULT = [30, 60, 90, 180] as const;

export type Bucket = 'day' | 'week' | 'month';

export interface Period {
  readonly from: CivilDate;
  readonly to: CivilDate;
}

/** Money that comes in and goes out, and of how many records. */
export interface Flow {
  readonly inflow: Cents;
  readonly outflow: Cents;
  readonly inflowCount: number;
  readonly outflowCount: number;
}

/** Of one day; null stands for everything expected before today that is still open. */
export interface ExpectedFlow extends Flow {
  readonly day: CivilDate | null;
}

export interface CashFlow {
  readonly overdue: Flow;
  readonly buckets: readonly (Flow & Period & { readonly balance: Cents })[];
  /** All of the buckets, and what is overdue where it is counted. */
  readonly total: Flow;
  readonly balanceEnd: Cents;
  /** The day whose end leaves the least, the first one where several do. */
  readonly lowest: { readonly date: CivilDate; readonly balance: Cents };
}

const NO_FLOW: Flow = { inflow: 0, outflow: 0, inflowCount: 0, outflowCount: 0 };

/** The end of the projection. Fails with `invalid_argument` before today and beyond `OUTLOOK_DAYS_MAX`. */
export function outlookEnd(until: CivilDate | undefined, today: CivilDate): CivilDate {
  const end = until ?? addDays(today, OUTLOOK_DAYS);
  if (!isOutlookEnd(end, today)) {
    failArgument('until', `a date from ${today} to ${addDays(today, OUTLOOK_DAYS_MAX)}`);
  }
  return end;
}

export function isOutlookEnd(until: CivilDate, today: CivilDate): boolean {
  return until >= today && daysBetween(today, until) <= OUTLOOK_DAYS_MAX;
}

/**
 * Days, ISO weeks (from Monday) or calendar months without gaps; the first and the last hold only the days inside
 * the period.
 */
export function bucketsOf({ from, to }: Period, bucket: Bucket): Period[] {
  const buckets: Period[] = [];
  for (let start = from; start <= to; ) {
    const last = lastDayOf(start, bucket);
    const end = last < to ? last : to;
    buckets.push({ from: start, to: end });
    start = addDays(end, 1);
  }
  return buckets;
}

/**
 * Runs the balance of today through what is expected. What is overdue comes before the first bucket, on today, when
 * it is counted at all. The lowest point is found by day, however wide the buckets are.
 */
export function cashFlowOf(question: {
  readonly today: CivilDate;
  readonly until: CivilDate;
  readonly bucket: Bucket;
  readonly isOverdueCounted: boolean;
  readonly balance: Cents;
  readonly expected: readonly ExpectedFlow[];
}): CashFlow {
  const { today, until, bucket, isOverdueCounted, expected } = question;
  const byDay = Map.groupBy(expected, ({ day }) => day);
  const overdue = sumOf(byDay.get(null) ?? []);
  let balance = question.balance + (isOverdueCounted ? netOf(overdue) : 0);
  let lowest: CashFlow['lowest'] | null = null;
  const buckets = bucketsOf({ from: today, to: until }, bucket).map((period) => {
    let sum = NO_FLOW;
    for (let day = period.from; day <= period.to; day = addDays(day, 1)) {
      const flow = sumOf(byDay.get(day) ?? []);
      sum = sumOf([sum, flow]);
      balance += netOf(flow);
      if (lowest === null || balance < lowest.balance) lowest = { date: day, balance };
    }
    return { ...period, ...sum, balance };
  });
  return {
    overdue,
    buckets,
    total: sumOf([...buckets, ...(isOverdueCounted ? [overdue] : [])]),
    balanceEnd: balance,
    lowest: lowest!,
  };
}

export function netOf(flow: Flow): Cents {
  return flow.inflow - flow.outflow;
}

/** The month with its days. Fails with `invalid_argument` outside of what a summary is made for. */
export function summaryMonth(
  month: CivilMonth | undefined,
  today: CivilDate,
): Period & { readonly month: CivilMonth } {
  const chosen = month ?? monthOf(today);
  if (!isSummaryMonth(chosen, today)) {
    failArgument('month', `a month from ${MONTH_MIN} to ${addMonths(monthOf(today), MONTHS_AHEAD_MAX)}`);
  }
  return { month: chosen, from: `${chosen}-01`, to: lastDayOfMonth(chosen) };
}

export function isSummaryMonth(month: CivilMonth, today: CivilDate): boolean {
  return month >= MONTH_MIN && month <= addMonths(monthOf(today), MONTHS_AHEAD_MAX);
}

/** The days a balance is given for: before the period and at its end, neither of them still to come. */
export function balanceDays(period: Period, today: CivilDate): { start: CivilDate; end: CivilDate } {
  const before = addDays(period.from, -1);
  return { start: before < today ? before : today, end: period.to < today ? period.to : today };
}

/** The largest so many, ties by name; the others in one line, so that lines and others make the whole. */
export function topOf<Line extends { readonly amount: Cents; readonly count: number; readonly key: string }>(
  lines: readonly Line[],
  max: number,
): { lines: readonly Line[]; others: { amount: Cents; count: number } } {
  const sorted = lines.toSorted(
    (left, right) => right.amount - left.amount || (left.key < right.key ? -1 : 1),
  );
  const rest = sorted.slice(max);
  return {
    lines: sorted.slice(0, max),
    others: {
      amount: rest.reduce((sum, { amount }) => sum + amount, 0),
      count: rest.reduce((sum, { count }) => sum + count, 0),
    },
  };
}

export interface Band {
  readonly fromDays: number;
  /** Null: without end. */
  readonly toDays: number | null;
}

/** The bands between the upper ends, from one day late on. Fails with `invalid_argument` unless they rise. */
export function bandsOf(upperEnds: readonly number[]): Band[] {
  if (upperEnds.some((end, index) => index > 0 && end <= upperEnds[index - 1]!)) {
    failArgument('bands', 'days in rising order, such as [30, 60, 90]');
  }
  return [...upperEnds, null].map((toDays, index) => ({
    fromDays: index === 0 ? 1 : upperEnds[index - 1]! + 1,
    toDays,
  }));
}

/** Fails with `invalid_argument` for a period that is no period, too long, or cuts months that only count whole. */
export function statementPeriod(from: CivilDate, to: CivilDate, basis: 'cash' | 'competence'): Period {
  if (to < from) failArgument('date_to', 'a date not before `date_from`');
  if (daysBetween(from, to) > STATEMENT_DAYS_MAX) {
    failArgument('date_to', `a date at most ${STATEMENT_DAYS_MAX} days after \`date_from\``);
  }
  if (basis === 'competence') {
    if (!from.endsWith('-01')) {
      failArgument('date_from', 'the first day of a month, because competence counts whole months');
    }
    if (to !== lastDayOfMonth(monthOf(to))) {
      failArgument('date_to', 'the last day of a month, because competence counts whole months');
    }
  }
  return { from, to };
}

function sumOf(flows: readonly Flow[]): Flow {
  return flows.reduce(
    (sum, flow) => ({
      inflow: sum.inflow + flow.inflow,
      outflow: sum.outflow + flow.outflow,
      inflowCount: sum.inflowCount + flow.inflowCount,
      outflowCount: sum.outflowCount + flow.outflowCount,
    }),
    NO_FLOW,
  );
}

function lastDayOf(day: CivilDate, bucket: Bucket): CivilDate {
  if (bucket === 'day') return day;
  if (bucket === 'month') return lastDayOfMonth(monthOf(day));
  return addDays(day, (7 - weekdayOf(day)) % 7);
}
