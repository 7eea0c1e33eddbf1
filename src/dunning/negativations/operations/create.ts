import { z } from 'zod';
import { id, moneyOrZero } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { createRequest, prepareRequest } from '../creating.ts';
import { requestFacts } from '../facts.ts';
import { negativationOf } from '../resource.ts';
import { bureaus, negativationSchema } from '../schema.ts';

export const createNegativation = operation({
  name: 'dunning_negativations_create',
  title: 'Ask for a credit-bureau report',
  titlePortuguese: 'Pedir a negativação',
  summary: 'Ask for a debt to be reported; it waits for the approval of another person, and nothing is sent.',
  effect: 'destructive',
  scope: 'dunning.legal',
  alsoScopes: ['dunning.legal.request'],
  input: {
    charge_id: id('the charge'),
    bureau: z.enum(bureaus).describe('Credit bureau.'),
    reason: cleanText(500).optional(),
    expected_amount: moneyOrZero().optional().describe('The `amount_due` that a person has seen.'),
  },
  output: negativationSchema,
  async question(input, context) {
    return requestFacts(await prepareRequest(context, input), input.bureau);
  },
  async run(input, context) {
    const setting = await prepareRequest(context, input);
    return negativationOf(await createRequest(context, input, setting));
  },
});
