import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { legalEventSchema, pageOfEvents } from '../../legal/index.ts';
import { requireNegativation } from '../resource.ts';

export const listNegativationEvents = operation({
  name: 'dunning_negativation_events_list',
  title: 'List events of a report',
  summary: 'What happened to a credit-bureau report, the answers of the bureau among it, newest first.',
  effect: 'read',
  scope: 'dunning.legal',
  input: {
    negativation_id: id('the report'),
    sort: z.enum(['at', '-at']).default('-at'),
    cursor: listArguments.cursor,
    limit: listArguments.limit,
  },
  output: listOutput(legalEventSchema),
  async run(input, context) {
    const { id: actionId } = await requireNegativation(context, input.negativation_id);
    return pageOfEvents(context, actionId, input);
  },
});
