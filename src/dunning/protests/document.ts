/** The document that proves a debt: read from the argument, its type taken from its bytes. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { failArgument } from '../../core/errors.ts';
import { text } from '../../core/fields.ts';
import { cleanOutsideText } from '../../core/text.ts';

/** Of decoded bytes: 2 MiB. */
export const DOCUMENT_BYTES_MAX = 2 * 1024 * 1024;

const contentTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;
const BASE64_MAX = Math.ceil(DOCUMENT_BYTES_MAX / 3) * 4;
const NAME_MAX = 200;
const contentForm = 'the bytes of the file in standard base64, at most 2 MiB';

export const documentArgument = z
  .strictObject({
    name: text(NAME_MAX).describe('File name.'),
    content_type: z.enum(contentTypes),
    content: z
      .base64({ error: contentForm })
      .min(4, { error: contentForm })
      .max(BASE64_MAX, { error: contentForm })
      .describe('The bytes, in base64; at most 2 MiB.'),
  })
  .describe('Proof of the debt: invoice with delivery, contract, promissory note.');

export interface ProofDocument {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly sha256: Buffer;
}

/** Fails with `invalid_argument` when the bytes are no base64, too many, or of another type than said. */
export function documentOf(argument: z.output<typeof documentArgument>): ProofDocument {
  const bytes = Buffer.from(argument.content, 'base64');
  if (
    bytes.length === 0 ||
    bytes.length > DOCUMENT_BYTES_MAX ||
    bytes.toString('base64') !== argument.content
  ) {
    failArgument('document_attachment.content', contentForm);
  }
  if (typeOfBytes(bytes) !== argument.content_type) {
    failArgument('document_attachment.content_type', `the type the bytes have: ${contentTypes.join(', ')}`);
  }
  return {
    name: nameOf(argument.name),
    contentType: argument.content_type,
    bytes,
    sha256: createHash('sha256').update(bytes).digest(),
  };
}

function typeOfBytes(bytes: Buffer): (typeof contentTypes)[number] | null {
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf';
  if (bytes.subarray(0, 3).toString('hex') === 'ffd8ff') return 'image/jpeg';
  if (bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a') return 'image/png';
  return null;
}

/** Without path and without characters a reader cannot see. */
function nameOf(name: string): string {
  const last = cleanOutsideText(name, NAME_MAX).split(/[/\\]/).at(-1)!.trim();
  return last === '' ? 'document' : last;
}
