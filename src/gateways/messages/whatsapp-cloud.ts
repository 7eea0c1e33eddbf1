/**
 * WhatsApp through the Cloud API of Meta. It keeps no key of idempotency and cannot be asked for a message, so a lost
 * answer stays unknown until a report with our key comes.
 */

import { z } from 'zod';
import { parseId } from '../../core/ids.ts';
import { callProvider, isProviderAddress, type ProviderAnswer } from './http.ts';
import {
  type DeliveryReport,
  MessageOutcomeUnknown,
  type MessagePort,
  MessageRefused,
  MessageUnreachable,
  type OutgoingMessage,
} from './port.ts';
import { detailOf, jsonOf, providerIdOf } from './reports.ts';

export const WHATSAPP_PROVIDER = 'whatsapp-cloud';

const TEXT_MAX = 4_096;
/** Of all variables of an approved template together. */
const VARIABLES_MAX = 1_024;
const REPORTS_MAX = 500;

export interface WhatsAppOptions {
  /** The version is part of it, for example `https://graph.facebook.com/v23.0`; https, or http on this machine. */
  readonly url: string;
  readonly phoneNumberId: string;
  readonly token: string;
  /**
   * An approved template whose body has two variables, the sender and the text. Without one, plain text is sent, which
   * Meta only delivers within 24 hours of the recipient's last message.
   */
  readonly template: string | null;
  /** One call, in milliseconds. Default 15 s. */
  readonly timeoutMs?: number;
}

/** Throws `TypeError` for an address that may not be called or a phone number id that is none. */
export function createWhatsAppCloud(options: WhatsAppOptions): MessagePort {
  const { url, phoneNumberId, token, timeoutMs } = options;
  if (!isProviderAddress(url)) throw new TypeError('the address of the WhatsApp API must be https');
  if (!/^\d{5,20}$/.test(phoneNumberId)) throw new TypeError('a phone number id of WhatsApp is digits');
  return {
    name: WHATSAPP_PROVIDER,
    async send(message) {
      const answer = await callProvider({
        method: 'POST',
        url: `${url.replace(/\/+$/, '')}/${phoneNumberId}/messages`,
        token,
        body: bodyOf(message, options.template),
        timeoutMs,
      });
      return sentBy(answer);
    },
    async find() {
      return { state: 'unknowable' };
    },
  };
}

function bodyOf(message: OutgoingMessage, template: string | null): object {
  const shared = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.to.replace(/^\+/, ''),
    // Comes back with every report.
    biz_opaque_callback_data: message.key,
  };
  if (template === null) {
    requireLength(message.text.length, TEXT_MAX);
    return { ...shared, type: 'text', text: { preview_url: false, body: message.text } };
  }
  const sender = onOneLine(message.senderName);
  const text = onOneLine(message.text);
  requireLength(sender.length + text.length, VARIABLES_MAX);
  return {
    ...shared,
    type: 'template',
    template: {
      name: template,
      language: { code: message.language === 'en' ? 'en' : 'pt_BR' },
      components: [
        { type: 'body', parameters: [sender, text].map((value) => ({ type: 'text', text: value })) },
      ],
    },
  };
}

/** A text is sent whole or not at all: what is cut off might be the amount. */
function requireLength(length: number, max: number): void {
  if (length > max)
    throw new MessageRefused('rejected', `the text has ${length} characters; WhatsApp takes ${max}`);
}

/** Variables of templates may hold no line break, no tab and no run of spaces. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const takenForm = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) });
const refusedForm = z.object({
  error: z.object({ code: z.number(), error_subcode: z.number().nullish() }),
});

/** Nobody reads messages at this number: not a number of WhatsApp, or the sender's own (Meta's list of error codes). */
const wrongContact = new Set([131026, 131021]);
/** About this message alone: its form, or a recipient who may not be written to now. */
const wrongMessage = new Set([100, 131008, 131009, 131047, 131049, 131050, 131051]);
/** Code 100 with this subcode: the number we send from does not exist, which is about no message. */
const NO_SUCH_SENDER = 33;
/** Answers of a service that is down; it says that nothing was done. */
const isDown = new Set([131016, 133004]);

/** Only what is about the message refuses it; limits, tokens, accounts and templates may pass later. */
function sentBy({ status, body }: ProviderAnswer): { providerId: string } {
  if (status >= 200 && status < 300) {
    const parsed = takenForm.safeParse(body);
    if (parsed.success) return { providerId: parsed.data.messages[0]!.id };
    throw new MessageOutcomeUnknown(`WhatsApp answered ${status} with something unreadable`);
  }
  const parsed = refusedForm.safeParse(body);
  const code = parsed.success ? parsed.data.error.code : null;
  const what = `WhatsApp answered ${status}${code === null ? '' : ` (${code})`}`;
  if (code !== null && wrongContact.has(code)) throw new MessageRefused('invalid_contact', what);
  const isOurs = parsed.success && parsed.data.error.error_subcode === NO_SUCH_SENDER;
  if (code !== null && wrongMessage.has(code) && !isOurs) throw new MessageRefused('rejected', what);
  if (status >= 500 && (code === null || !isDown.has(code))) throw new MessageOutcomeUnknown(what);
  throw new MessageUnreachable(what);
}

const statusForm = z.object({
  id: z.string().min(1).max(300),
  status: z.string(),
  timestamp: z.string().regex(/^\d{1,12}$/),
  biz_opaque_callback_data: z.string().max(512).nullish(),
  errors: z.array(z.object({ code: z.number(), title: z.string().nullish() })).nullish(),
});

const notificationForm = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(
    z.object({
      changes: z.array(z.object({ value: z.object({ statuses: z.array(z.unknown()).nullish() }) })),
    }),
  ),
});

const knownStatuses: Readonly<Record<string, DeliveryReport['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
};

/** The statuses in a notification of Meta, of other notifications none; null when it is not in their form. */
export function whatsAppReportsOf(bytes: Buffer): DeliveryReport[] | null {
  const parsed = notificationForm.safeParse(jsonOf(bytes));
  if (!parsed.success) return null;
  const told = parsed.data.entry
    .flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses ?? []))
    .slice(0, REPORTS_MAX);
  return told.flatMap((one) => {
    const status = statusForm.safeParse(one);
    const known = status.success ? knownStatuses[status.data.status] : undefined;
    if (!status.success || known === undefined) return [];
    const { id, timestamp, errors, biz_opaque_callback_data: key } = status.data;
    const [error] = errors ?? [];
    return [
      {
        reportId: `${known}/${timestamp}`,
        key: parseId(key ?? ''),
        providerId: providerIdOf(id),
        status: isBounce(known, error?.code) ? 'bounced' : known,
        at: new Date(Number(timestamp) * 1_000),
        detail: detailOf(error?.code, error?.title),
      },
    ];
  });
}

function isBounce(status: DeliveryReport['status'], code: number | undefined): boolean {
  return status === 'failed' && code !== undefined && wrongContact.has(code);
}
