/** Contact hours and days of notice by state: how an organization narrows the law, and what is in force then. */

import { failArgument } from '../../core/errors.ts';
import { type Hours, lawfulHours, overlap, priorNoticeDays, STATES } from '../contact-law/index.ts';
import type { SettingsInput } from './schema.ts';

/** Own hours of a state: both or one of the two kinds of day, null where closed. */
export interface Window {
  readonly weekdays?: Hours | null;
  readonly saturday?: Hours | null;
}

export type Windows = Readonly<Record<string, Window>>;

type NoticeDays = NonNullable<NonNullable<SettingsInput['legal']>['prior_notice_days']>;

/** Days that are longer than the law's; the same ones need no keeping. */
export function noticeDaysOf(given: NoticeDays): Record<string, number> {
  const own: Record<string, number> = {};
  const seen = new Set<string>();
  for (const [index, { states, days }] of given.entries()) {
    for (const state of states) {
      const path = `legal.prior_notice_days.${index}`;
      requireOnce(seen, state, `${path}.states`);
      const least = priorNoticeDays(state);
      if (days < least) failArgument(`${path}.days`, `at least ${least} in ${state}, as the law says`);
      if (days > least) own[state] = days;
    }
  }
  return own;
}

/** Windows as they narrow the law; what is the same as the law needs no keeping and follows it when it changes. */
export function windowsOf(given: NonNullable<SettingsInput['contact_windows']>): Windows {
  const own: Record<string, Window> = {};
  const seen = new Set<string>();
  for (const [index, { states, weekdays, saturday }] of given.entries()) {
    for (const state of states) {
      const path = `contact_windows.${index}`;
      requireOnce(seen, state, `${path}.states`);
      const lawful = lawfulHours(state);
      const window: Window = {
        ...narrowed('weekdays', weekdays, lawful[1], `${path}.weekdays`),
        ...narrowed('saturday', saturday, lawful[6], `${path}.saturday`),
      };
      if (Object.keys(window).length > 0) own[state] = window;
    }
  }
  return own;
}

function narrowed(
  day: 'weekdays' | 'saturday',
  given: Hours | null | undefined,
  lawful: Hours | null,
  path: string,
): Window {
  if (given === undefined) return {};
  if (given === null) return lawful === null ? {} : { [day]: null };
  if (given.from >= given.to) failArgument(path, '`from` before `to`');
  if (lawful === null) failArgument(path, 'null: the law of a state named allows no contact then');
  if (given.from < lawful.from || given.to > lawful.to) {
    failArgument(path, `hours from ${lawful.from} to ${lawful.to} at most, as the law of a state named says`);
  }
  return given.from === lawful.from && given.to === lawful.to ? {} : { [day]: given };
}

function requireOnce(seen: Set<string>, state: string, path: string): void {
  if (seen.has(state)) failArgument(path, `each state once; ${state} is there twice`);
  seen.add(state);
}

/** A message that waits for hours that never come would wait for ever. */
export function requireOpenSomeDay(
  { windows, quietHours }: { readonly windows: Windows; readonly quietHours: Hours | null },
  path: string,
): void {
  for (const state of STATES) {
    const { weekdays, saturday } = hoursInForce(windows, state);
    const isOpen = [weekdays, saturday].some((day) => day !== null && withoutQuiet(day, quietHours));
    if (!isOpen) failArgument(path, `hours that leave some time in a week; ${state} has none`);
  }
}

function withoutQuiet(day: Hours, quiet: Hours | null): Hours | null {
  return quiet === null ? day : overlap(day, { from: quiet.to, to: quiet.from });
}

export function hoursInForce(
  windows: Windows,
  state: string,
): { weekdays: Hours | null; saturday: Hours | null } {
  const lawful = lawfulHours(state);
  const own = windows[state] ?? {};
  const within = (law: Hours | null, hours: Hours | null | undefined) =>
    hours === undefined ? law : law && hours && overlap(law, hours);
  return { weekdays: within(lawful[1], own.weekdays), saturday: within(lawful[6], own.saturday) };
}

/** The states by what they have in common. */
export function groupStates<Value extends object>(
  common: (state: string) => Value,
): (Value & { states: string[] })[] {
  const groups = new Map<string, Value & { states: string[] }>();
  for (const state of STATES) {
    const value = common(state);
    const key = JSON.stringify(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { states: [state], ...value });
    else group.states.push(state);
  }
  return [...groups.values()];
}
