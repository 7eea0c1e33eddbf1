/** Calls to the addresses of other systems as jobs see them. */

export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is: the signature is over these very bytes. */
  readonly body: string;
}

/**
 * `refused`: the address is not one that may be called, so nothing was sent. `unreachable`: no connection, or the
 * name is not known. `timeout`, `tls`: as they say.
 */
export type WebhookFailure = 'refused' | 'unreachable' | 'timeout' | 'tls';

export type WebhookAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The beginning of what came back, as it came: text from outside. */
      readonly text: string;
      readonly durationMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: WebhookFailure; readonly durationMs: number };

export interface WebhookSender {
  readonly name: string;
  /** One POST, without following redirects. Never throws: whatever goes wrong is an answer. */
  send(call: WebhookCall): Promise<WebhookAnswer>;
}
