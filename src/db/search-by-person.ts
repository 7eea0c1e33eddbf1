/** Finding records by their own text or by the name of their person, which may have changed since. */

import type { Db } from '../core/ports.ts';
import { tenantColumnOf } from './listing.ts';
import {
  byRarity,
  FOUND_MAX,
  foundIds,
  hasWords,
  isFound as isFoundBy,
  planSearch,
  type Search,
  type SearchedKind,
} from './search.ts';
import { raw, type Sql, sql } from './sql.ts';

/** A name that so many people have is compared record by record. */
const PEOPLE_MAX = 200;

/** Records that have a `person_id`, and the people it names. */
export interface SearchedPlace {
  readonly table: string;
  /** What the words of the records are kept under. */
  readonly searchedAs: SearchedKind;
}

export interface PersonSearch extends Search {
  /** The people with that name; null when there are too many. */
  readonly people: readonly string[] | null;
}

/** How the search is run. Fails with `invalid_argument` for too short a text. */
export async function planSearchByPerson(
  db: Db,
  place: SearchedPlace,
  tenantId: string,
  query: string,
): Promise<PersonSearch> {
  const own = await planSearch(db, tenantId, place.searchedAs, query);
  const people = await selectPeople(db, place, tenantId, own.words);
  if (people.length > PEOPLE_MAX) return { ...own, rarest: null, people: null };
  const isMany = people.length > 0 && (await countRecordsOf(db, place, tenantId, people)) > FOUND_MAX;
  return { ...own, rarest: isMany ? null : own.rarest, people };
}

/** The condition on the record, which the statement calls `alias`. */
export function isFoundByPerson(
  place: SearchedPlace,
  alias: string,
  tenantId: string,
  search: PersonSearch,
): Sql {
  const { words, rarest, people } = search;
  const text = hasWords(`${alias}.search_text`, words);
  const person = raw(`${alias}.person_id`);
  const isTheirs =
    people === null
      ? sql`${person} in (${peopleNamed(place, tenantId, words)})`
      : sql`${person} = any(${people}::uuid[])`;
  const either = people?.length === 0 ? text : sql`((${text}) or ${isTheirs})`;
  if (rarest === null) return sql`(${either})`;
  const own = foundIds(tenantId, { ...search, rarest });
  const all = people?.length === 0 ? own : sql`${own} union ${idsOf(place, tenantId, people!)}`;
  return sql`(${raw(`${alias}.id`)} = any(array(${all})) and ${either})`;
}

/** The people whose name has the words, as a select of their ids. */
function peopleNamed({ table }: SearchedPlace, tenantId: string, words: readonly string[]): Sql {
  const tenant = tenantColumnOf(table);
  const [people, kind] =
    tenant === 'organization_id' ? (['dunning_people', 'd'] as const) : (['people', 'n'] as const);
  const rarest = byRarity(words)[0]!;
  const isNamed = isFoundBy(tenantId, { kind, words, rarest }, `${people}.id`, `${people}.search_text`);
  return sql`select id from ${raw(people)} where ${raw(tenant)} = ${tenantId} and ${isNamed}`;
}

async function selectPeople(
  db: Db,
  place: SearchedPlace,
  tenantId: string,
  words: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    ${peopleNamed(place, tenantId, words)} limit ${raw(String(PEOPLE_MAX + 1))}`);
  return rows.map(({ id }) => id);
}

async function countRecordsOf(
  db: Db,
  place: SearchedPlace,
  tenantId: string,
  people: readonly string[],
): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from (
      ${idsOf(place, tenantId, people)} limit ${raw(String(FOUND_MAX + 1))}) theirs`);
  return row!.count;
}

function idsOf({ table }: SearchedPlace, tenantId: string, people: readonly string[]): Sql {
  return sql`select id from ${raw(table)} where ${raw(tenantColumnOf(table))} = ${tenantId} and person_id = any(${people}::uuid[])`;
}
