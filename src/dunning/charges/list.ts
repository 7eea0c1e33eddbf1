/** Pages and totals over charges, and the filter that lists and bulk calls share. */

import { z } from 'zod';
import { failArgument } from '../../core/errors.ts';
import { date, id, moneyText, text } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { decodeCursor, pageOf } from '../../core/paging.ts';
import { rememberByVersion } from '../../core/remembered.ts';
import { planSearchByPerson } from '../../db/search-by-person.ts';
import {
  type ChargeFilter,
  chargePlace,
  chargeRowSorts,
  selectChargePage,
  selectFilteredIds,
  selectRecentChargeIds,
  selectTotalOpen,
  type TotalOpen,
} from './list-queries.ts';
import type { ChargeRow } from './queries.ts';
import { BULK_MAX, chargeStatuses, dunningStates } from './schema.ts';

const TOTALS_REMEMBERED_MAX = 5_000;
const DAYS_MAX = 40_000;
const daysError = `whole days from 0 to ${DAYS_MAX}`;

/** Totals of whole filters: summed once per state of the books instead of once per page. */
const totals = rememberByVersion<TotalOpen>(TOTALS_REMEMBERED_MAX);

const days = () =>
  z.int({ error: daysError }).min(0, { error: daysError }).max(DAYS_MAX, { error: daysError });

/** What lists of charges, and calls about many of them, may be narrowed by. */
export const chargeFilter = {
  search: text(100).optional().describe('Description, document number, external id, or debtor.'),
  status: z
    .array(z.enum(chargeStatuses), { error: `a list of: ${chargeStatuses.join(', ')}` })
    .min(1, { error: 'at least one' })
    .max(chargeStatuses.length, { error: 'each once' })
    .optional(),
  person_id: id('the debtor').optional(),
  due_from: date().optional(),
  due_to: date().optional(),
  days_overdue_from: days().optional().describe('Due at least so many days ago.'),
  days_overdue_to: days().optional().describe('Due at most so many days ago.'),
  rule_id: id('the collection rule').optional(),
  dunning_state: z.enum(dunningStates).optional().describe('Of the collection rule.'),
  disputed: z.boolean().optional().describe('With an open dispute.'),
  has_legal_action: z.boolean().optional().describe('With a live report or protest.'),
  tag: text(40).optional().describe('With this tag.'),
  external_id: text(100).optional().describe('Your own id.'),
  archived: z.boolean().optional().describe('Only archived ones; default: only others.'),
};

/** A filter as a caller states it. */
export type GivenFilter = Omit<ChargeFilter, 'search'> & { readonly search?: string | undefined };

export interface ChargePage {
  readonly rows: readonly ChargeRow[];
  readonly next_cursor: string | null;
  /** Of the whole filter: open principal and how many are open. */
  readonly total_open: { readonly amount: string; readonly count: number };
}

/** One page of a filter, with the total of all of it. Fails with `invalid_argument`. */
export async function chargePage(
  context: Context,
  given: GivenFilter,
  page: { readonly sort: string; readonly cursor?: string | undefined; readonly limit: number },
): Promise<ChargePage> {
  const { db, organizationId, today } = context;
  const filter = await filterOf(context, given);
  const sort = chargeRowSorts[page.sort]!;
  const position = decodeCursor(sort, page.cursor);
  const found = await selectChargePage(db, organizationId, filter, today, {
    sort,
    position,
    limit: page.limit,
  });
  const version = found[0]?.books_version ?? null;
  const total = await totals.at(JSON.stringify([organizationId, today, given]), version, async () => {
    const value = await selectTotalOpen(db, organizationId, filter, today);
    return { value, version: value.books_version };
  });
  const { rows, next_cursor } = pageOf(found, page.limit, sort, (row) => ({
    key: keyOf(row, page.sort),
    id: row.id,
  }));
  return { rows, next_cursor, total_open: { amount: moneyText(total.amount), count: total.count } };
}

/** The ids of a whole filter, in their order. Fails with `invalid_argument` for more than one call may change. */
export async function selectChargeIds(context: Context, given: GivenFilter): Promise<string[]> {
  const filter = await filterOf(context, given);
  const ids = await selectFilteredIds(context.db, context.organizationId, filter, context.today, BULK_MAX);
  if (ids.length > BULK_MAX) {
    failArgument('filter', `a filter of at most ${BULK_MAX} charges: narrow it and repeat for the rest`);
  }
  return ids;
}

/** Charges whose words or debtor match what was typed, due first; else the newest whose id begins so. */
export async function suggestChargeIds(context: Context, typed: string): Promise<string[]> {
  const { db, organizationId, today } = context;
  const sort = chargeRowSorts['due_date']!;
  const search = await suggested(context, typed);
  if (search === null) return [];
  const rows = await selectChargePage(db, organizationId, search, today, {
    sort,
    position: null,
    limit: 100,
  });
  if (rows.length > 0) return rows.map(({ id }) => id);
  return selectRecentChargeIds(db, organizationId, typed);
}

/** What is typed may still be too short to search for. */
async function suggested({ db, organizationId }: Context, typed: string): Promise<ChargeFilter | null> {
  if (typed.trim() === '') return {};
  if (typed.replace(/[^\p{L}\p{N}]/gu, '').length < 2) return null;
  return { search: await planSearchByPerson(db, chargePlace, organizationId, typed) };
}

async function filterOf(
  { db, organizationId }: Context,
  { search, ...given }: GivenFilter,
): Promise<ChargeFilter> {
  if (search === undefined) return given;
  return { ...given, search: await planSearchByPerson(db, chargePlace, organizationId, search) };
}

function keyOf(row: ChargeRow, sort: string): string {
  if (sort.endsWith('due_date')) return row.due_date;
  return sort.endsWith('amount') ? String(row.amount_cents) : row.created_at;
}
