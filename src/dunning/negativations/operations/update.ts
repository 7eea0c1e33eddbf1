import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { decide, prepareDecision } from '../deciding.ts';
import { decisionFacts } from '../facts.ts';
import { negativationOf } from '../resource.ts';
import { negativationSchema } from '../schema.ts';

export const updateNegativation = operation({
  name: 'dunning_negativations_update',
  title: 'Decide on a credit-bureau report',
  titlePortuguese: 'Decidir sobre a negativação',
  summary:
    'Approve or reject a pending report; whoever asked for it may not. Approving sends the prior notice.',
  effect: 'destructive',
  scope: 'dunning.legal',
  alsoScopes: ['dunning.legal.approve'],
  hints: { openWorld: true },
  input: {
    id: id('the report'),
    status: z.enum(['approved', 'rejected']),
    note: cleanText(500).describe('Why.'),
  },
  output: negativationSchema,
  async question(input, context) {
    const { row, setting } = await prepareDecision(context, input);
    return decisionFacts(row, setting, input.status);
  },
  async run(input, context) {
    const prepared = await prepareDecision(context, input);
    return negativationOf(await decide(context, input, prepared));
  },
});
