/** When a debtor may be contacted: the law of the debtor's state, narrowed by the organization's own policy. */

import { bankHolidaysOf } from '../../core/calendar.ts';
import type { CivilDate } from '../../core/dates.ts';
import { addDays, civilDateAt, civilTimeAt, daysBetween, weekdayOf } from '../../core/dates.ts';
import { DEFAULT_STATE, type Hours, law, type StateLaw, type Weekday, type WeekHours } from './law.ts';

/** Ways to reach a debtor. */
export const channels = ['email', 'sms', 'whatsapp', 'phone', 'letter'] as const;

export type Channel = (typeof channels)[number];

const MINUTE_MS = 60_000;
const MINUTES_IN_DAY = 1440;
/** Longer than any run of closed days: a policy that opens once a week opens within it. */
const DAYS_LOOKED_AHEAD = 31;

const allDay: Hours = { from: '00:00', to: '24:00' };

/** What an organization decides about contacts; its settings are the one source. */
export interface ContactPolicy {
  /** Of the law and of the settings: recorded with every contact it allowed. */
  readonly version: string;
  /** By state; weekdays left out have the hours of the law. */
  readonly windows: Readonly<Record<string, Partial<WeekHours>>>;
  /** E-mail keeps to the hours as well. */
  readonly isEmailInWindows: boolean;
  /** From the evening to the morning; also for e-mail that keeps to no other hours. */
  readonly quietHours: Hours | null;
  readonly dailyCapPerPerson: number;
  readonly dailyCaps: Readonly<Record<string, number>>;
  /** The channels in use. */
  readonly channels: readonly string[];
}

/** The zone of the zone database in which a debtor of this state lives; of São Paulo where the state is not known. */
export function timeZoneOf(state: string | null): string {
  return lawOf(state).timeZone;
}

/** When the law of the state allows contact, bank holidays apart: on those it allows none. */
export function lawfulHours(state: string | null): WeekHours {
  return lawOf(state).hours;
}

/** The hours on a date in which the channel may be used, in the clock of the state; null when it is closed all day. */
export function hoursOn(
  policy: ContactPolicy,
  state: string | null,
  channel: string,
  date: CivilDate,
): Hours | null {
  if (channel === 'letter') return allDay;
  const isBound = channel !== 'email' || policy.isEmailInWindows;
  const hours = isBound ? boundHours(policy, state, date) : allDay;
  if (policy.quietHours === null || hours === null) return hours;
  return overlap(hours, { from: policy.quietHours.to, to: policy.quietHours.from });
}

/** The instant itself when the channel is open then, else the next opening. Ends of hours are not part of them. */
export function nextContactAt(policy: ContactPolicy, state: string | null, channel: string, at: Date): Date {
  const today = civilDateAt(at, timeZoneOf(state));
  for (let ahead = 0; ahead <= DAYS_LOOKED_AHEAD; ahead += 1) {
    const date = addDays(today, ahead);
    const hours = hoursOn(policy, state, channel, date);
    if (hours === null) continue;
    const opening = instantAt(date, hours.from, state);
    if (at < opening) return opening;
    if (at < instantAt(date, hours.to, state)) return at;
  }
  throw new RangeError('The contact policy opens on no day.');
}

/**
 * The instant at which clocks of the state show the time (`24:00` is the next midnight). A time that daylight saving
 * skipped is moved forward by what was skipped; of a time that came twice, the first.
 */
export function instantAt(date: CivilDate, time: string, state: string | null): Date {
  const timeZone = timeZoneOf(state);
  const shown = daysBetween('1970-01-01', date) * MINUTES_IN_DAY + minutesOf(time);
  const before = shown - offsetAt(shown - MINUTES_IN_DAY, timeZone);
  const after = shown - offsetAt(shown + MINUTES_IN_DAY, timeZone);
  const [first, second] = before <= after ? [before, after] : [after, before];
  if (first + offsetAt(first, timeZone) === shown) return new Date(first * MINUTE_MS);
  if (second + offsetAt(second, timeZone) === shown) return new Date(second * MINUTE_MS);
  return new Date(before * MINUTE_MS);
}

/** The part of hours that lies in both; null when there is none. */
export function overlap(left: Hours, right: Hours): Hours | null {
  const [, from] = [left.from, right.from].toSorted();
  const [to] = [left.to, right.to].toSorted();
  return from! < to! ? { from: from!, to: to! } : null;
}

/** Also serves a state that nobody knows: two letters on a record are only checked to be letters. */
export function lawOf(state: string | null): StateLaw {
  return law[state ?? DEFAULT_STATE] ?? law[DEFAULT_STATE]!;
}

function boundHours(policy: ContactPolicy, state: string | null, date: CivilDate): Hours | null {
  if (bankHolidaysOf(Number(date.slice(0, 4))).has(date)) return null;
  const weekday = weekdayOf(date) as Weekday;
  const lawful = lawfulHours(state)[weekday];
  const own = policy.windows[state ?? DEFAULT_STATE]?.[weekday];
  if (lawful === null || own === null) return null;
  return own === undefined ? lawful : overlap(lawful, own);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** How many minutes clocks of the zone were ahead of UTC at a minute since 1970. */
function offsetAt(minute: number, timeZone: string): number {
  const instant = new Date(minute * MINUTE_MS);
  const days = daysBetween('1970-01-01', civilDateAt(instant, timeZone));
  return days * MINUTES_IN_DAY + minutesOf(civilTimeAt(instant, timeZone)) - minute;
}
