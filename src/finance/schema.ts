/** Shapes that several finance slices share. */

import { z } from 'zod';
import { id, percent, text } from '../core/fields.ts';
import { cleanOutsideText } from '../core/text.ts';

/** Text that names a third party or is shown beside one: cleaned of unseen characters, and not empty after that. */
export const cleanText = (max: number) =>
  text(max)
    .transform((value) => cleanOutsideText(value, max))
    .refine((value) => value !== '', { error: `text of 1 to ${max} characters` });

export const address = z
  .strictObject({
    street: text(200).optional(),
    number: text(20).optional(),
    complement: text(100).optional(),
    district: text(100).optional(),
    city: text(100).optional(),
    state: z
      .string({ error: 'a state as two letters' })
      .regex(/^[A-Z]{2}$/, { error: 'a state as two capital letters, such as "SP"' })
      .optional(),
    postal_code: z
      .string({ error: 'eight digits' })
      .regex(/^\d{8}$/, { error: 'a CEP of eight digits' })
      .optional(),
  })
  .meta({ id: 'address', description: 'A Brazilian address.' });

export const uploadedFile = z.strictObject({
  name: text(200).describe('File name.'),
  content_base64: z
    .base64({ error: 'the bytes of the file in standard base64' })
    .min(4, { error: 'the bytes of the file in standard base64' })
    .describe('The bytes, in base64.'),
});

const COST_CENTERS_MAX = 50;

export const costCentersArgument = z
  .array(z.strictObject({ id: id('the cost center'), percent: percent() }))
  .max(COST_CENTERS_MAX, { error: `at most ${COST_CENTERS_MAX} shares` })
  .describe('Shares that add up to 100.');
