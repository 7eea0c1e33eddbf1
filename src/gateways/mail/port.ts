/** E-mail as jobs see it. */

export interface MailMessage {
  /** Equal for every attempt; becomes the Message-ID, so that a receiver can tell a repetition. */
  readonly messageId: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly {
    readonly fileName: string;
    readonly contentType: string;
    readonly bytes: Buffer;
  }[];
}

export interface MailPort {
  /** Resolves when the next server has taken it. Throws `MailRefused`, `MailUnreachable` or `MailOutcomeUnknown`. */
  send(message: MailMessage): Promise<void>;
}

/** The server refused it for good (5xx): trying again changes nothing. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** It surely was not taken: it may be sent again. */
export class MailUnreachable extends Error {
  override readonly name = 'MailUnreachable';
}

/** It may have been taken: never sent again by itself. */
export class MailOutcomeUnknown extends Error {
  override readonly name = 'MailOutcomeUnknown';
}
