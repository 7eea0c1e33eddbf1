/**
 * Finding records by the words of their search text, fast at any number of records. Every word of the query has to
 * begin a word of the record; `searchTextOf` has made both lower-case and without accents.
 */

import { failArgument } from '../core/errors.ts';
import type { Db } from '../core/ports.ts';
import { searchTextOf, tenantColumnOf } from './listing.ts';
import { empty, raw, type Sql, sql } from './sql.ts';

/**
 * Records found by words: payables, receivables, transactions, people by their names (migration 0004); debtors and
 * charges of an organization (migration 0005).
 */
export type SearchedKind = 'p' | 'r' | 't' | 'n' | 'd' | 'c';

/**
 * Up to this many records are found by their words and then put in order; beyond, a word is so common that walking in
 * order and looking at each record finds a page sooner.
 */
export const FOUND_MAX = 20_000;
/** Few enough to look no further for a rarer word. */
const FEW = 1_000;
const LETTERS_MIN = 2;
const WORD_MAX = 40;
const WORDS_MAX = 8;

/** How a search is run. */
export interface Search {
  readonly kind: SearchedKind;
  readonly words: readonly string[];
  /** The word by which records are found; null when every one is too common. */
  readonly rarest: string | null;
}

/** The words of a query. Fails with `invalid_argument` for less than two letters or digits. */
export function searchedWords(query: string): string[] {
  const words = [...new Set(searchTextOf(query).split(/[^a-z0-9]+/))].filter((word) => word !== '');
  if (words.join('').length < LETTERS_MIN) failArgument('search', 'text of at least 2 letters or digits');
  return words.slice(0, WORDS_MAX).map((word) => word.slice(0, WORD_MAX));
}

/** The plan of a search. Numbers and long words tend to be rare, so they are counted first. */
export async function planSearch(
  db: Db,
  tenantId: string,
  kind: SearchedKind,
  query: string,
): Promise<Search> {
  const words = searchedWords(query);
  let rarest: string | null = null;
  let fewest = FOUND_MAX;
  for (const word of byRarity(words)) {
    const count = await countWithWord(db, tenantId, kind, word);
    if (count <= fewest) [rarest, fewest] = [word, count];
    if (count <= FEW) break;
  }
  return { kind, words, rarest };
}

/** The ids of the records that the rarest word finds, as a subquery; only where there is one. */
export function foundIds(tenantId: string, { kind, rarest }: Search & { readonly rarest: string }): Sql {
  return sql`select record_id from ${beginningWith(tenantId, kind, rarest)}`;
}

/** The condition that the search finds the record. */
export function isFound(tenantId: string, search: Search, id: string, text: string): Sql {
  const { rarest, words } = search;
  if (rarest === null) return hasWords(text, words);
  return sql`${raw(id)} = any(array(${foundIds(tenantId, { ...search, rarest })})) and ${hasWords(text, words)}`;
}

/** Words as they are likely to be rare: those with digits first, then the longest. */
export function byRarity(words: readonly string[]): string[] {
  const rank = (word: string) => (/\d/.test(word) ? WORD_MAX : 0) + word.length;
  return words.toSorted((left, right) => rank(right) - rank(left));
}

async function countWithWord(db: Db, tenantId: string, kind: SearchedKind, word: string): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from ${beginningWith(tenantId, kind, word)}
       limit ${raw(String(FOUND_MAX + 1))}) found`);
  return row!.count;
}

/** The words, of the records of this kind, that begin with the one given. */
function beginningWith(tenantId: string, kind: SearchedKind, word: string): Sql {
  const table = kind === 'd' || kind === 'c' ? 'dunning_search_words' : 'search_words';
  return sql`${raw(table)} where ${raw(tenantColumnOf(table))} = ${tenantId} and kind = ${kind}::"char"
         and word >= ${word} and word < ${afterPrefix(word)}`;
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
