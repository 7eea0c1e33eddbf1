/** Clocks of the states, whose distance to UTC has been the same since 2019: asking the zone database each time is slow. */

import { addDays, type CivilDate } from '../../../core/dates.ts';
import { type ContactPolicy, hoursOn, instantAt } from '../../../dunning/contact-law/index.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const REFERENCE = '2026-01-01';
const DAYS_AHEAD_MAX = 31;

const offsets = new Map<string | null, number>();

function offsetOf(state: string | null): number {
  const known = offsets.get(state);
  if (known !== undefined) return known;
  const offset = instantAt(REFERENCE, '00:00', state).getTime() - Date.parse(`${REFERENCE}T00:00:00Z`);
  offsets.set(state, offset);
  return offset;
}

/** The instant at which clocks of the state show that. */
export function instantIn(state: string | null, date: CivilDate, time: string): number {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  return Date.parse(date) + minutes * MINUTE_MS + offsetOf(state);
}

/** The instant itself when the channel is open then, else the next opening: as the law of contacts has it. */
export function openFrom(policy: ContactPolicy, state: string | null, channel: string, at: number): number {
  const today = new Date(at - offsetOf(state)).toISOString().slice(0, 10);
  for (let ahead = 0; ahead <= DAYS_AHEAD_MAX; ahead += 1) {
    const date = addDays(today, ahead);
    const hours = hoursOn(policy, state, channel, date);
    if (hours === null) continue;
    const opening = instantIn(state, date, hours.from);
    if (at < opening) return opening;
    if (at < instantIn(state, date, hours.to)) return at;
  }
  throw new RangeError('The contact policy opens on no day.');
}

export { DAY_MS };
