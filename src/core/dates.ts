/**
 * Civil dates are text from end to end. Arithmetic runs on whole day numbers, because a `Date` is an instant and
 * shows the day before or after in another zone. Every function given a text that is not a real date of the
 * years 1900 to 2199, or reaching beyond those years, throws `RangeError`: the edge checks with `isCivilDate`.
 */

/** A day of the calendar, `YYYY-MM-DD`. Compares in time order as text. */
export type CivilDate = string;

/** A month of the calendar, `YYYY-MM`. Compares in time order as text. */
export type CivilMonth = string;

export const YEAR_MIN = 1900;
export const YEAR_MAX = 2199;

/** Zones come from settings, so the cache is bounded in case of many spellings. */
const FORMATTERS_MAX = 64;
const DATE_FORM = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTH_FORM = /^(\d{4})-(\d{2})$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const formatters = new Map<string, Intl.DateTimeFormat>();
/** The last answer for each zone. */
const lastDates = new Map<string, { minute: number; date: CivilDate }>();

/** True for a real day of the calendar, years 1900 to 2199, written `YYYY-MM-DD`. */
export function isCivilDate(text: string): boolean {
  return partsOfDate(text) !== null;
}

/** True for a month of the years 1900 to 2199 written `YYYY-MM`. */
export function isCivilMonth(text: string): boolean {
  return partsOfMonth(text) !== null;
}

/** The date `days` calendar days later (earlier when negative). */
export function addDays(date: CivilDate, days: number): CivilDate {
  return dateOfDayNumber(dayNumberOf(date) + requireWhole(days));
}

/** Calendar days from one date to another; negative when `to` is earlier. */
export function daysBetween(from: CivilDate, to: CivilDate): number {
  return dayNumberOf(to) - dayNumberOf(from);
}

/** The day of the week, 0 = Sunday to 6 = Saturday. */
export function weekdayOf(date: CivilDate): number {
  // Day 0 (1970-01-01) was a Thursday; the second remainder keeps earlier dates from going negative.
  return (((dayNumberOf(date) + 4) % 7) + 7) % 7;
}

/** The month a date belongs to. */
export function monthOf(date: CivilDate): CivilMonth {
  const { year, month } = requireDate(date);
  return textOfMonth(year, month);
}

/** The last date of a month. */
export function lastDayOfMonth(month: CivilMonth): CivilDate {
  const parts = requireMonth(month);
  return textOfDate(parts.year, parts.month, daysInMonth(parts.year, parts.month));
}

/** The month `count` months later (earlier when negative). */
export function addMonths(month: CivilMonth, count: number): CivilMonth {
  const parts = requireMonth(month);
  const index = parts.year * 12 + parts.month - 1 + requireWhole(count);
  const year = Math.floor(index / 12);
  return textOfMonth(requireYear(year), index - year * 12 + 1);
}

/**
 * Date number `k` (from 0) of a monthly series: the anchor day of the month `k` months after the start, or that
 * month's last day when it is shorter. Always from the anchor, never from the date before, so that a series from
 * 31 January does not stay on the 28th after February. The anchor is the day of `startDate` unless given (1 to 31);
 * with another anchor, date 0 may fall before `startDate`.
 */
export function monthlyFromAnchor(startDate: CivilDate, k: number, anchorDay?: number): CivilDate {
  const day = anchorDay ?? requireDate(startDate).day;
  if (!Number.isInteger(day) || day < 1 || day > 31) throw new RangeError(`${day} is not a day of a month.`);
  const { year, month } = requireMonth(addMonths(monthOf(startDate), k));
  return textOfDate(year, month, Math.min(day, daysInMonth(year, month)));
}

/**
 * The civil date of an instant in a zone of the zone database such as "America/Sao_Paulo", whose past daylight
 * saving a fixed offset would miss. Throws `RangeError` on an unknown zone or an invalid instant.
 */
export function civilDateAt(instant: Date, timeZone: string): CivilDate {
  // Since 1970 no zone has changed its day within a minute, and "today" is asked for far more often than that.
  const minute = Math.floor(instant.getTime() / 60_000);
  const last = lastDates.get(timeZone);
  if (last !== undefined && last.minute === minute) return last.date;
  const parts = zonedParts(instant, timeZone);
  const date = textOfDate(requireYear(parts.year), parts.month, parts.day);
  if (minute >= 0) lastDates.set(timeZone, { minute, date });
  return date;
}

