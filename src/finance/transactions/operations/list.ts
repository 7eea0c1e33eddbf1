import { z } from 'zod';
import { date, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { rememberByVersion } from '../../../core/remembered.ts';
import { filterArguments, withSearch } from '../arguments.ts';
import {
  selectTotals,
  selectTransactions,
  type Totals,
  type TransactionRow,
  transactionSorts,
} from '../queries.ts';
import { filterKey, totalsOf, transactionOf } from '../resource.ts';
import { totalsShape, transactionSchema } from '../schema.ts';

const sorts = ['date', '-date', 'amount', '-amount', 'created_at', '-created_at'] as const;

const TOTALS_REMEMBERED_MAX = 5_000;

/** Totals of whole filters: summed once per state of the books instead of once per page. */
const totals = rememberByVersion<Totals>(TOTALS_REMEMBERED_MAX);

export const listTransactions = operation({
  name: 'finance_financial_transactions_list',
  title: 'List financial transactions',
  summary: 'Entries of the accounts, newest first, with the totals of the whole filter.',
  effect: 'read',
  scope: 'finance.financial_transactions',
  input: {
    ...filterArguments,
    date_from: date().optional().describe('Of the entry.'),
    date_to: date().optional().describe('Of the entry.'),
    ignored: z.boolean().optional().describe('Left out of balances and totals; default: both.'),
    sort: z.enum(sorts).default('-date'),
    ...listArguments,
  },
  output: listOutput(transactionSchema).extend({
    total: z
      .object({ ...totalsShape, ignored_count: z.int() })
      .describe('Of the whole filter, transfers between own accounts included, ignored entries left out.'),
    as_of: z.string(),
    currency: z.literal('BRL'),
  }),
  async run(input, context) {
    const { db, workspaceId, today } = context;
    const sort = transactionSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const filter = await withSearch(context, input);
    const found = await selectTransactions(db, workspaceId, filter, { sort, position, limit: input.limit });
    const total = await totals.at(
      filterKey(workspaceId, filter),
      found[0]?.books_version ?? null,
      async () => {
        const value = await selectTotals(db, workspaceId, filter);
        return { value, version: value.books_version };
      },
    );
    const page = pageOf(found, input.limit, sort, (row) => ({ key: keyOf(row, input.sort), id: row.id }));
    return {
      items: page.rows.map(transactionOf),
      next_cursor: page.next_cursor,
      total: { ...totalsOf(total), ignored_count: total.ignored_count },
      as_of: today,
      currency: 'BRL' as const,
    };
  },
});

function keyOf(row: TransactionRow, sort: (typeof sorts)[number]): string {
  if (sort.endsWith('date')) return row.date;
  return sort.endsWith('amount') ? String(row.amount_cents) : row.created_at;
}
