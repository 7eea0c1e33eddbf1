/** What a person reads before a message goes out or is called off. */

import { civilDateAt, civilTimeAt, formatDateBr } from '../../core/dates.ts';
import { ours, outside, type Words } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Context, Fact } from '../../core/operation.ts';
import { personFacts } from '../people/index.ts';
import type { Composed } from './composing.ts';
import type { NotificationRow } from './queries.ts';
import { maskedContact } from './rules.ts';

const PREVIEW_MAX = 400;
const DESCRIPTION_SHOWN = 80;

const channelNames: Readonly<Record<string, Words>> = {
  email: { 'pt-BR': 'e-mail', en: 'e-mail' },
  sms: { 'pt-BR': 'SMS', en: 'SMS' },
  whatsapp: { 'pt-BR': 'WhatsApp', en: 'WhatsApp' },
  letter: { 'pt-BR': 'carta', en: 'letter' },
};

/** Whom a message goes to, about what and how much, when, and how it reads. */
export function messageFacts(context: Context, composed: Composed): Fact[] {
  const { person, contact, charges, totalDueCents, templateName, preview, draft } = composed;
  return [
    ...personFacts(person),
    channelFact(draft.channel),
    contactFact(contact?.value ?? null, draft.channel),
    ours('amount_due', 'Total devido', 'Total due', formatBrl(totalDueCents)),
    ...charges.map(({ row, amounts }) =>
      outside(
        `charge:${row.id}`,
        `Cobrança ${row.id}`,
        `Charge ${row.id}`,
        // Figures first: they are ours, and no description pushes them out of the line.
        [
          formatBrl(amounts.amountDue),
          formatDateBr(row.due_date),
          row.description.slice(0, DESCRIPTION_SHOWN),
        ].join('; '),
      ),
    ),
    whenFact(context, composed),
    ...(templateName === null ? [] : [outside('template', 'Modelo', 'Template', templateName)]),
    ...(preview.subject === null ? [] : [outside('subject', 'Assunto', 'Subject', preview.subject)]),
    outside('text', 'Texto', 'Text', capped(preview.body)),
  ];
}

/** Which message it is that will not be sent. */
export function waitingFacts(context: Context, row: NotificationRow): Fact[] {
  return [
    outside('debtor', 'Devedor', 'Debtor', row.person_name),
    channelFact(row.channel),
    contactFact(row.contact_value, row.channel),
    ours('charges', 'Cobranças', 'Charges', row.charge_ids.length === 0 ? '-' : row.charge_ids.join(', ')),
    instantFact(context, new Date(row.scheduled_for)),
    ours('effect', 'Efeito', 'Effect', {
      'pt-BR': 'a mensagem não será enviada',
      en: 'the message will not be sent',
    }),
  ];
}

function channelFact(channel: string): Fact {
  return ours('channel', 'Canal', 'Channel', channelNames[channel] ?? channel);
}

function contactFact(value: string | null, channel: string): Fact {
  if (value !== null) return outside('contact', 'Para', 'To', maskedContact(value));
  const text: Words =
    channel === 'letter'
      ? { 'pt-BR': 'o endereço do cadastro', en: 'the registered address' }
      : { 'pt-BR': 'o melhor contato na hora do envio', en: 'the best contact when it is sent' };
  return ours('contact', 'Para', 'To', text);
}

function whenFact(context: Context, { draft, at }: Composed): Fact {
  if (draft.scheduledFor !== undefined && at > context.now) return instantFact(context, at);
  return ours('when', 'Envio', 'Sent', { 'pt-BR': 'agora', en: 'now' });
}

function instantFact({ timeZone }: Context, at: Date): Fact {
  const date = civilDateAt(at, timeZone);
  const time = civilTimeAt(at, timeZone);
  return ours('when', 'Envio', 'Sent', {
    'pt-BR': `${formatDateBr(date)} ${time}`,
    en: `${date} ${time}`,
  });
}

function capped(text: string): string {
  const characters = Array.from(text);
  return characters.length <= PREVIEW_MAX ? text : `${characters.slice(0, PREVIEW_MAX - 1).join('')}…`;
}
