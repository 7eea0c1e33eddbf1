/** Opaque cursors: the sort key and id of the last row shown, so pages stay stable under inserts. */

import { isCivilDate } from './dates.ts';
import { failArgument } from './errors.ts';
import { parseId } from './ids.ts';

export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 100;

/** A sort order: its public name and what its column holds, so that a forged cursor never reaches SQL. */
export interface Sort {
  readonly name: string;
  readonly keyForm: 'date' | 'instant' | 'integer' | 'text';
}

export interface Position {
  /** The value of the sort column of the last row, as text; null where the column was null. */
  readonly key: string | null;
  readonly id: string;
}

/** The cursor for the rows after this position under this sort. */
export function encodeCursor(sort: Sort, position: Position): string {
  return Buffer.from(JSON.stringify([sort.name, position.key, position.id])).toString('base64url');
}

/**
 * The position a cursor stands for, or null without cursor. Fails with `invalid_argument` when it is not one
 * of ours or belongs to another sort.
 */
export function decodeCursor(sort: Sort, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const position = readCursor(cursor);
  if (position === null || position.sort !== sort.name || !isKeyOf(sort, position.key)) {
    failArgument('cursor', 'the `next_cursor` of the page before, with the same filter and sort');
  }
  return { key: position.key, id: position.id };
}

/** Cuts the row fetched beyond the page and gives the cursor that continues. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  sort: Sort,
  positionOf: (row: Row) => Position,
): { rows: Row[]; next_cursor: string | null } {
  if (rows.length <= limit) return { rows, next_cursor: null };
  const shown = rows.slice(0, limit);
  return { rows: shown, next_cursor: encodeCursor(sort, positionOf(shown[limit - 1]!)) };
}

function readCursor(cursor: string): { sort: string; key: string | null; id: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [sort, key, id] = value as unknown[];
  if (typeof sort !== 'string' || (key !== null && typeof key !== 'string') || typeof id !== 'string')
    return null;
  return parseId(id) === null ? null : { sort, key, id };
}

function isKeyOf(sort: Sort, key: string | null): boolean {
  if (key === null) return true;
  switch (sort.keyForm) {
    case 'date':
      return isCivilDate(key);
    case 'instant':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(key);
    case 'integer':
      return /^-?\d{1,15}$/.test(key);
    case 'text':
      return key.length <= 300;
  }
}
