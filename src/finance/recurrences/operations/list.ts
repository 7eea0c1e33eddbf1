import { z } from 'zod';
import { listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { recurrenceSorts, selectRecurrences } from '../queries.ts';
import { recurrenceOf } from '../resource.ts';
import { recurrenceKinds, recurrenceSchema } from '../schema.ts';

export const listRecurrences = operation({
  name: 'finance_recurrences_list',
  title: 'List recurrences',
  summary: 'Payables and receivables that repeat, newest first.',
  effect: 'read',
  scope: 'finance.recurrences',
  input: {
    kind: z.enum(recurrenceKinds).optional(),
    active: z.boolean().optional().describe('Neither paused nor ended.'),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(recurrenceSchema),
  async run(input, context) {
    const { db, workspaceId } = context;
    const sort = recurrenceSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectRecurrences(db, workspaceId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map((row) => recurrenceOf(row, context)), next_cursor: page.next_cursor };
  },
});
