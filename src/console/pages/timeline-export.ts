/** The timeline as a file: fetched page by page while it is sent, so that no more than a page is held. */

import type { Locale } from '../../core/caller.ts';
import { clientText } from '../clients.ts';
import { sentenceOf } from './timeline-operations.ts';
import { type EventList, type TimelineEvent, timelineWords } from './timeline-words.ts';

export const EXPORT_MAX = 10_000;

/** Gives one page of events after a cursor; null: the first. */
export type EventPages = (cursor: string | null) => Promise<EventList>;

/** One line for each field that changed, and one for an event that changed none; with a byte order mark, which Excel needs. */
export async function* csvOf(locale: Locale, pages: EventPages): AsyncGenerator<string> {
  const own = timelineWords[locale];
  yield `\uFEFF${lineOf(own.columns)}`;
  const ending = yield* eachPage(pages, (events) =>
    events.flatMap((event) => rowsOf(locale, event).map(lineOf)).join(''),
  );
  if (ending === 'cut') yield lineOf([own.exportCut]);
}

/** `{ "events": […], "is_complete": … }`, with the events as REST gives them. */
export async function* jsonOf(pages: EventPages): AsyncGenerator<string> {
  let separator = '\n';
  yield '{"events":[';
  const ending = yield* eachPage(pages, (events) => {
    const text = events.map((event) => JSON.stringify(event)).join(',\n');
    const part = `${separator}${text}`;
    separator = ',\n';
    return events.length === 0 ? '' : part;
  });
  yield `\n],"is_complete":${ending === 'complete'}}\n`;
}

async function* eachPage(
  pages: EventPages,
  textOf: (events: readonly TimelineEvent[]) => string,
): AsyncGenerator<string, 'complete' | 'cut'> {
  let left = EXPORT_MAX;
  let cursor: string | null = null;
  do {
    const page: EventList = await pages(cursor);
    yield textOf(page.items.slice(0, left));
    left -= page.items.length;
    cursor = page.next_cursor;
  } while (cursor !== null && left > 0);
  return cursor === null && left >= 0 ? 'complete' : 'cut';
}

type Cell = string | number | boolean | null;

function rowsOf(locale: Locale, event: TimelineEvent): Cell[][] {
  const { actor, confirmation } = event;
  const head: Cell[] = [
    event.at,
    event.position,
    actor.name ?? timelineWords[locale].system,
    clientText(locale, actor),
    actor.client_id,
    actor.surface,
    event.operation,
    sentenceOf(event.operation, locale),
    event.outcome,
    event.error_code,
    event.is_confirmed,
    confirmation?.approved_by?.name ?? null,
    confirmation?.approved_by?.verified_with ?? null,
  ];
  if (event.changes.length === 0) return [head];
  return event.changes.flatMap(({ kind, id, what, fields }) =>
    fields.length === 0
      ? [[...head, kind, id, what]]
      : fields.map(({ name, before, after }) => [...head, kind, id, what, name, before, after]),
  );
}

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A cell in quotes. What a spreadsheet would run as a formula begins with an apostrophe instead, plain numbers aside
 * (OWASP, CSV injection). Spreadsheets in Portuguese part cells at semicolons, past our quotes, so that a formula may
 * begin behind one, a tab or a line break too.
 */
export function csvCell(value: Cell): string {
  const text = value === null ? '' : String(value);
  const isFormula = /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
  const inner = text.replace(/([;\t\r\n][ "]*)(?=[=+\-@])/g, "$1'").replaceAll('"', '""');
  return `"${isFormula ? "'" : ''}${inner}"`;
}
