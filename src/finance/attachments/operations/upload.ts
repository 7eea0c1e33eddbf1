import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { operation, type WriteContext } from '../../../core/operation.ts';
import { uploadedFile } from '../../schema.ts';
import { attachmentOf, requireRecord, storeAttachment } from '../resource.ts';
import { bytesOfUpload, FILE_BYTES_MAX } from '../rules.ts';
import {
  type AttachmentKind,
  attachmentKinds,
  attachmentSchema,
  type LinkKind,
  linkTarget,
} from '../schema.ts';
import { createUploadLink } from '../upload-links.ts';

const uploadLinkSchema = z
  .object({
    url: z.string().describe('Whoever holds it may send one file; treat it as a secret.'),
    method: z.literal('PUT'),
    max_bytes: z.int(),
    expires_at: z.string(),
  })
  .meta({ id: 'upload_link', description: 'Where the bytes of one file may be sent, once.' });

export const uploadAttachment = operation({
  name: 'finance_attachments_upload',
  title: 'Upload attachment',
  summary:
    'Store a file of at most 10 MiB. Without its bytes, the answer is a one-time link to send them to.',
  effect: 'write',
  scope: 'finance.attachments',
  input: {
    file: uploadedFile
      .partial({ content_base64: true })
      .describe('Leave `content_base64` out to get an upload link.'),
    kind: z.enum(attachmentKinds).default('other'),
    link_to: linkTarget.optional().describe('The record the file belongs to.'),
  },
  output: z.object({
    attachment: attachmentSchema.nullable().describe('null until the bytes have arrived.'),
    upload_link: uploadLinkSchema.nullable(),
  }),
  async run({ file, kind, link_to: link }, context) {
    if (link !== undefined) await requireRecord(context, link);
    const { name, content_base64 } = file;
    if (content_base64 === undefined) {
      return { attachment: null, upload_link: await linkFor(context, { name, kind, link: link ?? null }) };
    }
    const bytes = bytesOfUpload({ content_base64 });
    const stored = await storeAttachment(context, { name, bytes, kind, ...(link !== undefined && { link }) });
    return { attachment: attachmentOf(stored), upload_link: null };
  },
});

async function linkFor(
  context: WriteContext,
  file: { name: string; kind: AttachmentKind; link: { kind: LinkKind; id: string } | null },
): Promise<z.input<typeof uploadLinkSchema>> {
  if (context.publicUrl === null) {
    failArgument(
      'file.content_base64',
      'the bytes in base64: this connection has no address to send them to',
    );
  }
  const { ticket, expiresAt } = await createUploadLink(context, file);
  return {
    url: `${context.publicUrl}/finance/uploads/${ticket}`,
    method: 'PUT' as const,
    max_bytes: FILE_BYTES_MAX,
    expires_at: expiresAt,
  };
}
