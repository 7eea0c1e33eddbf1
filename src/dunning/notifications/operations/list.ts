import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { notificationSorts, selectNotifications } from '../queries.ts';
import { notificationOf } from '../resource.ts';
import { channelArgument, messageStatuses, messageTriggers, notificationSchema } from '../schema.ts';

export const listNotifications = operation({
  name: 'dunning_notifications_list',
  title: 'List messages',
  summary: 'Messages to debtors with their delivery state, newest first.',
  effect: 'read',
  scope: 'dunning.notifications',
  input: {
    person_id: id('the debtor').optional(),
    charge_id: id('the charge').optional(),
    agreement_id: id('the agreement').optional(),
    channel: channelArgument.optional().describe('How they are sent.'),
    status: z.enum(messageStatuses).optional(),
    trigger: z.enum(messageTriggers).optional().describe('What they were made by.'),
    date_from: date().optional().describe('First day on which they leave.'),
    date_to: date().optional().describe('Last day on which they leave.'),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(notificationSchema),
  async run(input, context) {
    const sort = notificationSorts[input.sort]!;
    const page = { sort, position: decodeCursor(sort, input.cursor), limit: input.limit };
    const found = await selectNotifications(context, input, page);
    const { rows, next_cursor } = pageOf(found, input.limit, sort, (row) => ({
      key: row.created_at,
      id: row.id,
    }));
    return { items: rows.map(notificationOf), next_cursor };
  },
});
