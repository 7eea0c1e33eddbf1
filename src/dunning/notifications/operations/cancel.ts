import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { waitingFacts } from '../facts.ts';
import type { NotificationRow } from '../queries.ts';
import { changeNotifications, notificationOf, requireNotification } from '../resource.ts';
import { requireCancelable } from '../rules.ts';
import { notificationSchema } from '../schema.ts';

export const cancelNotification = operation({
  name: 'dunning_notifications_cancel',
  title: 'Cancel message',
  titlePortuguese: 'Cancelar mensagem',
  summary: 'Call off a message that has not been sent yet.',
  effect: 'destructive',
  scope: 'dunning.notifications',
  input: { id: id('the message') },
  output: notificationSchema,
  async question(input, context) {
    return waitingFacts(context, await prepare(input.id, context));
  },
  async run(input, context) {
    const row = await prepare(input.id, context);
    const after = { ...row, status: 'canceled', status_reason: 'canceled_by_person' };
    const [stored] = await changeNotifications(context, [{ before: row, after }]);
    return notificationOf(stored!);
  },
});

async function prepare(notificationId: string, context: Context): Promise<NotificationRow> {
  const row = await requireNotification(context, notificationId);
  requireCancelable(row);
  return row;
}
