/** When each channel is open in each state, worked out once for the statement that asks of many people. */

import { addDays, type CivilDate, civilDateAt, civilTimeAt, daysBetween } from '../../core/dates.ts';
import {
  type ContactPolicy,
  DEFAULT_STATE,
  hoursOn,
  lawfulHours,
  nextContactAt,
  STATES,
  timeZoneOf,
} from '../contact-law/index.ts';

const CHANNELS = ['email', 'sms', 'whatsapp', 'phone', 'letter'] as const;
/** What stands for a person whose state is not known. */
export const NO_STATE = '';
const MINUTE_MS = 60_000;
const MINUTES_IN_DAY = 1440;
/** A policy that opens on none of them is never open; hours repeat with the week, holidays close a few days. */
const DAYS_LOOKED_AT = 15;
const KEPT_MAX = 64;

/** Columns of a small table: one row for each state and channel. */
export interface Openings {
  readonly states: readonly string[];
  readonly channels: readonly string[];
  readonly isOpen: readonly boolean[];
  /** The next opening; null when it is open, or never opens. */
  readonly nextAt: readonly (string | null)[];
  /** The first moment of contact on a later day of the organization; null when it never opens. */
  readonly nextDayAt: readonly (string | null)[];
}

/** Hours begin and end on whole minutes, so that within one the answer stays. */
const kept = new Map<string, Openings>();

/**
 * The table for an instant: open is what is open then and `minutes` later. `timeZone` is the organization's, whose days
 * the daily cap counts.
 */
export function openingsAt(policy: ContactPolicy, timeZone: string, at: Date, minutes: number): Openings {
  const key = JSON.stringify([policy, timeZone, Math.floor(at.getTime() / MINUTE_MS), minutes]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const tomorrow = startOfDay(addDays(civilDateAt(at, timeZone), 1), timeZone);
  // Most states have the clock and the hours of others.
  const found = new Map<string, Opening>();
  const openingIn = (state: string, channel: string): Opening => {
    const known = state === NO_STATE ? null : state;
    const alike = likenessOf(policy, known, channel);
    const opening = found.get(alike) ?? openingOf(policy, known, channel, { at, minutes, tomorrow });
    found.set(alike, opening);
    return opening;
  };
  const rows = [NO_STATE, ...STATES].flatMap((state) =>
    CHANNELS.map((channel) => ({ state, channel, ...openingIn(state, channel) })),
  );
  const openings = {
    states: rows.map(({ state }) => state),
    channels: rows.map(({ channel }) => channel),
    isOpen: rows.map(({ isOpen }) => isOpen),
    nextAt: rows.map(({ nextAt }) => nextAt),
    nextDayAt: rows.map(({ nextDayAt }) => nextDayAt),
  };
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, openings);
  return openings;
}

/** The instant at which a day of the zone begins. */
export function startOfDay(date: CivilDate, timeZone: string): Date {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // Twice: the first guess may lie on the other side of a change of the clock.
  const first = utc - aheadMinutes(new Date(utc), timeZone) * MINUTE_MS;
  return new Date(utc - aheadMinutes(new Date(first), timeZone) * MINUTE_MS);
}

interface Opening {
  readonly isOpen: boolean;
  readonly nextAt: string | null;
  readonly nextDayAt: string | null;
}

function openingOf(
  policy: ContactPolicy,
  state: string | null,
  channel: string,
  { at, minutes, tomorrow }: { readonly at: Date; readonly minutes: number; readonly tomorrow: Date },
): Opening {
  if (!opensAtAll(policy, state, channel, at)) return { isOpen: false, nextAt: null, nextDayAt: null };
  const next = lastingContactAt(policy, state, channel, at, minutes);
  const isOpen = next.getTime() === at.getTime();
  return {
    isOpen,
    nextAt: isOpen ? null : next.toISOString(),
    nextDayAt: nextContactAt(policy, state, channel, tomorrow).toISOString(),
  };
}

/** Equal where the answer is: the clock, the law, what the organization made of it, and the channel. */
function likenessOf(policy: ContactPolicy, state: string | null, channel: string): string {
  const own = policy.windows[state ?? DEFAULT_STATE];
  return JSON.stringify([timeZoneOf(state), lawfulHours(state), own, channel]);
}

/** The instant itself when it is open and stays so for the minutes, else the next opening. */
function lastingContactAt(
  policy: ContactPolicy,
  state: string | null,
  channel: string,
  at: Date,
  minutes: number,
): Date {
  const next = nextContactAt(policy, state, channel, at);
  if (minutes === 0 || next.getTime() !== at.getTime()) return next;
  const end = new Date(at.getTime() + minutes * MINUTE_MS);
  const after = nextContactAt(policy, state, channel, end);
  return after.getTime() === end.getTime() ? at : after;
}

function opensAtAll(policy: ContactPolicy, state: string | null, channel: string, at: Date): boolean {
  const today = civilDateAt(at, timeZoneOf(state));
  return Array.from({ length: DAYS_LOOKED_AT }, (_, ahead) => addDays(today, ahead + 1)).some(
    (date) => hoursOn(policy, state, channel, date) !== null,
  );
}

/** How far clocks of the zone are ahead of UTC. */
function aheadMinutes(instant: Date, timeZone: string): number {
  const date = civilDateAt(instant, timeZone);
  const [hours, minutes] = civilTimeAt(instant, timeZone).split(':').map(Number);
  const shown = daysBetween('1970-01-01', date) * MINUTES_IN_DAY + hours! * 60 + minutes!;
  return shown - Math.floor(instant.getTime() / MINUTE_MS);
}
