/** Finding charges by their own text or by the name of their debtor, which may have changed since. */

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

/** A name that so many debtors have is compared charge by charge. */
const PEOPLE_MAX = 200;

export interface ChargeSearch extends Search {
  /** The debtors with that name; null when there are too many. */
  readonly people: readonly string[] | null;
}

/** How the search is run. Fails with `invalid_argument` for too short a text. */
export async function planChargeSearch(db: Db, organizationId: string, query: string): Promise<ChargeSearch> {
  const own = await planSearch(db, organizationId, 'c', query);
  const named = isNamed(organizationId, own.words);
  const people = await selectNamedPeople(db, organizationId, named, PEOPLE_MAX);
  if (people.length > PEOPLE_MAX) return { ...own, rarest: null, people: null };
  const isMany =
    people.length > 0 && (await countChargesOf(db, organizationId, people, FOUND_MAX)) > FOUND_MAX;
  return { ...own, rarest: isMany ? null : own.rarest, people };
}

/** The condition on the charge `c`. */
export function isFound(organizationId: string, search: ChargeSearch): Sql {
  const { words, rarest, people } = search;
  const text = hasWords('c.search_text', words);
  const isTheirs =
    people === null
      ? sql`c.person_id in (select id from dunning_people
                             where organization_id = ${organizationId} and ${isNamed(organizationId, words)})`
      : sql`c.person_id = any(${people}::uuid[])`;
  const either = people?.length === 0 ? text : sql`((${text}) or ${isTheirs})`;
  if (rarest === null) return sql`(${either})`;
  const own = foundIds(organizationId, { ...search, rarest });
  const all =
    people?.length === 0
      ? own
      : sql`${own} union select id from dunning_charges
                          where organization_id = ${organizationId} and person_id = any(${people}::uuid[])`;
  return sql`(c.id = any(array(${all})) and ${either})`;
}

function isNamed(organizationId: string, words: readonly string[]): Sql {
  const rarest = byRarity(words)[0]!;
  return isFoundBy(
    organizationId,
    { kind: 'd', words, rarest },
    'dunning_people.id',
    'dunning_people.search_text',
  );
}

/** The debtors that a condition finds; one more than `max` tells that there are more. */
async function selectNamedPeople(
  db: Db,
  organizationId: string,
  isNamed: Sql,
  max: number,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from dunning_people where organization_id = ${organizationId} and ${isNamed}
     limit ${raw(String(max + 1))}`);
  return rows.map(({ id }) => id);
}

/** How many charges some debtors have, counted up to one more than `max`. */
async function countChargesOf(
  db: Db,
  organizationId: string,
  people: readonly string[],
  max: number,
): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from dunning_charges
       where organization_id = ${organizationId} and person_id = any(${people}::uuid[])
       limit ${raw(String(max + 1))}) theirs`);
  return row!.count;
}
