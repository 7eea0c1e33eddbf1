/** Files of a workspace; `storeAttachment` and `attachmentsOf` serve the slices whose records have files. */

import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { deleteAttachment } from './operations/delete.ts';
import { downloadAttachment } from './operations/download.ts';
import { getAttachment } from './operations/get.ts';
import { linkAttachment } from './operations/link.ts';
import { listAttachments } from './operations/list.ts';
import { unlinkAttachment } from './operations/unlink.ts';
import { uploadAttachment } from './operations/upload.ts';
import { readAttachmentFile, suggestAttachmentIds } from './resource.ts';

export { attachmentsOf, readAttachmentFile, requireAttachment, storeAttachment } from './resource.ts';
export { bytesOfUpload } from './rules.ts';
export { readUploadTicket, receiveUpload, requireUploadLink } from './upload-links.ts';

export const attachmentCompletion: Completion = {
  kind: 'records',
  operation: 'finance_attachments_list',
  suggest: suggestAttachmentIds,
};

export const operations = [
  listAttachments,
  getAttachment,
  downloadAttachment,
  uploadAttachment,
  linkAttachment,
  unlinkAttachment,
  deleteAttachment,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/attachments/{attachment_id}',
    name: 'attachment',
    title: 'Attachment',
    description: "An attachment's data and what it is linked to.",
    mimeType: 'application/json',
    operation: 'finance_attachments_get',
    variable: 'uuid',
    completion: attachmentCompletion,
    ttlMs: 0,
  },
  {
    uri: 'kobana://finance/attachments/{attachment_id}/download',
    name: 'attachment_file',
    title: 'Attachment file',
    description: "The attachment's file: receipt, boleto, XML.",
    operation: 'finance_attachments_download',
    variable: 'uuid',
    completion: attachmentCompletion,
    file: (context, args) => readAttachmentFile(context, args['attachment_id']!),
    ttlMs: 0,
  },
];
