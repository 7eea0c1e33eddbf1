import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { addComment, requireDispute } from '../resource.ts';
import { commentSchema } from '../schema.ts';

export const createComment = operation({
  name: 'dunning_dispute_comments_create',
  title: 'Comment on dispute',
  summary: 'Add to the thread of a dispute, for the team only: it resolves and sends nothing.',
  effect: 'write',
  scope: 'dunning.disputes',
  input: { dispute_id: id('the dispute'), body: text(4_000).describe('The note.') },
  output: commentSchema,
  async run(input, context) {
    await requireDispute(context, input.dispute_id);
    return addComment(context, input.dispute_id, input.body);
  },
});
