import { z } from 'zod';
import { daysBetween } from '../../../core/dates.ts';
import { failArgument } from '../../../core/errors.ts';
import { date } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { rememberByVersion } from '../../../core/remembered.ts';
import { filterArguments, withSearch } from '../arguments.ts';
import { filterKey, groupOf, totalsOf } from '../resource.ts';
import { groupFields, groupSchema, totalsShape } from '../schema.ts';
import { GROUPS_MAX, type GroupRow, selectBooksVersion, selectGroups } from '../summary-queries.ts';

const DAYS_MAX = 730;
const REMEMBERED_MAX = 500;

const remembered = rememberByVersion<readonly GroupRow[]>(REMEMBERED_MAX);

export const summarizeTransactions = operation({
  name: 'finance_financial_transactions_summary',
  title: 'Summarize financial transactions',
  summary: 'Credits and debits by group, computed by the server; transfers between own accounts left out.',
  effect: 'read',
  scope: 'finance.financial_transactions',
  input: {
    group_by: z
      .array(z.enum(groupFields), { error: `one to ${groupFields.length} of: ${groupFields.join(', ')}` })
      .min(1, { error: `one to ${groupFields.length} of: ${groupFields.join(', ')}` })
      .max(groupFields.length, { error: `one to ${groupFields.length} of: ${groupFields.join(', ')}` })
      .describe('One group for each combination; weeks are named by their Monday.'),
    date_from: date().describe('The first day.'),
    date_to: date().describe(`The last day, at most ${DAYS_MAX} days after the first.`),
    ...filterArguments,
    include_transfers: z
      .boolean()
      .default(false)
      .describe('Count transfers between own accounts, which are neither income nor expense.'),
  },
  output: z.object({
    groups: z.array(groupSchema),
    total: z.object(totalsShape),
    date_from: z.string(),
    date_to: z.string(),
    include_transfers: z.boolean(),
    as_of: z.string(),
    currency: z.literal('BRL'),
  }),
  async run(input, context) {
    const { db, workspaceId, today } = context;
    requirePeriod(input.date_from, input.date_to);
    const fields = groupFields.filter((field) => input.group_by.includes(field));
    const filter = await withSearch(context, input);
    const key = filterKey(workspaceId, { ...filter, group_by: fields });
    const rows = await remembered.at(key, await selectBooksVersion(db, workspaceId), async () => {
      const value = await selectGroups(db, workspaceId, {
        filter,
        fields,
        withTransfers: input.include_transfers,
      });
      return { value, version: value[0]?.books_version ?? null };
    });
    if (rows.length > GROUPS_MAX) {
      failArgument('group_by', `a coarser grouping or a narrower filter: at most ${GROUPS_MAX} groups`);
    }
    return {
      groups: rows.map((row) => groupOf(row, fields)),
      total: totalsOf(sumOf(rows)),
      date_from: input.date_from,
      date_to: input.date_to,
      include_transfers: input.include_transfers,
      as_of: today,
      currency: 'BRL' as const,
    };
  },
});

function requirePeriod(from: string, to: string): void {
  const days = daysBetween(from, to);
  if (days < 0) failArgument('date_to', 'a date that is not before `date_from`');
  if (days > DAYS_MAX) failArgument('date_to', `a date at most ${DAYS_MAX} days after \`date_from\``);
}

/** The total equals its parts by construction. */
function sumOf(rows: readonly GroupRow[]) {
  return rows.reduce(
    (sum, row) => ({
      credits: sum.credits + row.credits,
      debits: sum.debits + row.debits,
      count: sum.count + row.count,
    }),
    { credits: 0, debits: 0, count: 0 },
  );
}
