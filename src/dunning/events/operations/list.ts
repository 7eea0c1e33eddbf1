import { z } from 'zod';
import { date, id, listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { eventSchema, eventsPage } from '../../../finance/events/index.ts';

const NAME_MAX = 64;

export const listEvents = operation({
  name: 'dunning_events_list',
  title: 'List events',
  summary: 'Who changed what, when and through which client, newest first; of one record with `id`.',
  effect: 'read',
  scope: 'dunning.events',
  input: {
    resource: text(NAME_MAX)
      .optional()
      .describe('Kind of record, such as "charge", "agreement", "notification".'),
    id: id().optional(),
    actor: id('the user').optional(),
    operation: text(NAME_MAX).optional().describe('Name of the tool or job.'),
    date_from: date().optional().describe('In the time zone of the organization.'),
    date_to: date().optional().describe('In the time zone of the organization.'),
    sort: z.enum(['-at', 'at']).default('-at'),
    ...listArguments,
  },
  output: listOutput(eventSchema),
  run: (input, context) => eventsPage(context, context.organizationId, input),
});
