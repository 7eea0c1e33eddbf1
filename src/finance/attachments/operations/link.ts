import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { insertLink } from '../queries.ts';
import { attachmentOf, requireAttachment, requireRecord } from '../resource.ts';
import { attachmentSchema, linkKinds } from '../schema.ts';

export const linkAttachment = operation({
  name: 'finance_attachments_link',
  title: 'Link attachment',
  summary: 'Tie a stored file to a record; a link that is there already stays as it is.',
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
    const record = { kind: input.kind, id: input.id };
    await requireRecord(context, record);
    const added = await insertLink(context.db, context.workspaceId, before.id, record, context.now);
    if (added === 0) return before;
    const after = attachmentOf(await requireAttachment(context, before.id));
    context.changed('attachment', before.id, before, after);
    return after;
  },
});
