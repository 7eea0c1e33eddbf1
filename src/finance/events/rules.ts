/** What of an event is shown: the fields that differ, within limits. */

import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../core/ports.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { Event } from './schema.ts';

const CHANGES_MAX = 20;
const FIELDS_MAX = 40;
const TEXT_MAX = 200;
const QUESTION_MAX = 2_000;
/** Characters of all values of one event: a page of a hundred stays below half a megabyte. */
const EVENT_TEXT_MAX = 4_000;

/** They differ in every change and say nothing that the event does not. */
const silentFields = new Set(['id', 'version', 'updated_at']);

type ShownChange = Event['changes'][number];
type ShownField = ShownChange['fields'][number];

/** The changes of an event, those of the record that was asked for first. */
export function shownChanges(
  changes: readonly Change[],
  askedFor: string | undefined,
): Pick<Event, 'changes' | 'changes_count' | 'is_cut'> {
  const sorted = changes.toSorted(
    (left, right) => Number(right.id === askedFor) - Number(left.id === askedFor),
  );
  const budget = { left: EVENT_TEXT_MAX, isCut: changes.length > CHANGES_MAX };
  const shown = sorted.slice(0, CHANGES_MAX).map((change) => shownChange(change, budget));
  return { changes: shown, changes_count: changes.length, is_cut: budget.isCut };
}

/** A question as it was shown, cut where it is very long: one of a bulk action lists every record. */
export function shownQuestion(question: string): string {
  const characters = Array.from(question);
  return characters.length <= QUESTION_MAX ? question : `${characters.slice(0, QUESTION_MAX - 1).join('')}…`;
}

interface Budget {
  left: number;
  isCut: boolean;
}

function shownChange({ kind, id, before, after }: Change, budget: Budget): ShownChange {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (name) => !silentFields.has(name) && !isDeepStrictEqual(old[name] ?? null, fresh[name] ?? null),
  );
  const fields: ShownField[] = [];
  for (const name of names) {
    if (fields.length === FIELDS_MAX || budget.left <= 0) {
      budget.isCut = true;
      break;
    }
    const [shownBefore, shownAfter] = [textOf(old[name], budget), textOf(fresh[name], budget)];
    fields.push({ name, before: shownBefore, after: shownAfter });
    budget.left -= name.length + (shownBefore?.length ?? 0) + (shownAfter?.length ?? 0);
  }
  return { kind, id, what: whatHappened(before, after), fields };
}

function whatHappened(before: unknown, after: unknown): ShownChange['what'] {
  if (isNothing(before)) return 'created';
  return isNothing(after) ? 'deleted' : 'changed';
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function fieldsOf(record: unknown): Readonly<Record<string, unknown>> {
  return typeof record === 'object' && record !== null ? { ...record } : {};
}

function textOf(value: unknown, budget: Budget): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = cleanOutsideText(text, TEXT_MAX);
  if (Array.from(text).length > TEXT_MAX) budget.isCut = true;
  return shown;
}
