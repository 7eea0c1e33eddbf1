import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { attachmentOf, requireAttachment } from '../resource.ts';
import { attachmentSchema } from '../schema.ts';

export const getAttachment = operation({
  name: 'finance_attachments_get',
  title: 'Get attachment',
  summary: "A file's data and what it is linked to.",
  effect: 'read',
  scope: 'finance.attachments',
  input: { attachment_id: id('the attachment') },
  output: attachmentSchema,
  async run(input, context) {
    return attachmentOf(await requireAttachment(context, input.attachment_id));
  },
});
