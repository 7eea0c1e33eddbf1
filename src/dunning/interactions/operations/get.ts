import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { interactionOf, requireInteraction } from '../resource.ts';
import { interactionSchema } from '../schema.ts';

export const getInteraction = operation({
  name: 'dunning_interactions_get',
  title: 'Get interaction',
  summary: 'One call, reply, note or visit.',
  effect: 'read',
  scope: 'dunning.people',
  input: { id: id('the interaction') },
  output: interactionSchema,
  async run(input, context) {
    return interactionOf(await requireInteraction(context, input.id));
  },
});
