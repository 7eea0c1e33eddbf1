import { z } from 'zod';
import { date, id, listArguments, listOutput, moneyOut, moneyText, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { rememberByVersion } from '../../../core/remembered.ts';
import { searchPattern } from '../../../db/listing.ts';
import {
  type PayableFilter,
  type PayableItemRow,
  payableSorts,
  selectPayables,
  selectTotalOpen,
  type TotalOpen,
} from '../queries.ts';
import { payableItemOf, withSettlements } from '../resource.ts';
import { approvalStatuses, payableItemSchema, payableStatuses } from '../schema.ts';

const sorts = ['due_date', '-due_date', 'amount', '-amount', 'created_at', '-created_at'] as const;

const TOTALS_REMEMBERED_MAX = 5_000;

/** Totals of whole filters: summed once per state of the books instead of once per page. */
const totals = rememberByVersion<TotalOpen>(TOTALS_REMEMBERED_MAX);

export const listPayables = operation({
  name: 'finance_payables_list',
  title: 'List payables',
  summary: 'Bills to pay, by due date; `overdue: true` gives the late ones still open, oldest first.',
  effect: 'read',
  scope: 'finance.payables',
  input: {
    status: z.enum(payableStatuses).optional(),
    overdue: z.boolean().optional().describe('Still open after the due date or its next business day.'),
    company_id: id('the company').optional(),
    person_id: id('the supplier').optional(),
    due_from: date().optional(),
    due_to: date().optional(),
    paid_from: date().optional().describe('With an effective settlement from this date on.'),
    paid_to: date().optional(),
    approval_status: z.enum(approvalStatuses).optional(),
    category_id: id('the category').optional(),
    search: text(100).optional().describe('Description, document number, or supplier.'),
    sort: z.enum(sorts).default('due_date'),
    ...listArguments,
  },
  output: listOutput(payableItemSchema).extend({
    total_open: z
      .object({ amount: moneyOut(), count: z.int() })
      .describe('Open principal and number of open bills in the whole filter.'),
    as_of: z.string(),
    currency: z.literal('BRL'),
  }),
  async run(input, { db, workspaceId, today, timeZone }) {
    const sort = payableSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const search = input.search === undefined ? undefined : searchPattern(input.search);
    const filter = { ...input, search };
    const found = await selectPayables(db, workspaceId, filter, today, {
      sort,
      position,
      limit: input.limit,
    });
    const version = found[0]?.books_version ?? null;
    const total = await totals.at(totalKey(workspaceId, today, filter), version, async () => {
      const value = await selectTotalOpen(db, workspaceId, filter, today);
      return { value, version: value.books_version };
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: keyOf(row, input.sort), id: row.id }));
    const rows = await withSettlements({ db, workspaceId }, page.rows);
    return {
      items: rows.map((row) => payableItemOf(row, { today, timeZone })),
      next_cursor: page.next_cursor,
      total_open: { amount: moneyText(total.amount), count: total.count },
      as_of: today,
      currency: 'BRL' as const,
    };
  },
});

function keyOf(row: PayableItemRow, sort: (typeof sorts)[number]): string {
  if (sort.endsWith('due_date')) return row.due_date;
  return sort.endsWith('amount') ? String(row.amount_cents) : row.created_at;
}

/** Everything the total depends on besides the books themselves. */
function totalKey(workspaceId: string, today: string, filter: PayableFilter): string {
  const { cursor: _cursor, limit: _limit, sort: _sort, ...rest } = filter as Record<string, unknown>;
  return JSON.stringify([workspaceId, today, rest]);
}
