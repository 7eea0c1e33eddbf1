/**
 * E-mails to debtors over SMTP. That a server took one is not its delivery: reports are asked for (RFC 3461) and read
 * by `dsn.ts`.
 */

import { MailOutcomeUnknown, MailRefused } from '../mail/port.ts';
import { openSmtpServer, type ReadyMail } from '../mail/smtp.ts';
import { isBadAddress } from './dsn.ts';
import {
  MessageOutcomeUnknown,
  type MessagePort,
  MessageRefused,
  MessageUnreachable,
  type OutgoingMessage,
  SMTP_PROVIDER,
} from './port.ts';
import { providerIdOf } from './reports.ts';

export interface SmtpMessagesOptions {
  /** The mail server, as for other mail. */
  readonly url: string;
  /** An address, or `Name <address>`; messages show the name of the organization's own sender. */
  readonly from: string;
  /** Where reports about messages go; default the address of `from`. */
  readonly bounces?: string | undefined;
}

export interface SmtpMessages extends MessagePort {
  /** Ends the connections that are kept for the next message. */
  close(): void;
}

/** Throws `TypeError` for an address of a server that is none. */
export function createSmtpMessages({ url, from, bounces }: SmtpMessagesOptions): SmtpMessages {
  const server = openSmtpServer(url);
  const sender = addressIn(from);
  return {
    name: SMTP_PROVIDER,
    async send(message) {
      const mail = mailOf(message, sender, bounces ?? sender);
      try {
        await server.take(mail);
      } catch (error) {
        throw failureOf(error as Error);
      }
      return { providerId: providerIdOf(mail.messageId) };
    },
    async find() {
      return { state: 'unknowable' };
    },
    close: () => server.close(),
  };
}

/** The bare address of `Name <address>`. */
function addressIn(from: string): string {
  return /<([^<>]+)>/.exec(from)?.[1] ?? from.trim();
}

function mailOf(message: OutgoingMessage, sender: string, bounces: string): ReadyMail {
  const { key, to, replyTo, senderName, subject, text, language } = message;
  return {
    from: { name: senderName, address: sender },
    // As an object, the address is never parsed as a list of several.
    to: { name: message.recipientName, address: to },
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    envelope: { from: { name: '', address: bounces }, to: { name: '', address: to } },
    messageId: messageIdOf(key, sender),
    subject: subject ?? senderName,
    text,
    html: htmlOf(text, language),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    dsn: { envid: key, ret: 'HDRS', notify: ['SUCCESS', 'FAILURE', 'DELAY'] },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function messageIdOf(key: string, sender: string): string {
  return `<${key}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;
}

/** The same text for clients that show HTML; nothing in it is markup. */
function htmlOf(text: string, language: string): string {
  const paragraphs = text.split(/\n{2,}/).map((part) => {
    return `<p>${part.split('\n').map(escapeHtml).join('<br>')}</p>`;
  });
  return `<!doctype html><html lang="${language}"><body>${paragraphs.join('')}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function failureOf(error: Error): Error {
  if (error instanceof MailRefused) {
    return new MessageRefused(isBadAddress(error.message) ? 'invalid_contact' : 'rejected', error.message);
  }
  if (error instanceof MailOutcomeUnknown) return new MessageOutcomeUnknown(error.message, { cause: error });
  return new MessageUnreachable(error.message, { cause: error });
}
