/** Finding debts by their own text or by the name of their person, which may have changed since. */

import type { Db } from '../../core/ports.ts';
import { FOUND_MAX, hasWords, planSearch, type Search } from '../../db/search.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { DebtPlace } from './kind.ts';

/** A name that so many people have is compared debt by debt. */
const PEOPLE_MAX = 200;

export interface DebtSearch extends Search {
  /** The people with that name; null when there are too many. */
  readonly people: readonly string[] | null;
}

/** How the search is run. Fails with `invalid_argument` for too short a text. */
export async function planDebtSearch(
  db: Db,
  place: DebtPlace,
  workspaceId: string,
  query: string,
): Promise<DebtSearch> {
  const own = await planSearch(db, workspaceId, place.searchedAs, query);
  const people = await selectPeople(db, workspaceId, own.words);
  if (people.length > PEOPLE_MAX) return { words: own.words, ids: null, people: null };
  if (own.ids === null || people.length === 0) return { ...own, people };
  const theirs = await selectIdsOf(db, place, workspaceId, people);
  const ids = [...new Set([...own.ids, ...theirs])];
  return { words: own.words, ids: ids.length > FOUND_MAX ? null : ids, people };
}

/** The condition on the debt `d`. */
export function isFound(workspaceId: string, { words, ids, people }: DebtSearch): Sql {
  const text = hasWords('d.search_text', words);
  const isTheirs =
    people === null
      ? sql`d.person_id in (select id from people
                             where workspace_id = ${workspaceId} and ${hasWords('people.search_text', words)})`
      : sql`d.person_id = any(${people}::uuid[])`;
  const either = people?.length === 0 ? text : sql`((${text}) or ${isTheirs})`;
  return ids === null ? sql`(${either})` : sql`(d.id = any(${ids}::uuid[]) and ${either})`;
}

async function selectPeople(db: Db, workspaceId: string, words: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from people where workspace_id = ${workspaceId} and ${hasWords('people.search_text', words)}
     limit ${raw(String(PEOPLE_MAX + 1))}`);
  return rows.map(({ id }) => id);
}

async function selectIdsOf(
  db: Db,
  { table }: DebtPlace,
  workspaceId: string,
  people: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from ${raw(table)} where workspace_id = ${workspaceId} and person_id = any(${people}::uuid[])
     limit ${raw(String(FOUND_MAX + 1))}`);
  return rows.map(({ id }) => id);
}
