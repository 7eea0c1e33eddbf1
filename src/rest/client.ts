/** How the console reaches REST: the same routes, answers and problems as over HTTP, for a person who is signed in. */

import type { Caller } from '../core/caller.ts';

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With its query, for example `/finance/v1/payables?overdue=true`. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface RestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the answer, or the bytes of a file; a problem (RFC 9457) when the status is 400 or more. */
  readonly body: unknown;
}

/** Calls a route as this person, whose caller is of the product that the path names. */
export type RestClient = (request: RestRequest, caller: Caller) => Promise<RestReply>;
