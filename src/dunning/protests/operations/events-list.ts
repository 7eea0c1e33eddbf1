import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { legalEventSchema, pageOfEvents } from '../../legal/index.ts';
import { requireProtest } from '../resource.ts';

export const listProtestEvents = operation({
  name: 'dunning_protest_events_list',
  title: 'List events of a protest',
  summary: 'What happened to a protest, the answers of the notary office among it, newest first.',
  effect: 'read',
  scope: 'dunning.legal',
  input: {
    protest_id: id('the protest'),
    sort: z.enum(['at', '-at']).default('-at'),
    cursor: listArguments.cursor,
    limit: listArguments.limit,
  },
  output: listOutput(legalEventSchema),
  async run(input, context) {
    const { id: actionId } = await requireProtest(context, input.protest_id);
    return pageOfEvents(context, actionId, input);
  },
});
