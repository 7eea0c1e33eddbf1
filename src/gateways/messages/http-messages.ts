/**
 * Short messages and letters through any provider that speaks this small protocol (docs/messages.md): a POST with our
 * key, a GET that asks for it, and signed reports.
 */

import { z } from 'zod';
import { parseId } from '../../core/ids.ts';
import { callProvider, isProviderAddress, type ProviderAnswer } from './http.ts';
import {
  type DeliveryReport,
  type FoundMessage,
  MessageOutcomeUnknown,
  type MessagePort,
  MessageRefused,
  MessageUnreachable,
  type OutgoingMessage,
} from './port.ts';
import { detailOf, jsonOf, providerIdOf } from './reports.ts';

const REPORTS_MAX = 500;

export interface HttpMessagesOptions {
  readonly channel: 'sms' | 'letter';
  /** Messages are POSTed here and asked for at `<url>/<key>`; https, or http on this machine. */
  readonly url: string;
  readonly token: string;
  /** One call, in milliseconds. Default 15 s. */
  readonly timeoutMs?: number;
}

/** The name under which messages of the channel are recorded. */
export const httpProviderOf = (channel: HttpMessagesOptions['channel']) => `http-${channel}`;

/** Throws `TypeError` for an address that may not be called. */
export function createHttpMessages({ channel, url, token, timeoutMs }: HttpMessagesOptions): MessagePort {
  if (!isProviderAddress(url)) throw new TypeError('the address of a message provider must be https');
  const base = url.replace(/\/+$/, '');
  return {
    name: httpProviderOf(channel),
    async send(message) {
      const answer = await callProvider({
        method: 'POST',
        url: base,
        token,
        headers: { 'idempotency-key': message.key },
        body: bodyOf(message),
        timeoutMs,
      });
      return sentBy(answer);
    },
    async find(key) {
      return foundBy(await callProvider({ method: 'GET', url: `${base}/${key}`, token, timeoutMs }));
    },
  };
}

const takenForm = z.object({ id: z.union([z.string(), z.number()]).nullish() });
const refusedForm = z.object({ error: z.object({ code: z.string() }) });

function bodyOf(message: OutgoingMessage): object {
  const { address } = message;
  return {
    key: message.key,
    channel: message.channel,
    to: message.to === '' ? null : message.to,
    address: address && {
      street: address.street,
      number: address.number,
      complement: address.complement,
      district: address.district,
      city: address.city,
      state: address.state,
      postal_code: address.postalCode,
    },
    recipient_name: message.recipientName,
    language: message.language,
    subject: message.subject,
    text: message.text,
    sender_name: message.senderName,
    reply_to: message.replyTo,
  };
}

/** Only what says that the message itself is wrong refuses it; what any message would meet may pass later. */
function sentBy({ status, body }: ProviderAnswer): { providerId: string | null } {
  if (status >= 200 && status < 300) return { providerId: idIn(body) };
  if (status === 400 || status === 410 || status === 413 || status === 422) {
    const parsed = refusedForm.safeParse(body);
    const isContact = parsed.success && parsed.data.error.code === 'invalid_contact';
    throw new MessageRefused(isContact ? 'invalid_contact' : 'rejected', `the provider answered ${status}`);
  }
  if (status >= 500 || status === 408 || status === 409) {
    throw new MessageOutcomeUnknown(`the provider answered ${status}`);
  }
  throw new MessageUnreachable(`the provider answered ${status}`);
}

function foundBy({ status, body }: ProviderAnswer): FoundMessage {
  if (status === 200) return { state: 'taken', providerId: idIn(body) };
  if (status === 404) return { state: 'absent' };
  throw new MessageUnreachable(`the provider answered ${status} when it was asked`);
}

function idIn(body: unknown): string | null {
  const parsed = takenForm.safeParse(body);
  const id = parsed.success ? parsed.data.id : null;
  return providerIdOf(typeof id === 'number' ? String(id) : id);
}

const reportsForm = z.object({
  reports: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        key: z.string().max(64).nullish(),
        provider_id: z.string().max(200).nullish(),
        status: z.enum(['sent', 'delivered', 'read', 'failed', 'bounced']),
        at: z.iso.datetime({ offset: true }),
        detail: z.string().max(2_000).nullish(),
      }),
    )
    .max(REPORTS_MAX),
});

/** The reports in the body of a provider's call, or null when it is not in their form. */
export function httpReportsOf(bytes: Buffer): DeliveryReport[] | null {
  const parsed = reportsForm.safeParse(jsonOf(bytes));
  if (!parsed.success) return null;
  return parsed.data.reports.map((report) => ({
    reportId: providerIdOf(report.id) ?? report.status,
    key: parseId(report.key ?? ''),
    providerId: providerIdOf(report.provider_id),
    status: report.status,
    at: new Date(report.at),
    detail: detailOf(report.detail),
  }));
}