/** The wall-clock time "HH:MM" (00:00 to 23:59) of an instant in a zone. Throws like `civilDateAt`. */
export function civilTimeAt(instant: Date, timeZone: string): string {
  const parts = zonedParts(instant, timeZone);
  return `${twoDigits(parts.hour)}:${twoDigits(parts.minute)}`;
}

/** The `count` months up to and including the one of `today`, newest first. */
export function lastMonths(today: CivilDate, count: number): CivilMonth[] {
  const month = monthOf(today);
  return Array.from({ length: requireWhole(count) }, (_, index) => addMonths(month, -index));
}

/** The form people read in Brazil: "2026-02-20" is "20/02/2026". */
export function formatDateBr(date: CivilDate): string {
  const { year, month, day } = requireDate(date);
  return `${twoDigits(day)}/${twoDigits(month)}/${year}`;
}

interface MonthParts {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

interface DateParts extends MonthParts {
  readonly day: number;
}

function partsOfDate(text: string): DateParts | null {
  const match = DATE_FORM.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < YEAR_MIN || year > YEAR_MAX || month < 1 || month > 12) return null;
  return day >= 1 && day <= daysInMonth(year, month) ? { year, month, day } : null;
}

function partsOfMonth(text: string): MonthParts | null {
  const match = MONTH_FORM.exec(text);
  if (match === null) return null;
  const [year, month] = [Number(match[1]), Number(match[2])];
  return year >= YEAR_MIN && year <= YEAR_MAX && month >= 1 && month <= 12 ? { year, month } : null;
}

function requireDate(date: CivilDate): DateParts {
  const parts = partsOfDate(date);
  if (parts === null) throw new RangeError(`"${date}" is not a civil date.`);
  return parts;
}

function requireMonth(month: CivilMonth): MonthParts {
  const parts = partsOfMonth(month);
  if (parts === null) throw new RangeError(`"${month}" is not a civil month.`);
  return parts;
}

function requireYear(year: number): number {
  if (year < YEAR_MIN || year > YEAR_MAX) throw new RangeError(`The year ${year} is out of range.`);
  return year;
}

function requireWhole(count: number): number {
  if (!Number.isSafeInteger(count)) throw new RangeError(`${count} is not a whole number.`);
  return count;
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : DAYS_IN_MONTH[month - 1]!;
}

/**
 * Days since 1970-01-01. The year is taken to begin in March, so that the leap day is its last one and the day of
 * the year follows from the month alone: the months from March on are 31, 30, 31, 30, 31 days in a repeating run
 * of 153 days. A cycle of 400 years has 146097 days; 719468 is the distance from 0000-03-01 to 1970-01-01.
 */
function dayNumberOf(date: CivilDate): number {
  const { year, month, day } = requireDate(date);
  const marchYear = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}

/** The inverse of `dayNumberOf`. */
function dateOfDayNumber(dayNumber: number): CivilDate {
  const fromMarchZero = dayNumber + 719_468;
  const cycle = Math.floor(fromMarchZero / 146_097);
  const dayOfCycle = fromMarchZero - cycle * 146_097;
  // Taking out the leap days seen so far (every 4 years, not every 100, again at 400) leaves years of 365 days.
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0);
  return textOfDate(requireYear(year), month, day);
}

function zonedParts(
  instant: Date,
  timeZone: string,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute', number> {
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0 };
  for (const { type, value } of formatterFor(timeZone).formatToParts(instant)) {
    if (type in parts) parts[type as keyof typeof parts] = Number(value);
  }
  return parts;
}

/** Building a formatter costs far more than using it, so one is kept for each zone. */
function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  if (formatters.size >= FORMATTERS_MAX) {
    formatters.clear();
    lastDates.clear();
  }
  formatters.set(timeZone, formatter);
  return formatter;
}

function textOfDate(year: number, month: number, day: number): CivilDate {
  return `${textOfMonth(year, month)}-${twoDigits(day)}`;
}

function textOfMonth(year: number, month: number): CivilMonth {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
