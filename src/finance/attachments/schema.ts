import { z } from 'zod';
import { id } from '../../core/fields.ts';

export const attachmentKinds = ['receipt', 'boleto', 'invoice_xml', 'contract', 'other'] as const;

/** Records a file can be tied to. */
export const linkKinds = [
  'payable',
  'payment',
  'settlement',
  'person',
  'company',
  'financial_transaction',
  'fiscal_document',
  'receivable',
  'charge',
  'transfer',
  'statement_import',
  'bank_return',
  'dda_boleto',
] as const;

export type AttachmentKind = (typeof attachmentKinds)[number];
export type LinkKind = (typeof linkKinds)[number];

/** A record as the other end of a link, in arguments. */
export const linkTarget = z
  .strictObject({ kind: z.enum(linkKinds), id: id('the record') })
  .describe('A record, by its kind and id.');

const described = {
  file_name: z.string().describe('As the uploader named it, cleaned; outside text.'),
  content_type: z.string().describe('Decided from the bytes, never from the name.'),
  size: z.int().describe('Bytes.'),
  sha256: z.string().describe('Of the bytes, in hexadecimal.'),
};

export const attachmentSchema = z
  .object({
    id: z.string(),
    ...described,
    kind: z.enum(attachmentKinds),
    links: z
      .array(z.object({ kind: z.enum(linkKinds), id: z.string() }))
      .describe('What the file is linked to.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'attachment', description: 'A stored file and what it is linked to.' });

export const attachmentFileSchema = z
  .object({
    attachment_id: z.string(),
    ...described,
    resource_uri: z.string().describe('Read this resource to get the bytes.'),
  })
  .meta({ id: 'attachment_file', description: 'Where the bytes of a stored file are, and what they are.' });

export type Attachment = z.infer<typeof attachmentSchema>;
