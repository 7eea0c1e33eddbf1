import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireAttachment } from '../resource.ts';
import { attachmentFileSchema } from '../schema.ts';

export const downloadAttachment = operation({
  name: 'finance_attachments_download',
  title: 'Download attachment',
  summary:
    'Describes a file and names the resource that holds its bytes; the bytes are never in this answer.',
  effect: 'read',
  scope: 'finance.attachments',
  input: { attachment_id: id('the attachment') },
  output: attachmentFileSchema,
  async run(input, context) {
    const row = await requireAttachment(context, input.attachment_id);
    return {
      attachment_id: row.id,
      file_name: row.file_name,
      content_type: row.content_type,
      size: row.size_bytes,
      sha256: row.sha256,
      resource_uri: `kobana://finance/attachments/${row.id}/download`,
    };
  },
});
