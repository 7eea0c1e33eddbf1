/** Every operation at a route of its own, with the same permissions, confirmations and errors as everywhere else. */

import type { Domain } from '../core/caller.ts';
import type { Invoker } from '../core/invoke.ts';
import type { Authenticator } from '../identity/tokens.ts';
import type { Mount } from '../web/mount.ts';
import type { RestClient } from './client.ts';

export interface RestOptions {
  readonly invokers: Readonly<Record<Domain, Invoker>>;
  readonly authenticator: Authenticator;
  readonly now: () => Date;
  /** Logs a failure nobody foresaw and gives the id to tell the caller. */
  readonly logFailure: (error: unknown, where: string) => string;
}

export interface Rest {
  /** Serves `/<domain>/v1/…` and `/<domain>/openapi.json`. */
  readonly mount: Mount;
  /** The same routes in this process, for the console. */
  readonly client: RestClient;
}

/** The REST surface over these invokers. */
export function createRest(_options: RestOptions): Rest {
  return {
    mount: () => false,
    client: async () => ({ status: 404, headers: {}, body: null }),
  };
}
