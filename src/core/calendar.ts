/**
 * Business days of Brazilian banks: neither Saturday, Sunday nor a national bank holiday (CMN resolution 4.880
 * of 2020). Carnival Monday and Tuesday and Corpus Christi are no public holidays, but banks are closed. Ash
 * Wednesday (late opening) and 31 December count as business days. State and city holidays are not known here.
 */

import type { CivilDate } from './dates.ts';
import { addDays, daysBetween, weekdayOf, YEAR_MAX, YEAR_MIN } from './dates.ts';

/** The first year in which 20 November is a national holiday (Lei 14.759/2023). */
const BLACK_AWARENESS_DAY_FROM = 2024;

/** Month and day of the holidays that keep their date. */
const FIXED_HOLIDAYS: readonly (readonly [monthAndDay: string, name: string])[] = [
  ['01-01', "New Year's Day"],
  ['04-21', 'Tiradentes Day'],
  ['05-01', 'Labour Day'],
  ['09-07', 'Independence Day'],
  ['10-12', 'Our Lady of Aparecida'],
  ['11-02', "All Souls' Day"],
  ['11-15', 'Republic Day'],
  ['12-25', 'Christmas Day'],
];

/** Days from Easter Sunday of the holidays that move with it. */
const MOVABLE_HOLIDAYS: readonly (readonly [daysFromEaster: number, name: string])[] = [
  [-48, 'Carnival Monday'],
  [-47, 'Carnival Tuesday'],
  [-2, 'Good Friday'],
  [60, 'Corpus Christi'],
];

/** Holds at most one entry for each year a civil date can have. */
const holidaysByYear = new Map<number, ReadonlyMap<CivilDate, string>>();

/** Easter Sunday of a year 1900 to 2199 (Gregorian computus of Meeus, Jones and Butcher). Throws `RangeError`. */
export function easterOf(year: number): CivilDate {
  requireYear(year);
  const placeInMoonCycle = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * placeInMoonCycle + century - Math.floor(century / 4) - moonCorrection + 15) % 30;
  const daysToSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const lateCorrection = Math.floor((placeInMoonCycle + 11 * epact + 22 * daysToSunday) / 451);
  const marchDay = epact + daysToSunday - 7 * lateCorrection + 22;
  return addDays(`${year}-03-01`, marchDay - 1);
}

/** The bank holidays of a year by date, weekends included, each with its name. Throws outside 1900 to 2199. */
export function bankHolidaysOf(year: number): ReadonlyMap<CivilDate, string> {
  const known = holidaysByYear.get(year);
  if (known !== undefined) return known;
  const easter = easterOf(year);
  const named: [CivilDate, string][] = [
    ...MOVABLE_HOLIDAYS.map(([days, name]): [CivilDate, string] => [addDays(easter, days), name]),
    ...FIXED_HOLIDAYS.map(([monthAndDay, name]): [CivilDate, string] => [`${year}-${monthAndDay}`, name]),
  ];
  if (year >= BLACK_AWARENESS_DAY_FROM) named.push([`${year}-11-20`, 'Black Awareness Day']);
  const holidays = new Map(named.sort(([left], [right]) => (left < right ? -1 : 1)));
  holidaysByYear.set(year, holidays);
  return holidays;
}

/** True when banks work on the date. */
export function isBusinessDay(date: CivilDate): boolean {
  return !isWeekend(date) && !bankHolidaysOf(yearOf(date)).has(date);
}

/** The date itself if it is a business day, else the first one after it. */
export function nextBusinessDay(date: CivilDate): CivilDate {
  return nearestBusinessDay(date, 1);
}

/** The date itself if it is a business day, else the last one before it. */
export function previousBusinessDay(date: CivilDate): CivilDate {
  return nearestBusinessDay(date, -1);
}

/** The `count`-th business day after the date (before it when negative); the date itself, as it is, for 0. */
export function addBusinessDays(date: CivilDate, count: number): CivilDate {
  if (!Number.isSafeInteger(count)) throw new RangeError(`${count} is not a whole number.`);
  const step = count < 0 ? -1 : 1;
  let reached = date;
  for (let left = Math.abs(count); left > 0; left -= 1)
    reached = nearestBusinessDay(addDays(reached, step), step);
  return reached;
}

/** Business days after `from` up to and including `to`; the negative count of (to, from] when `to` is earlier. */
export function businessDaysBetween(from: CivilDate, to: CivilDate): number {
  const days = daysBetween(from, to);
  // Subtracted rather than negated, which would make a minus zero of no days.
  if (days < 0) return 0 - businessDaysBetween(to, from);
  // Every full week has five weekdays; only the rest is walked, and holidays are taken out year by year.
  let count = Math.floor(days / 7) * 5;
  for (let rest = days % 7; rest > 0; rest -= 1) if (!isWeekend(addDays(to, 1 - rest))) count += 1;
  for (let year = yearOf(from); year <= yearOf(to); year += 1) {
    for (const holiday of bankHolidaysOf(year).keys()) {
      if (holiday > from && holiday <= to && !isWeekend(holiday)) count -= 1;
    }
  }
  return count;
}

function nearestBusinessDay(date: CivilDate, step: 1 | -1): CivilDate {
  let reached = date;
  while (!isBusinessDay(reached)) reached = addDays(reached, step);
  return reached;
}

function isWeekend(date: CivilDate): boolean {
  const weekday = weekdayOf(date);
  return weekday === 0 || weekday === 6;
}

function yearOf(date: CivilDate): number {
  return Number(date.slice(0, 4));
}

function requireYear(year: number): void {
  if (!Number.isInteger(year) || year < YEAR_MIN || year > YEAR_MAX) {
    throw new RangeError(`The year ${year} is out of range.`);
  }
}
