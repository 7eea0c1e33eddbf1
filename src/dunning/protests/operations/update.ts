import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { decide, prepareDecision } from '../deciding.ts';
import { decisionFacts } from '../facts.ts';
import { protestOf } from '../resource.ts';
import { protestSchema } from '../schema.ts';

export const updateProtest = operation({
  name: 'dunning_protests_update',
  title: 'Decide on a protest',
  titlePortuguese: 'Decidir sobre o protesto',
  summary: 'Approve or reject a pending protest; whoever asked for it may not. Approving sends the title.',
  effect: 'destructive',
  scope: 'dunning.legal',
  alsoScopes: ['dunning.legal.approve'],
  hints: { openWorld: true },
  input: {
    id: id('the protest'),
    status: z.enum(['approved', 'rejected']),
    note: cleanText(500).describe('Why.'),
  },
  output: protestSchema,
  async question(input, context) {
    const { row, setting } = await prepareDecision(context, input);
    return decisionFacts(row, setting, input.status);
  },
  async run(input, context) {
    const prepared = await prepareDecision(context, input);
    return protestOf(await decide(context, input, prepared));
  },
});
