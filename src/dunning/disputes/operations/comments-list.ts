import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { commentSorts, selectComments } from '../queries.ts';
import { commentOf, requireDispute } from '../resource.ts';
import { commentSchema } from '../schema.ts';

export const listComments = operation({
  name: 'dunning_dispute_comments_list',
  title: 'List dispute comments',
  summary: 'The thread of a dispute, oldest first.',
  effect: 'read',
  scope: 'dunning.disputes',
  input: {
    dispute_id: id('the dispute'),
    sort: z.enum(['created_at', '-created_at']).default('created_at'),
    cursor: listArguments.cursor,
    limit: listArguments.limit,
  },
  output: listOutput(commentSchema),
  async run(input, context) {
    await requireDispute(context, input.dispute_id);
    const sort = commentSorts[input.sort]!;
    const found = await selectComments(context.db, context.organizationId, input.dispute_id, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(commentOf), next_cursor: page.next_cursor };
  },
});
