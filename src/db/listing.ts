/** The parts every list statement shares: keyset pages, sort orders, and the common filters. */

import { failArgument } from '../core/errors.ts';
import type { Position, Sort } from '../core/paging.ts';
import { plainLetters } from '../core/text.ts';
import { empty, raw, type Sql, sql } from './sql.ts';

/** A sort order a list offers. `column` never holds null and is backed by an index that ends in the id. */
export interface ListSort extends Sort {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

const keyCasts = { date: '::date', instant: '::timestamptz', integer: '::bigint', text: '' } as const;

/** `asc` under the field's own name, `desc` under the name with a minus before it. */
export function sortsOf(
  fields: Readonly<Record<string, { column: string; keyForm: Sort['keyForm'] }>>,
): Readonly<Record<string, ListSort>> {
  const sorts: Record<string, ListSort> = {};
  for (const [name, field] of Object.entries(fields)) {
    sorts[name] = { ...field, name, direction: 'asc' };
    sorts[`-${name}`] = { ...field, name: `-${name}`, direction: 'desc' };
  }
  return sorts;
}

/** The condition for the rows after the position, beginning with `and`; nothing for the first page. */
export function after(sort: ListSort, position: Position | null, idColumn = 'id'): Sql {
  if (position === null) return empty;
  const comparison = raw(sort.direction === 'asc' ? '>' : '<');
  return sql` and (${raw(sort.column)}, ${raw(idColumn)}) ${comparison} (${position.key}${raw(keyCasts[sort.keyForm])}, ${position.id}::uuid)`;
}

/**
 * `order by` the sort, ties by id; one row more than the page, to know whether there is more. The limit, at most
 * 101, is part of the text: with it as a value the server distrusts its generic plan and plans each call anew,
 * which took half the time of a page (1.4 against 0.7 ms).
 */
export function orderAndLimit(sort: ListSort, limit: number, idColumn = 'id'): Sql {
  const { column, direction } = sort;
  return raw(`order by ${column} ${direction}, ${idColumn} ${direction} limit ${limit + 1}`);
}

export interface TimeFilters {
  created_from?: string | undefined;
  created_to?: string | undefined;
  updated_from?: string | undefined;
  updated_to?: string | undefined;
}

/** The four time filters of every list. `alias` is the table's name in the statement. */
export function timeFilters(filters: TimeFilters, alias: string): Sql {
  const created = raw(`${alias}.created_at`);
  const updated = raw(`${alias}.updated_at`);
  return all(
    filters.created_from !== undefined && sql`${created} >= ${filters.created_from}::timestamptz`,
    filters.created_to !== undefined && sql`${created} <= ${filters.created_to}::timestamptz`,
    filters.updated_from !== undefined && sql`${updated} >= ${filters.updated_from}::timestamptz`,
    filters.updated_to !== undefined && sql`${updated} <= ${filters.updated_to}::timestamptz`,
  );
}

/** The conditions that apply, each with `and` before it. */
export function all(...conditions: (Sql | false)[]): Sql {
  return conditions.reduce<Sql>(
    (sum, condition) => (condition === false ? sum : sql`${sum} and ${condition}`),
    empty,
  );
}

/** A `like` pattern that finds the text anywhere, its own wildcards taken as letters. Refuses less than two letters. */
export function searchPattern(search: string): string {
  const text = searchTextOf(search);
  if (text.length < 2) failArgument('search', 'text of at least 2 letters or digits');
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** Lower-case without accents: what `search` compares. */
export function searchTextOf(...parts: (string | null | undefined)[]): string {
  const text = parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ');
  return plainLetters(text).trim();
}

/** The SQL text expression as `searchTextOf` writes it, for small tables that store no search text. */
export function plainText(expression: string): Sql {
  return raw(`regexp_replace(normalize(lower(${expression}), nfd), '[\u0300-\u036f]', '', 'g')`);
}

/** The version of the books that a statement read. */
export interface BooksVersion {
  readonly books_version: number | null;
}

/** The position of the audit chain: moves with every write to these books, in the same transaction. */
export function booksVersion(tenantId: string): Sql {
  return sql`(select position from event_chains where tenant_id = ${tenantId}) as books_version`;
}

/** What the rows of a table are kept apart by: those of dunning belong to the organization. */
export function tenantColumnOf(table: string): 'workspace_id' | 'organization_id' {
  return table.startsWith('dunning_') ? 'organization_id' : 'workspace_id';
}

/** The newest ids that start with what was typed, among the 1,000 newest (PROTOCOL C-58). */
export function recentIds(table: string, tenantId: string, typed: string): Sql {
  return sql`
    select id from (
      select id from ${raw(table)} where ${raw(tenantColumnOf(table))} = ${tenantId} order by id desc limit 1000
    ) newest
    where id::text like ${`${typed.toLowerCase().replace(/[\\%_]/g, '')}%`}
    order by id desc limit 101`;
}
