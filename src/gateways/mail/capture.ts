/** A mail transport that sends nothing: it keeps the last messages, for demonstrations and tests. */

import type { MailMessage, MailPort } from './port.ts';

const KEPT_MAX = 1_000;

export interface CapturedMail extends MailPort {
  readonly messages: readonly MailMessage[];
}

export function createCapturedMail(): CapturedMail {
  const messages: MailMessage[] = [];
  return {
    messages,
    async send(message) {
      messages.push(message);
      if (messages.length > KEPT_MAX) messages.shift();
    },
  };
}
