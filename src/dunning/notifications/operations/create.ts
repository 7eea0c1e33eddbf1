import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { id, instant, money } from '../../../core/fields.ts';
import { type Context, type InputOf, operation } from '../../../core/operation.ts';
import { type Composed, composeMessage } from '../composing.ts';
import { messageFacts } from '../facts.ts';
import { queueNotification } from '../queueing.ts';
import { notificationOf } from '../resource.ts';
import { CHARGES_MAX, channelArgument, notificationSchema, ownText } from '../schema.ts';

const AHEAD_DAYS_MAX = 365;
const listError = `a list of 1 to ${CHARGES_MAX} ids`;

const input = {
  person_id: id('the debtor'),
  charge_ids: z
    .array(id('a charge'), { error: listError })
    .min(1, { error: listError })
    .max(CHARGES_MAX, { error: listError })
    .describe('Charges of the debtor that the message is about.'),
  channel: channelArgument.describe('How it is sent.'),
  template_id: id('the template').optional(),
  ...ownText,
  contact_id: id('the contact; default: the best of the channel').optional(),
  scheduled_for: instant().optional().describe('When it leaves; default: now. The hours of contact hold.'),
  expected_amount: money().optional().describe('The total due that a person has seen; another one stops it.'),
};

export const createNotification = operation({
  name: 'dunning_notifications_create',
  title: 'Send message',
  titlePortuguese: 'Enviar mensagem ao devedor',
  summary: 'Send or schedule one message to a debtor about one or more charges.',
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

function prepare(given: InputOf<typeof input>, context: Context): Promise<Composed> {
  if ((given.template_id === undefined) === (given.body === undefined)) {
    failArgument('template_id', 'a template, or a text in `body`: one of the two');
  }
  if (given.template_id !== undefined && given.subject !== undefined) {
    failArgument('subject', 'nothing: the template has its own');
  }
  return composeMessage(context, {
    personId: given.person_id,
    chargeIds: [...new Set(given.charge_ids)],
    channel: given.channel,
    contactId: given.contact_id,
    templateId: given.template_id,
    subject: given.subject,
    body: given.body,
    scheduledFor: scheduledForOf(given.scheduled_for, context.now),
    expectedAmount: given.expected_amount,
    trigger: 'manual',
  });
}

function scheduledForOf(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  const latest = now.getTime() + AHEAD_DAYS_MAX * 86_400_000;
  if (at.getTime() > latest)
    failArgument('scheduled_for', `an instant within ${AHEAD_DAYS_MAX} days from now`);
  return at;
}
