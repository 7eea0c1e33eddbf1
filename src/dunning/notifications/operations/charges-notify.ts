import { id, money } from '../../../core/fields.ts';
import { type Context, type InputOf, operation } from '../../../core/operation.ts';
import { requireCharge } from '../../charges/index.ts';
import { type Composed, composeMessage } from '../composing.ts';
import { messageFacts } from '../facts.ts';
import { queueNotification } from '../queueing.ts';
import { notificationOf } from '../resource.ts';
import { channelArgument, notificationSchema } from '../schema.ts';

const input = {
  id: id('the charge'),
  channel: channelArgument.describe('How it is sent.'),
  template_id: id('the template; default: a plain text that names the charge').optional(),
  contact_id: id('the contact; default: the best of the channel').optional(),
  expected_amount: money()
    .optional()
    .describe('The amount due that a person has seen; another one stops it.'),
};

/** Belongs to the charges by its name, where a person looks for it, and to the messages by what it makes. */
export const notifyCharge = operation({
  name: 'dunning_charges_notify',
  title: 'Send message about charge',
  titlePortuguese: 'Avisar o devedor da cobrança',
  summary: 'Send the debtor one message about one charge now.',
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
  const charge = await requireCharge({ ...context, isWriting: false }, given.id);
  return composeMessage(context, {
    personId: charge.person_id,
    chargeIds: [charge.id],
    channel: given.channel,
    contactId: given.contact_id,
    templateId: given.template_id,
    expectedAmount: given.expected_amount,
    trigger: 'manual',
  });
}
