/** Shapes that several finance slices share. */

import { z } from 'zod';
import { id, percent, text } from '../core/fields.ts';

export { cleanText } from '../core/fields.ts';

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
