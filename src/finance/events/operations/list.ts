import { z } from 'zod';
import { date, id, listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { eventsPage } from '../resource.ts';
import { eventSchema } from '../schema.ts';

const NAME_MAX = 64;

export const listEvents = operation({
  name: 'finance_events_list',
  title: 'List events',
  summary: 'Who changed what, when and through which client, newest first; of one record with `id`.',
  effect: 'read',
  scope: 'finance.events',
  input: {
    resource: text(NAME_MAX)
      .optional()
      .describe('Kind of record, such as "payable", "settlement", "person".'),
    id: id().optional(),
    actor: id('the user').optional(),
    operation: text(NAME_MAX).optional().describe('Name of the tool or job.'),
    date_from: date().optional().describe('In the time zone of the workspace.'),
    date_to: date().optional().describe('In the time zone of the workspace.'),
    sort: z.enum(['-at', 'at']).default('-at'),
    ...listArguments,
  },
  output: listOutput(eventSchema),
  run: (input, context) => eventsPage(context, context.workspaceId, input),
});
