/** The letters as files: what a tool says of one, and its bytes for whoever asked for the document. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../core/operation.ts';
import type { ResourceFile } from '../../core/surfaces.ts';
import type { Letter } from './paper.ts';

const CONTENT_TYPE = 'application/pdf';

/** What every letter says of itself. */
export const letterFields = {
  file_name: z.string(),
  content_type: z.literal(CONTENT_TYPE),
  size: z.int().describe('Bytes.'),
  pages: z.int(),
  sha256: z.string(),
};

export const letterSchema = z
  .object({
    ...letterFields,
    resource_uri: z.string().describe('The resource that holds the bytes.'),
  })
  .meta({ id: 'letter', description: 'A PDF, described; the bytes are never in this answer.' });

export function describe(fileName: string, { bytes, pages }: Letter) {
  return {
    file_name: fileName,
    content_type: CONTENT_TYPE,
    size: bytes.length,
    pages,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  } as const;
}

/** The letter as a resource gives it. */
export function fileOf(write: (context: Context, id: string) => Promise<Letter>) {
  return async (context: Context, args: Readonly<Record<string, string>>): Promise<ResourceFile> => ({
    bytes: (await write(context, args['id']!)).bytes,
    contentType: CONTENT_TYPE,
  });
}
