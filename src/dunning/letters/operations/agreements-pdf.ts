import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { agreementPdf } from '../agreement-term.ts';
import { describe, letterSchema } from '../files.ts';
import { agreementTermOf } from '../gather.ts';

export const termOfAgreement = operation({
  name: 'dunning_agreements_pdf',
  title: 'Term of an agreement',
  summary: 'Describes the term of an agreement or proposal and names the resource that holds the PDF.',
  effect: 'read',
  scope: 'dunning.agreements',
  input: { id: id('the agreement') },
  output: letterSchema,
  async run(input, context) {
    const letter = await agreementPdf(await agreementTermOf(context, input.id));
    return {
      ...describe(`acordo-${input.id}.pdf`, letter),
      resource_uri: `kobana://dunning/agreements/${input.id}/pdf`,
    };
  },
});
