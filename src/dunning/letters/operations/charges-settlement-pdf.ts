import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { describe, letterSchema } from '../files.ts';
import { settlementOf } from '../gather.ts';
import { settlementPdf } from '../settlement.ts';

export const settlementOfCharge = operation({
  name: 'dunning_charges_settlement_pdf',
  title: 'Settlement letter',
  summary: 'Describes the settlement letter of a paid charge and names the resource that holds the PDF.',
  effect: 'read',
  scope: 'dunning.charges',
  input: { id: id('the charge') },
  output: letterSchema,
  async run(input, context) {
    const letter = await settlementPdf(await settlementOf(context, input.id));
    return {
      ...describe(`quitacao-${input.id}.pdf`, letter),
      resource_uri: `kobana://dunning/charges/${input.id}/settlement-pdf`,
    };
  },
});
