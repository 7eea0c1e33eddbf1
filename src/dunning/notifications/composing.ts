/** A message that a person wants to send: who gets it, about what, with which words, and whether it may go. */

import { civilDateAt } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { type ChargeRow, requireCharges } from '../charges/index.ts';
import { type ContactRow, type PersonRow, requireContact, requirePerson } from '../people/index.ts';
import { settingsOf } from '../settings/index.ts';
import { cleanLines, type MessageText, requireSendable, requireUsableTemplate } from '../templates/index.ts';
import { type NotificationDraft, slotFor } from './queueing.ts';
import { plainReminder } from './reminder.ts';
import { type Owed, owedOf, renderMessage, totalDueOf, type Wording } from './rendering.ts';

export interface ComposeRequest {
  readonly personId: string;
  readonly chargeIds: readonly string[];
  readonly channel: NotificationDraft['channel'];
  readonly contactId?: string | null | undefined;
  readonly templateId?: string | null | undefined;
  readonly subject?: string | null | undefined;
  readonly body?: string | null | undefined;
  readonly scheduledFor?: Date | undefined;
  readonly expectedAmount?: Cents | undefined;
  readonly trigger: 'manual' | 'resend';
  readonly resentFrom?: string | null | undefined;
}

export interface Composed {
  readonly draft: NotificationDraft;
  readonly person: PersonRow;
  readonly contact: ContactRow | null;
  readonly charges: readonly Owed[];
  readonly totalDueCents: Cents;
  /** The name of the template; null for a text of its own. */
  readonly templateName: string | null;
  /** The text as it would read on the day it leaves. */
  readonly preview: MessageText;
  /** When it leaves, and the civil date of that. */
  readonly at: Date;
  readonly on: string;
}

/**
 * Checks that the message may go, and makes its text. Fails with `not_found`, `invalid_argument` for charges of somebody
 * else, whatever the gate says, what a template may not say, and `amount_changed`.
 */
export async function composeMessage(context: Context, request: ComposeRequest): Promise<Composed> {
  const person = await requirePerson(context, request.personId);
  const rows = await requireCharges(context, request.chargeIds);
  requireSamePerson(rows, person.id);
  const text = await wordingFor(context, request, person);
  const draft = draftOf(request, text);
  const slot = await slotFor(context, draft);
  const on = civilDateAt(slot.at, context.timeZone);
  const charges = [...(await owedOf(context, request.chargeIds, on)).values()];
  const totalDueCents = totalDueOf(charges);
  requireExpected(request.expectedAmount, totalDueCents);
  const reading = { ...context, isWriting: false };
  const settings = await settingsOf(reading);
  return {
    draft,
    person,
    contact: slot.contactId === null ? null : await requireContact(reading, slot.contactId),
    charges,
    totalDueCents,
    templateName: text.templateName,
    preview: renderMessage(settings, text.wording, {
      person: { name: person.name, documentNumber: person.document_number },
      charges,
      today: on,
    }),
    at: slot.at,
    on,
  };
}

interface Text {
  readonly wording: Wording;
  readonly templateId: string | null;
  readonly templateName: string | null;
}

/** The template, the text that was given, or the plain reminder in the language of the debtor. */
async function wordingFor(context: Context, request: ComposeRequest, person: PersonRow): Promise<Text> {
  const { channel, templateId } = request;
  if (templateId) {
    const template = await requireUsableTemplate(context, templateId, channel);
    const language: Wording['language'] = template.language === 'en' ? 'en' : 'pt-BR';
    const wording = { subject: template.subject, body: template.body, language };
    return { wording, templateId, templateName: template.name };
  }
  const language: Wording['language'] = person.language === 'en' ? 'en' : 'pt-BR';
  if (request.body === undefined || request.body === null) {
    const wording = { ...plainReminder(channel, language), language };
    return { wording, templateId: null, templateName: null };
  }
  const body = cleanLines(request.body);
  if (body === '') failArgument('body', 'text that shows');
  const subject = request.subject ? cleanLines(request.subject).replace(/\n+/g, ' ') : null;
  requireSendable({ channel, subject, body });
  return { wording: { subject, body, language }, templateId: null, templateName: null };
}

function draftOf(request: ComposeRequest, { wording, templateId }: Text): NotificationDraft {
  const { personId, chargeIds, channel, contactId, trigger, scheduledFor, resentFrom } = request;
  return {
    personId,
    chargeIds,
    channel,
    contactId,
    templateId,
    ownSubject: templateId === null ? wording.subject : null,
    ownBody: templateId === null ? wording.body : null,
    trigger,
    scheduledFor,
    resentFrom,
  };
}

function requireSamePerson(rows: readonly ChargeRow[], personId: string): void {
  if (rows.some(({ person_id }) => person_id !== personId)) {
    failArgument('charge_ids', 'charges of the debtor in `person_id`');
  }
}

function requireExpected(expected: Cents | undefined, actual: Cents): void {
  if (expected !== undefined && expected !== actual) {
    fail('amount_changed', { expected: moneyText(expected), actual: moneyText(actual) });
  }
}
