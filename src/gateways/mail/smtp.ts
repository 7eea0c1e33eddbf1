/** E-mail over SMTP. Whether a failed message may be sent again is decided by how far it came. */

import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createTransport, type Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import { type MailMessage, MailOutcomeUnknown, type MailPort, MailRefused, MailUnreachable } from './port.ts';

const CONNECTIONS_MAX = 2;
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;

export interface SmtpOptions {
  /**
   * `smtps://user:password@host:465` or `smtp://user:password@host:587`. The latter must offer STARTTLS, unless the
   * host is this machine or the address ends in `?tls=optional`.
   */
  readonly url: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
}

export interface SmtpMail extends MailPort {
  /** Ends the connections that are kept for the next message. */
  close(): void;
}

/** Throws `TypeError` for an address of a server that is none. */
export function createSmtpMail({ url, from }: SmtpOptions): SmtpMail {
  const server = openSmtpServer(url);
  return {
    send: (message) => server.take(mailOf(message, from)),
    close: () => server.close(),
  };
}

/** A mail as the library takes it; its id tells it from the others on their way. */
export type ReadyMail = SMTPPool.MailOptions & { readonly messageId: string };

export interface SmtpServer {
  /** Resolves when the server has taken it. Throws `MailRefused`, `MailUnreachable` or `MailOutcomeUnknown`. */
  take(mail: ReadyMail): Promise<void>;
  /** Ends the connections that are kept for the next message. */
  close(): void;
}

/** The server at an address as in `SmtpOptions`. Throws `TypeError` for one that is none. */
export function openSmtpServer(url: string): SmtpServer {
  const transport = createTransport({
    ...serverOf(new URL(url)),
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const streams = watchStreams(transport);
  return {
    async take(mail) {
      try {
        await transport.sendMail(mail);
      } catch (error) {
        throw failureOf(error as SmtpError, streams.get(mail.messageId)?.readableDidRead ?? false);
      } finally {
        streams.delete(mail.messageId);
      }
    },
    close: () => transport.close(),
  };
}

/** What the library says about a failure. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

function serverOf(url: URL) {
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') {
    throw new TypeError('the address of a mail server starts with smtp:// or smtps://');
  }
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isHere(url.hostname) && url.searchParams.get('tls') !== 'optional',
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
  };
}

function isHere(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** The stream of every message on its way: a byte of it is read only after the server has asked for the message. */
function watchStreams(transport: Transporter): Map<string, Readable> {
  const streams = new Map<string, Readable>();
  transport.use('stream', (mail, done) => {
    const { message } = mail;
    const { messageId } = mail.data;
    const create = message?.createReadStream.bind(message);
    if (message !== undefined && create !== undefined) {
      message.createReadStream = (options) => {
        const stream = create(options);
        streams.set(String(messageId), stream);
        return stream;
      };
    }
    done();
  });
  return streams;
}

function mailOf(message: MailMessage, from: string): ReadyMail {
  return {
    from,
    // As an object, the address is never parsed as a list of several.
    to: { name: '', address: message.to },
    ...(message.replyTo !== null && { replyTo: { name: '', address: message.replyTo } }),
    messageId: message.messageId,
    subject: message.subject,
    text: message.text,
    ...(message.html !== null && { html: message.html }),
    attachments: message.attachments.map(({ fileName, contentType, bytes }) => ({
      filename: fileName,
      contentType,
      content: bytes,
    })),
  };
}

/** An answer decides; without one, what counts is whether the server had begun to take the message. */
function failureOf(error: SmtpError, hadBegun: boolean): Error {
  const isAboutMessage = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  if (isAboutMessage && (error.responseCode === undefined || error.responseCode >= 500)) {
    return new MailRefused(error.response ?? 'the address cannot be written to', { cause: error });
  }
  if (isAboutMessage || !hadBegun) {
    return new MailUnreachable(error.response ?? 'the mail server did not take it', { cause: error });
  }
  return new MailOutcomeUnknown('the connection to the mail server broke', { cause: error });
}
