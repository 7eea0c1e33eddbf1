/** Sums by group. */

import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import { type BooksVersion, booksVersion } from '../../db/listing.ts';
import { empty, raw, type Sql, sql } from '../../db/sql.ts';
import { sumsOf, type TransactionFilter, transactionConditions } from './queries.ts';
import type { GroupField } from './schema.ts';

export const GROUPS_MAX = 1_000;

/** The keys of a group, those it was grouped by, with its sums in centavos. */
export interface GroupRow extends BooksVersion {
  readonly day?: string;
  readonly week?: string;
  readonly month?: string;
  readonly direction?: string;
  readonly category_id?: string | null;
  readonly category_name?: string | null;
  readonly person_id?: string | null;
  readonly person_name?: string | null;
  readonly credits: Cents;
  readonly debits: Cents;
  readonly count: number;
}

/** Civil dates all of them: a date is a timestamp without zone before it is cut. */
const expressions: Readonly<Record<GroupField, string>> = {
  day: 'entry.date as day',
  week: "date_trunc('week', entry.date::timestamp)::date as week",
  month: "to_char(entry.date::timestamp, 'YYYY-MM') as month",
  direction: 'entry.direction',
  category: 'entry.category_id',
  person: 'entry.person_id',
};

const columns: Readonly<Record<GroupField, string>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  direction: 'direction',
  category: 'category_id',
  person: 'person_id',
};

/** The groups in the order of their keys, names looked up after summing; one more than may be shown. */
export function selectGroups(
  db: Db,
  workspaceId: string,
  question: {
    readonly filter: TransactionFilter;
    readonly fields: readonly GroupField[];
    readonly withTransfers: boolean;
  },
): Promise<GroupRow[]> {
  const { filter, fields, withTransfers } = question;
  const places = fields.map((_, index) => index + 1).join(', ');
  const keys = fields.map((field) => `groups.${columns[field]}`).join(', ');
  return db.rows<GroupRow>(sql`
    select groups.*${raw(fields.includes('category') ? ', category.name as category_name' : '')}
           ${raw(fields.includes('person') ? ', person.name as person_name' : '')}, ${booksVersion(workspaceId)}
      from (
        select ${raw(fields.map((field) => expressions[field]).join(', '))}, ${sumsOf('')}
          from financial_transactions entry
         where entry.workspace_id = ${workspaceId} and not entry.ignored
           ${raw(withTransfers ? '' : 'and entry.transfer_id is null')}
           ${transactionConditions(workspaceId, filter)}
         group by ${raw(places)}
         limit ${GROUPS_MAX + 1}
      ) groups
      ${fields.includes('category') ? named(workspaceId, 'categories', 'category') : empty}
      ${fields.includes('person') ? named(workspaceId, 'people', 'person') : empty}
     order by ${raw(keys)}`);
}

/** The version of the books now. */
export async function selectBooksVersion(db: Db, workspaceId: string): Promise<number | null> {
  const row = await db.row<BooksVersion>(sql`select ${booksVersion(workspaceId)}`);
  return row?.books_version ?? null;
}

function named(workspaceId: string, table: string, field: 'category' | 'person'): Sql {
  return sql`left join ${raw(table)} ${raw(field)}
    on ${raw(field)}.workspace_id = ${workspaceId} and ${raw(field)}.id = groups.${raw(field)}_id`;
}
