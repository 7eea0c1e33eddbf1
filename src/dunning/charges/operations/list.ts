import { z } from 'zod';
import { listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { amountsOfMany } from '../amounts.ts';
import { chargeFilter, chargePage } from '../list.ts';
import { chargeItemOf } from '../resource.ts';
import { chargeItemSchema, chargeSorts, totalOpenSchema } from '../schema.ts';

export const listCharges = operation({
  name: 'dunning_charges_list',
  title: 'List charges',
  summary: 'What debtors owe, by due date, each with the amount due today, and the open total of the filter.',
  effect: 'read',
  scope: 'dunning.charges',
  input: { ...chargeFilter, sort: z.enum(chargeSorts).default('due_date'), ...listArguments },
  output: listOutput(chargeItemSchema).extend({
    total_open: totalOpenSchema,
    as_of: z.string(),
    currency: z.literal('BRL'),
  }),
  async run({ sort, cursor, limit, ...filter }, context) {
    const page = await chargePage(context, filter, { sort, cursor, limit });
    const amounts = await amountsOfMany(context, page.rows);
    return {
      items: page.rows.map((row) => chargeItemOf(row, amounts.get(row.id)!)),
      next_cursor: page.next_cursor,
      total_open: page.total_open,
      as_of: context.today,
      currency: 'BRL' as const,
    };
  },
});
