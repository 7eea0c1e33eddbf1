import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { notificationDetailOf, requireNotification } from '../resource.ts';
import { notificationDetailSchema } from '../schema.ts';

export const getNotification = operation({
  name: 'dunning_notifications_get',
  title: 'Get message',
  summary: 'One message: its text as sent, its state, and its delivery trail.',
  effect: 'read',
  scope: 'dunning.notifications',
  input: { id: id('the message') },
  output: notificationDetailSchema,
  async run(input, context) {
    return notificationDetailOf(context, await requireNotification(context, input.id));
  },
});
