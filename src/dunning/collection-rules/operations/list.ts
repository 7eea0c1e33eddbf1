import { z } from 'zod';
import { listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { countsOf } from '../counts.ts';
import { ruleSorts, selectRules } from '../queries.ts';
import { ruleOf } from '../resource.ts';
import { ruleDetailSchema } from '../schema.ts';

export const listRules = operation({
  name: 'dunning_collection_rules_list',
  title: 'List collection rules',
  summary: 'Collection rules, each with the number of its steps and of the charges it works on.',
  effect: 'read',
  scope: 'dunning.collection_rules',
  input: {
    active: z.boolean().optional().describe('In use; of those not archived.'),
    archived: z.boolean().default(false).describe('Archived ones instead.'),
    search: text(100).optional().describe('Part of the name.'),
    sort: z.enum(['name', '-name', 'created_at', '-created_at']).default('name'),
    ...listArguments,
  },
  output: listOutput(ruleDetailSchema),
  async run(input, context) {
    const sort = ruleSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectRules(context.db, context.organizationId, input, {
      sort,
      position,
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('name') ? row.name : row.created_at,
      id: row.id,
    }));
    const counts = await countsOf(context, page.rows, found[0]?.books_version ?? null);
    return {
      items: page.rows.map((row) => ({ ...ruleOf(row), ...counts.get(row.id)! })),
      next_cursor: page.next_cursor,
    };
  },
});
