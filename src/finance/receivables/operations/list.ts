import { z } from 'zod';
import { date, listArguments, listOutput, moneyOut, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { type DebtItemRow, debtPage, filterOf, totalsByPerson } from '../../debt-records/index.ts';
import { debtSorts, filterArguments, totalOpenSchema } from '../../debts/index.ts';
import { receivableWords } from '../arguments.ts';
import { receivableItemOf, receivableKind } from '../resource.ts';
import { receivableItemSchema, receivableStatuses } from '../schema.ts';

const groupsSchema = z
  .array(
    z.object({
      person: z.object({ id: z.string(), name: z.string() }),
      open: moneyOut(),
      count: z.int(),
      oldest_due_date: z.string(),
    }),
  )
  .describe('With `group_by`: open principal of each customer in the whole filter, largest first.');

export const listReceivables = operation({
  name: 'finance_receivables_list',
  title: 'List receivables',
  summary: 'Money to receive, by due date; `group_by: person` adds what each customer owes, largest first.',
  effect: 'read',
  scope: 'finance.receivables',
  input: {
    status: z.enum(receivableStatuses).optional(),
    ...filterArguments(receivableWords),
    received_from: date().optional().describe('With an effective receipt from this date on.'),
    received_to: date().optional().describe('With an effective receipt up to this date.'),
    group_by: z.enum(['person']).optional().describe('Adds `groups`.'),
    sort: z.enum(debtSorts).default('due_date'),
    ...listArguments,
  },
  output: listOutput(receivableItemSchema).extend({
    groups: groupsSchema.optional(),
    groups_cut: z.boolean().optional().describe('True when only the 1,000 largest groups are given.'),
    total_open: totalOpenSchema.describe(
      'Open principal and number of open receivables in the whole filter.',
    ),
    as_of: z.string(),
    currency: z.literal('BRL'),
  }),
  async run({ sort, cursor, limit, received_from, received_to, group_by, ...given }, context) {
    const filter = await filterOf(context, receivableKind, {
      ...given,
      settled_from: received_from,
      settled_to: received_to,
    });
    const page = await debtPage<DebtItemRow>(context, receivableKind, filter, { sort, cursor, limit });
    const byPerson = group_by && (await totalsByPerson(context, receivableKind, filter));
    return {
      items: page.rows.map((row) => receivableItemOf(row, context)),
      next_cursor: page.next_cursor,
      ...(byPerson && { groups: byPerson.totals.map(groupOf), groups_cut: byPerson.isCut }),
      total_open: page.total_open,
      as_of: context.today,
      currency: 'BRL' as const,
    };
  },
});

function groupOf(total: Awaited<ReturnType<typeof totalsByPerson>>['totals'][number]) {
  return {
    person: { id: total.person_id, name: total.person_name },
    open: moneyText(total.amount),
    count: total.count,
    oldest_due_date: total.oldest_due_date,
  };
}
