import { z } from 'zod';
import { listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { codes, eventCodes, kindOf } from '../codes.ts';
import { sampleBody } from '../samples.ts';

const eventCodeSchema = z
  .object({
    event: z.string(),
    description: z.string(),
    resource: z.string().describe('Kind of the record in `data`.'),
    sample: z.string().nullable().describe('A body with example values; null without `prefix`.'),
  })
  .meta({ id: 'webhook_event', description: 'Something a webhook can be told of.' });

export const listEventCodes = operation({
  name: 'dunning_webhook_events_list',
  title: 'List webhook events',
  summary: 'What webhooks can be told of; with `prefix`, a sample body of each event too.',
  effect: 'read',
  scope: 'dunning.webhooks',
  input: { prefix: text(60).optional().describe('Only codes that start with this, such as "charge.".') },
  output: listOutput(eventCodeSchema),
  async run({ prefix }, { catalogue }) {
    const found = codes.filter((code) => code.startsWith(prefix?.toLowerCase() ?? ''));
    const items = found.map((event) => ({
      event,
      description: eventCodes[event],
      resource: kindOf(event),
      sample: prefix === undefined ? null : sampleBody(catalogue, event),
    }));
    return { items, next_cursor: null };
  },
});
