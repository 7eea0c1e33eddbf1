import { z } from 'zod';
import { moving, ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { maskedContact, queueNotification } from '../../notifications/index.ts';
import { agreementFacts } from '../facts.ts';
import { agreementOf, storeAgreement } from '../resource.ts';
import { agreementId, agreementSchema } from '../schema.ts';
import { proposalChannels, requireOffer } from '../sending.ts';

const channelWords = {
  email: { 'pt-BR': 'e-mail', en: 'e-mail' },
  whatsapp: { 'pt-BR': 'WhatsApp', en: 'WhatsApp' },
  letter: { 'pt-BR': 'carta', en: 'letter' },
} as const;

export const sendAgreement = operation({
  name: 'dunning_agreements_send',
  title: 'Send agreement proposal',
  titlePortuguese: 'Enviar proposta de acordo',
  summary: 'Send a proposal to the debtor, who may then accept it until its last day.',
  effect: 'destructive',
  scope: 'dunning.agreements',
  alsoScopes: ['dunning.notifications.send'],
  hints: { openWorld: true },
  input: {
    id: agreementId(),
    channel: z.enum(proposalChannels).describe('How it is sent.'),
    contact_id: id('the contact to use').optional().describe('Default: the best one of the channel.'),
  },
  output: z.object({ agreement: agreementSchema, notification_id: z.string() }),
  async question(input, context) {
    const { proposal, contact, subject, body } = await requireOffer(context, input);
    const { agreement, installments } = proposal;
    return [
      // An offer binds whoever makes it (Código Civil, art. 427).
      ...moving('original_total', agreement.original_total_cents, agreementFacts(agreement, installments)),
      ours('channel', 'Canal', 'Channel', channelWords[input.channel]),
      ...(contact === null ? [] : [outside('contact', 'Contato', 'Contact', maskedContact(contact.value))]),
      outside('subject', 'Assunto', 'Subject', subject),
      outside('message', 'Mensagem', 'Message', body),
    ];
  },
  async run(input, context) {
    const { proposal, person, contact, subject, body } = await requireOffer(context, input);
    const { agreement } = proposal;
    const notification = await queueNotification(context, {
      personId: person.id,
      chargeIds: [],
      channel: input.channel,
      contactId: contact?.id ?? null,
      ownSubject: input.channel === 'whatsapp' ? null : subject,
      ownBody: body,
      agreementId: agreement.id,
      trigger: 'agreement',
    });
    const sent = await storeAgreement(context, agreement, { sent_at: context.now.toISOString() });
    return { agreement: agreementOf(sent), notification_id: notification.id };
  },
});
