/** Every operation at a route of its own, with the same permissions, confirmations and errors as everywhere else. */

import type { Domain, Product } from '../core/caller.ts';
import type { Invoker } from '../core/invoke.ts';
import type { RateLimiter } from '../core/rate-limits.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import type { Authentication, OriginRules } from '../mcp/guard.ts';
import type { Mount } from '../web/mount.ts';
import type { RestClient } from './client.ts';
import { createDispatcher, type Dispatcher, replyOfNothing } from './dispatch.ts';
import { createDocumentMount } from './documents.ts';
import { createRestMount } from './http.ts';

export interface RestOptions {
  readonly invokers: Readonly<Record<Domain, Invoker>>;
  readonly products: Readonly<Record<Product, ProductDefinition>>;
  readonly authenticator: Authentication;
  /** Which hosts this server has, and whose pages may call it. */
  readonly originRules: OriginRules;
  /** Counts calls by token, person and organization. Default: nothing is limited. */
  readonly limiter?: RateLimiter | undefined;
  readonly now: () => Date;
  /** Logs a failure nobody foresaw and gives the id to tell the caller. */
  readonly logFailure: (error: unknown, where: string) => string;
}

export interface Rest {
  /** Serves `/<domain>/v1/…`, `/<product>/openapi.json` and `/<product>/docs`. */
  readonly mount: Mount;
  /** The same routes in this process, for the console. */
  readonly client: RestClient;
}

/** The REST surface over these invokers. */
export function createRest(options: RestOptions): Rest {
  const dispatcher = createDispatcher(options.products, options.invokers, options.logFailure);
  const documents = createDocumentMount(options.products);
  const routes = createRestMount(dispatcher, options);
  return {
    mount: (req, res, origin) => routes(req, res, origin) || documents(req, res, origin),
    client: clientOf(dispatcher),
  };
}

function clientOf(dispatcher: Dispatcher): RestClient {
  return async ({ method, path, body, idempotencyKey }, caller) => {
    const { pathname, searchParams } = new URL(path, 'http://console.invalid');
    const found = dispatcher.find(method, pathname);
    if (found.kind !== 'found') return replyOfNothing(found);
    if (found.value.domain !== caller.product) {
      throw new Error(`${pathname} was asked for as a caller of ${caller.product}`);
    }
    return dispatcher.run(found.value, {
      params: found.params,
      query: searchParams,
      // As it would come over HTTP, where nothing is undefined.
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
      idempotencyKey,
      path: pathname,
      caller,
      surface: 'console',
      server: undefined,
    });
  };
}
