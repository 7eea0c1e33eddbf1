/** Calls to the addresses of other systems as jobs see them. */

export interface WebhookSender {
  readonly name: string;
}
