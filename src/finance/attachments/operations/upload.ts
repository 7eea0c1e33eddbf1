import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { uploadedFile } from '../../schema.ts';
import { attachmentOf, requireRecord, storeAttachment } from '../resource.ts';
import { bytesOfUpload } from '../rules.ts';
import { attachmentKinds, attachmentSchema, linkTarget } from '../schema.ts';

export const uploadAttachment = operation({
  name: 'finance_attachments_upload',
  title: 'Upload attachment',
  summary: 'Store a file of at most 10 MiB, tied to a record if one is given.',
  effect: 'write',
  scope: 'finance.attachments',
  input: {
    file: uploadedFile,
    kind: z.enum(attachmentKinds).default('other'),
    link_to: linkTarget.optional().describe('The record the file belongs to.'),
  },
  output: attachmentSchema,
  async run({ file, kind, link_to: link }, context) {
    const bytes = bytesOfUpload(file);
    if (link !== undefined) await requireRecord(context, link);
    return attachmentOf(
      await storeAttachment(context, { name: file.name, bytes, kind, ...(link !== undefined && { link }) }),
    );
  },
});
