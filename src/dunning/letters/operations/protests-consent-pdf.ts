import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { consentPdf } from '../consent.ts';
import { describe, letterFields } from '../files.ts';
import { consentOf } from '../gather.ts';

export const consentToCancel = operation({
  name: 'dunning_protests_consent_pdf',
  title: 'Letter of consent',
  summary:
    'The letter with which a paid debtor has the protest cancelled at the notary office; to be signed.',
  effect: 'read',
  scope: 'dunning.legal',
  input: { id: id('the protest') },
  output: z.object({
    ...letterFields,
    content_base64: z.string().describe('The bytes: one page, which no resource holds.'),
  }),
  async run(input, context) {
    const letter = await consentPdf(await consentOf(context, input.id));
    return {
      ...describe(`anuencia-${input.id}.pdf`, letter),
      content_base64: letter.bytes.toString('base64'),
    };
  },
});
