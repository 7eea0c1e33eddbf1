import { id } from '../../../core/fields.ts';
import { type Context, type InputOf, operation } from '../../../core/operation.ts';
import { type Composed, composeMessage } from '../composing.ts';
import { messageFacts } from '../facts.ts';
import { queueNotification } from '../queueing.ts';
import { notificationOf, requireNotification } from '../resource.ts';
import { requireResendable } from '../rules.ts';
import { notificationSchema } from '../schema.ts';

const input = {
  id: id('the message'),
  contact_id: id('the contact; default: the best of the channel').optional(),
};

export const resendNotification = operation({
  name: 'dunning_notifications_resend',
  title: 'Send message again',
  titlePortuguese: 'Enviar mensagem de novo',
  summary: "Send a message again as a new one, with today's figures; refused when nothing is due any more.",
  effect: 'destructive',
  scope: 'dunning.notifications',
  alsoScopes: ['dunning.notifications.send'],
  hints: { openWorld: true },
  input,
  output: notificationSchema,
  async question(input, context) {
    return messageFacts(context, await prepare(input, context));
  },
  async run(input, context) {
    const { draft } = await prepare(input, context);
    return notificationOf(await queueNotification(context, draft));
  },
});

async function prepare(given: InputOf<typeof input>, context: Context): Promise<Composed> {
  const row = await requireNotification({ ...context, isWriting: false }, given.id);
  requireResendable(row);
  return composeMessage(context, {
    personId: row.person_id,
    chargeIds: row.charge_ids,
    channel: row.channel as Composed['draft']['channel'],
    contactId: given.contact_id,
    templateId: row.template_id,
    subject: row.own_subject,
    body: row.own_body,
    trigger: 'resend',
    resentFrom: row.id,
  });
}
