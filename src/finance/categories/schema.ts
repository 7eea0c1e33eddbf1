import { z } from 'zod';

export const categoryKind = z.enum(['income', 'expense']);

export const categorySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: categoryKind,
    parent_id: z.string().nullable(),
    level: z.int().describe('1 to 3, counted from the top.'),
    is_leaf: z.boolean().describe('Only leaves classify entries.'),
    code: z.string().nullable(),
    statement_group: z.string().nullable().describe('Line of the income statement.'),
    active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'category', description: 'A line of the chart of accounts, at most three levels deep.' });

export type Category = z.infer<typeof categorySchema>;
export type CategoryKind = Category['kind'];
