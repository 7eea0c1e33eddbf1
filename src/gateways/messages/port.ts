/** Messages to debtors as jobs see them, whatever carries them. */

/** Under this name the outcomes of e-mails are recorded. */
export const SMTP_PROVIDER = 'smtp';

export type MessageChannel = 'email' | 'sms' | 'whatsapp' | 'letter';

export interface PostalAddress {
  readonly street: string;
  readonly number: string | null;
  readonly complement: string | null;
  readonly district: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}

export interface OutgoingMessage {
  /** The id of the notification: equal for every attempt, known to the provider as the key of idempotency. */
  readonly key: string;
  readonly channel: MessageChannel;
  /** An e-mail address or an E.164 number; empty for letters. */
  readonly to: string;
  readonly address: PostalAddress | null;
  readonly recipientName: string;
  readonly language: 'pt-BR' | 'en';
  /** E-mails and letters only. */
  readonly subject: string | null;
  readonly text: string;
  /** Name shown as the sender and where answers go, as the organization set them. */
  readonly senderName: string;
  readonly replyTo: string | null;
}

export type DeliveryStatus = 'sent' | 'delivered' | 'read' | 'failed' | 'bounced';

/** What a provider tells about a message it took; may come late, twice and out of order. */
export interface DeliveryReport {
  /** The provider's own name of this report, unique for the message. */
  readonly reportId: string;
  /** Our key when the provider returns it, else its own id. */
  readonly key: string | null;
  readonly providerId: string | null;
  readonly status: DeliveryStatus;
  readonly at: Date;
  /** A short code or sentence of the provider, capped; data, never shown as ours. */
  readonly detail: string | null;
}

export interface SentMessage {
  readonly providerId: string | null;
}

/** What the provider says of a key whose sending has an unknown outcome. `unknowable`: it cannot be asked. */
export type FoundMessage =
  | { readonly state: 'absent' }
  | { readonly state: 'taken'; readonly providerId: string | null }
  | { readonly state: 'unknowable' };

export interface MessagePort {
  /** As it is recorded on notifications, for example `simulator` or `smtp`. */
  readonly name: string;
  /** Resolves when the provider took it. Throws `MessageRefused`, `MessageUnreachable` or `MessageOutcomeUnknown`. */
  send(message: OutgoingMessage): Promise<SentMessage>;
  find(key: string): Promise<FoundMessage>;
  /** What is known of messages with these keys, told before or not, oldest first; what comes by HTTP is not here. */
  collect?(keys: readonly string[]): Promise<readonly DeliveryReport[]>;
}

/** The provider refused it for good; `reason` is a code of ours. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
  readonly reason: 'invalid_contact' | 'rejected';

  constructor(reason: 'invalid_contact' | 'rejected', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** It surely was not taken: it may be sent again. */
export class MessageUnreachable extends Error {
  override readonly name = 'MessageUnreachable';
}

/** It may have been taken: asked for with `find`, never sent again by itself. */
export class MessageOutcomeUnknown extends Error {
  override readonly name = 'MessageOutcomeUnknown';
}
