/** Pages and totals over the records of either kind. */

import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { decodeCursor, pageOf } from '../../core/paging.ts';
import { rememberByVersion } from '../../core/remembered.ts';
import { planSearchByPerson } from '../../db/search-by-person.ts';
import type { DebtItemRow, DebtPlace } from './kind.ts';
import {
  type DebtFilter,
  debtRowSorts,
  type PersonTotal,
  selectDebts,
  selectTotalOpen,
  selectTotalsByPerson,
  type TotalOpen,
} from './queries.ts';
import { withSettlements } from './resource.ts';

const TOTALS_REMEMBERED_MAX = 5_000;
const PEOPLE_MAX = 1_000;

/** Totals of whole filters: summed once per state of the books instead of once per page. */
const totals = rememberByVersion<TotalOpen>(TOTALS_REMEMBERED_MAX);

/** A filter as a caller states it. */
export type GivenFilter = Omit<DebtFilter, 'search'> & { readonly search?: string | undefined };

/** The filter with its search planned. Fails with `invalid_argument` for too short a text. */
export async function filterOf(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  place: DebtPlace,
  { search, ...given }: GivenFilter,
): Promise<DebtFilter> {
  if (search === undefined) return given;
  return { ...given, search: await planSearchByPerson(db, place, workspaceId, search) };
}

export interface DebtPage<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
  /** Of the whole filter: open principal and how many are open. */
  readonly total_open: { readonly amount: string; readonly count: number };
}

/** One page of a filter, with the total of all of it. */
export async function debtPage<Row extends DebtItemRow>(
  context: Context,
  place: DebtPlace,
  filter: DebtFilter,
  page: { readonly sort: string; readonly cursor?: string | undefined; readonly limit: number },
): Promise<DebtPage<Row>> {
  const { db, workspaceId, today } = context;
  const sort = debtRowSorts[page.sort]!;
  const position = decodeCursor(sort, page.cursor);
  const found = await selectDebts<Row>(db, place, workspaceId, filter, today, {
    sort,
    position,
    limit: page.limit,
  });
  const version = found[0]?.books_version ?? null;
  const key = JSON.stringify([place.table, workspaceId, today, { ...filter, search: filter.search?.words }]);
  const total = await totals.at(key, version, async () => {
    const value = await selectTotalOpen(db, place, workspaceId, filter, today);
    return { value, version: value.books_version };
  });
  const { rows, next_cursor } = pageOf(found, page.limit, sort, (row) => ({
    key: keyOf(row, page.sort),
    id: row.id,
  }));
  return {
    rows: await withSettlements(context, place, rows),
    next_cursor,
    total_open: { amount: moneyText(total.amount), count: total.count },
  };
}

/** What each person owes over the whole filter, largest totals first, at most 1,000 of them. */
export async function totalsByPerson(
  { db, workspaceId, today }: Context,
  place: DebtPlace,
  filter: DebtFilter,
): Promise<{ totals: PersonTotal[]; isCut: boolean }> {
  const found = await selectTotalsByPerson(db, place, workspaceId, filter, today, PEOPLE_MAX);
  return { totals: found.slice(0, PEOPLE_MAX), isCut: found.length > PEOPLE_MAX };
}

function keyOf(row: DebtItemRow, sort: string): string {
  if (sort.endsWith('due_date')) return row.due_date;
  return sort.endsWith('amount') ? String(row.amount_cents) : row.created_at;
}
