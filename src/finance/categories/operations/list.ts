import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { searchPattern } from '../../../db/listing.ts';
import { cleanText } from '../../schema.ts';
import { categorySorts, selectCategories } from '../queries.ts';
import { categoryOf } from '../resource.ts';
import { categoryKind, categorySchema } from '../schema.ts';

export const listCategories = operation({
  name: 'finance_categories_list',
  title: 'List categories',
  summary: 'The chart of accounts, three levels. Only categories with `is_leaf` classify entries.',
  effect: 'read',
  scope: 'finance.categories',
  input: {
    search: cleanText(100).optional().describe('Part of the name or code.'),
    kind: categoryKind.optional(),
    parent_id: id('the category above').optional(),
    active: z.boolean().optional(),
    sort: z.enum(['name', '-name', 'created_at', '-created_at']).default('name'),
    ...listArguments,
  },
  output: listOutput(categorySchema),
  async run(input, { db, workspaceId }) {
    const sort = categorySorts[input.sort]!;
    const search = input.search === undefined ? undefined : searchPattern(input.search);
    const position = decodeCursor(sort, input.cursor);
    const filter = { ...input, search };
    const found = await selectCategories(db, workspaceId, filter, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('name') ? row.name : row.created_at,
      id: row.id,
    }));
    return { items: page.rows.map(categoryOf), next_cursor: page.next_cursor };
  },
});
