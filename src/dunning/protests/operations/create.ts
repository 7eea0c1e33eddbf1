import { z } from 'zod';
import { id, moneyOrZero } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { titleKindCodes } from '../../legal/index.ts';
import { createRequest, prepareRequest } from '../creating.ts';
import { documentArgument } from '../document.ts';
import { requestFacts } from '../facts.ts';
import { protestOf } from '../resource.ts';
import { protestSchema } from '../schema.ts';

export const createProtest = operation({
  name: 'dunning_protests_create',
  title: 'Ask for a protest',
  titlePortuguese: 'Pedir o protesto',
  summary:
    'Ask for a title to be protested; it waits for the approval of another person, and nothing is sent.',
  effect: 'destructive',
  scope: 'dunning.legal',
  alsoScopes: ['dunning.legal.request'],
  input: {
    charge_id: id('the charge'),
    title_kind: z.enum(titleKindCodes).describe('Kind of title; those that end in I go by indication.'),
    document_attachment: documentArgument.optional(),
    expected_amount: moneyOrZero().optional().describe('The `amount_due` that a person has seen.'),
  },
  output: protestSchema,
  async question(input, context) {
    const { setting, document } = await prepareRequest(context, input);
    return requestFacts(setting, input.title_kind, document);
  },
  async run(input, context) {
    return protestOf(await createRequest(context, input, await prepareRequest(context, input)));
  },
});
