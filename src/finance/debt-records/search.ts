/** Finding debts by their own text or by the name of their person, which may have changed since. */

import type { Db } from '../../core/ports.ts';
import {
  byRarity,
  FOUND_MAX,
  foundIds,
  hasWords,
  isFound as isFoundBy,
  planSearch,
  type Search,
} from '../../db/search.ts';
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
  if (people.length > PEOPLE_MAX) return { ...own, rarest: null, people: null };
  const isMany = people.length > 0 && (await countDebtsOf(db, place, workspaceId, people)) > FOUND_MAX;
  return { ...own, rarest: isMany ? null : own.rarest, people };
}

/** The condition on the debt `d`. */
export function isFound({ table }: DebtPlace, workspaceId: string, search: DebtSearch): Sql {
  const { words, rarest, people } = search;
  const text = hasWords('d.search_text', words);
  const isTheirs =
    people === null
      ? sql`d.person_id in (select id from people
                             where workspace_id = ${workspaceId} and ${isNamed(workspaceId, words)})`
      : sql`d.person_id = any(${people}::uuid[])`;
  const either = people?.length === 0 ? text : sql`((${text}) or ${isTheirs})`;
  if (rarest === null) return sql`(${either})`;
  const own = foundIds(workspaceId, { ...search, rarest });
  const all = people?.length === 0 ? own : sql`${own} union ${idsOf(table, workspaceId, people!)}`;
  return sql`(d.id = any(array(${all})) and ${either})`;
}

function isNamed(workspaceId: string, words: readonly string[]): Sql {
  const rarest = byRarity(words)[0]!;
  return isFoundBy(workspaceId, { kind: 'n', words, rarest }, 'people.id', 'people.search_text');
}

async function selectPeople(db: Db, workspaceId: string, words: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from people where workspace_id = ${workspaceId} and ${isNamed(workspaceId, words)}
     limit ${raw(String(PEOPLE_MAX + 1))}`);
  return rows.map(({ id }) => id);
}

async function countDebtsOf(
  db: Db,
  { table }: DebtPlace,
  workspaceId: string,
  people: readonly string[],
): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from (
      ${idsOf(table, workspaceId, people)} limit ${raw(String(FOUND_MAX + 1))}) theirs`);
  return row!.count;
}

function idsOf(table: string, workspaceId: string, people: readonly string[]): Sql {
  return sql`select id from ${raw(table)} where workspace_id = ${workspaceId} and person_id = any(${people}::uuid[])`;
}
