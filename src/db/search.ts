/**
 * Finding records by the words of their search text, fast at any number of records. Every word of the query has to
 * begin a word of the record; `searchTextOf` has made both lower-case and without accents.
 */

import { failArgument } from '../core/errors.ts';
import type { Db } from '../core/ports.ts';
import { searchTextOf } from './listing.ts';
import { empty, raw, type Sql, sql } from './sql.ts';

/** Records found by words: `p` payables, `r` receivables, `t` financial transactions (migration 0004). */
export type SearchedKind = 'p' | 'r' | 't';

/**
 * Up to this many records are found by their words and then put in order; beyond, a word is so common that walking
 * in order and looking at each record finds a page sooner. Both take about the same time here, with a million records.
 */
export const FOUND_MAX = 3_000;
const LETTERS_MIN = 2;
const WORD_MAX = 40;
const WORDS_MAX = 8;

/** How a search is run: what it looks for, and the records it found when they are few. */
export interface Search {
  readonly words: readonly string[];
  /** Null when there are too many to name. */
  readonly ids: readonly string[] | null;
}

/** The words of a query. Fails with `invalid_argument` for less than two letters or digits. */
export function searchedWords(query: string): string[] {
  const words = [...new Set(searchTextOf(query).split(/[^a-z0-9]+/))].filter((word) => word !== '');
  if (words.join('').length < LETTERS_MIN) failArgument('search', 'text of at least 2 letters or digits');
  return words.slice(0, WORDS_MAX).map((word) => word.slice(0, WORD_MAX));
}

/** The plan of a search: the rarest word decides, and the longest one is the best guess which that is. */
export async function planSearch(
  db: Db,
  workspaceId: string,
  kind: SearchedKind,
  query: string,
): Promise<Search> {
  const words = searchedWords(query);
  for (const word of [...words].sort((left, right) => right.length - left.length).slice(0, 2)) {
    const rows = await db.rows<{ record_id: string }>(sql`
      select distinct record_id from (
        select record_id from search_words
         where workspace_id = ${workspaceId} and kind = ${kind}::"char"
           and word >= ${word} and word < ${afterPrefix(word)}
         limit ${raw(String(FOUND_MAX + 1))}) found`);
    if (rows.length <= FOUND_MAX) return { words, ids: rows.map(({ record_id }) => record_id) };
  }
  return { words, ids: null };
}

/** The condition that the search finds the record: among those named, where they are few, and with all the words. */
export function isFound({ words, ids }: Search, id: string, text: string): Sql {
  if (ids === null) return hasWords(text, words);
  return sql`${raw(id)} = any(${ids}::uuid[]) and ${hasWords(text, words)}`;
}

/** The condition that the record's text has all the words. `text` is the column of the search text. */
export function hasWords(text: string, words: readonly string[]): Sql {
  return words.reduce<Sql>(
    (sum, word, index) => sql`${sum} ${index === 0 ? empty : raw('and')} ${raw(text)} ~ ${`\\m${word}`}`,
    empty,
  );
}

/** The least text greater than all that begin with the word; words hold letters and digits of ASCII only. */
function afterPrefix(word: string): string {
  return word.slice(0, -1) + String.fromCharCode(word.charCodeAt(word.length - 1) + 1);
}
