/** The outside parties of dunning. */

import type { BureauPort } from './bureau/port.ts';
import type { MessageChannel, MessagePort } from './messages/port.ts';
import type { NotaryPort } from './notary/port.ts';
import type { WebhookSender } from './webhooks/port.ts';

export interface DunningGateways {
  readonly messages: Readonly<Record<MessageChannel, MessagePort>>;
  readonly bureau: BureauPort;
  readonly notary: NotaryPort;
  readonly webhooks: WebhookSender;
}
