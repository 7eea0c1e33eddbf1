import { z } from 'zod';
import { date, id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { address } from '../../schema.ts';
import { updateCompany as updateRow } from '../queries.ts';
import { companyOf, requireCompany } from '../resource.ts';
import { companySchema } from '../schema.ts';

export const updateCompany = operation({
  name: 'finance_companies_update',
  title: 'Update company',
  summary: "Change a company's data, close months up to a date, or deactivate it.",
  effect: 'write',
  scope: 'finance.companies',
  hints: { idempotent: true },
  input: {
    id: id('the company'),
    legal_name: text(200).optional(),
    trade_name: text(200).nullable().optional(),
    state_registration: text(30).nullable().optional(),
    address: address.nullable().optional(),
    books_closed_until: date()
      .nullable()
      .optional()
      .describe('Last day of the closed months; null opens all.'),
    active: z.boolean().optional(),
  },
  output: companySchema,
  async run({ id, ...changes }, context) {
    const before = await requireCompany(context, id);
    await updateRow(context.db, { ...before, ...changes }, context.now);
    const after = companyOf(await requireCompany(context, id));
    context.changed('company', id, companyOf(before), after);
    return after;
  },
});
