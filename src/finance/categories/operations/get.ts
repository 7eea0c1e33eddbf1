import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { categoryOf, pathOf, requireCategory } from '../resource.ts';
import { categorySchema } from '../schema.ts';

export const getCategory = operation({
  name: 'finance_categories_get',
  title: 'Get category',
  summary: 'One category with its path from the top.',
  effect: 'read',
  scope: 'finance.categories',
  input: { id: id('the category') },
  output: z.object({
    ...categorySchema.shape,
    path: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe('From the top to the category itself.'),
  }),
  async run(input, context) {
    const row = await requireCategory(context, input.id, 'none');
    return { ...categoryOf(row), path: await pathOf(context, row) };
  },
});
