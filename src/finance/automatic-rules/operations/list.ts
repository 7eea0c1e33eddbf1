import { z } from 'zod';
import { listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { ruleSorts, selectRules } from '../queries.ts';
import { ruleOf } from '../resource.ts';
import { ruleSchema, scopeArgument } from '../schema.ts';

export const listRules = operation({
  name: 'finance_automatic_rules_list',
  title: 'List automatic rules',
  summary: 'Patterns of text that classify new entries, in the order in which they are tried.',
  effect: 'read',
  scope: 'finance.automatic_rules',
  input: {
    scope: scopeArgument().optional(),
    active: z.boolean().optional(),
    sort: z.enum(['position', '-position', 'created_at', '-created_at']).default('position'),
    ...listArguments,
  },
  output: listOutput(ruleSchema),
  async run(input, { db, workspaceId }) {
    const sort = ruleSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectRules(db, workspaceId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('position') ? String(row.position) : row.created_at,
      id: row.id,
    }));
    return { items: page.rows.map(ruleOf), next_cursor: page.next_cursor };
  },
});
