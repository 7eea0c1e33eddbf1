import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { deleteLink } from '../queries.ts';
import { attachmentOf, requireAttachment } from '../resource.ts';
import { attachmentSchema, linkKinds } from '../schema.ts';

export const unlinkAttachment = operation({
  name: 'finance_attachments_unlink',
  title: 'Unlink attachment',
  summary: 'Untie a file from a record; the file itself stays.',
  effect: 'write',
  scope: 'finance.attachments',
  hints: { idempotent: true },
  input: {
    attachment_id: id('the attachment'),
    kind: z.enum(linkKinds).describe('Kind of the record.'),
    id: id('the record'),
  },
  output: attachmentSchema,
  async run(input, context) {
    const before = attachmentOf(await requireAttachment(context, input.attachment_id));
    const removed = await deleteLink(context.db, context.workspaceId, before.id, {
      kind: input.kind,
      id: input.id,
    });
    if (removed === 0) return before;
    const after = attachmentOf(await requireAttachment(context, before.id));
    context.changed('attachment', before.id, before, after);
    return after;
  },
});
