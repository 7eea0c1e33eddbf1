import { z } from 'zod';
import { date, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { debtPage, filterOf } from '../../debt-records/index.ts';
import { debtSorts, filterArguments, totalOpenSchema } from '../../debts/index.ts';
import { payableWords } from '../arguments.ts';
import { type PayableItemRow, payableItemOf, payableKind } from '../resource.ts';
import { approvalStatuses, payableItemSchema, payableStatuses } from '../schema.ts';

export const listPayables = operation({
  name: 'finance_payables_list',
  title: 'List payables',
  summary: 'Bills to pay, by due date; `overdue: true` gives the late ones still open, oldest first.',
  effect: 'read',
  scope: 'finance.payables',
  input: {
    status: z.enum(payableStatuses).optional(),
    ...filterArguments(payableWords),
    paid_from: date().optional().describe('With an effective settlement from this date on.'),
    paid_to: date().optional(),
    approval_status: z.enum(approvalStatuses).optional(),
    sort: z.enum(debtSorts).default('due_date'),
    ...listArguments,
  },
  output: listOutput(payableItemSchema).extend({
    total_open: totalOpenSchema.describe('Open principal and number of open bills in the whole filter.'),
    as_of: z.string(),
    currency: z.literal('BRL'),
  }),
  async run({ sort, cursor, limit, paid_from, paid_to, ...given }, context) {
    const filter = await filterOf(context, payableKind, {
      ...given,
      settled_from: paid_from,
      settled_to: paid_to,
    });
    const page = await debtPage<PayableItemRow>(context, payableKind, filter, { sort, cursor, limit });
    return {
      items: page.rows.map((row) => payableItemOf(row, context)),
      next_cursor: page.next_cursor,
      total_open: page.total_open,
      as_of: context.today,
      currency: 'BRL' as const,
    };
  },
});
