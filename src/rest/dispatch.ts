/** From a route to its answer: the same for programs over HTTP and for the console in this process. */

import type { Caller, Domain, Product } from '../core/caller.ts';
import { AppError } from '../core/errors.ts';
import type { Invoker, Outcome } from '../core/invoke.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import { type GuardedServer, HttpRefusal } from '../mcp/guard.ts';
import { approvalEndpoints } from './approvals.ts';
import { argumentsOf, type Sent } from './arguments.ts';
import type { RestReply } from './client.ts';
import { fileEndpoints } from './files.ts';
import { replyOfFailure } from './problems.ts';
import { createRouter, type Entry, type Found } from './router.ts';
import { type Route, routesOf } from './routes.ts';

/** One request whose sender is known. */
export interface Ask extends Sent {
  /** As it was asked for, without its query. */
  readonly path: string;
  readonly caller: Caller;
  readonly surface: 'rest' | 'console';
  /** The server that was asked over HTTP; undefined in this process. */
  readonly server: GuardedServer | undefined;
}

/** What stands at a path. */
export interface Endpoint {
  readonly domain: Domain;
  readonly hasBody: boolean;
  run(ask: Ask): Promise<RestReply>;
}

export interface Dispatcher {
  find(method: string, path: string): Found<Endpoint>;
  /** Never fails: whatever goes wrong is a problem. */
  run(endpoint: Endpoint, ask: Ask): Promise<RestReply>;
}

/** Serves every operation of these invokers, the files of the products, and the decisions on approvals. */
export function createDispatcher(
  products: Readonly<Record<Product, ProductDefinition>>,
  invokers: Readonly<Record<Domain, Invoker>>,
  logFailure: (error: unknown, where: string) => string,
): Dispatcher {
  const routes = Object.values(invokers).flatMap(({ catalogue }) => routesOf(catalogue));
  const readPaths = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const entries: Entry<Endpoint>[] = [
    ...routes.map((route) => ({
      method: route.method,
      path: route.path,
      value: endpointOf(route, invokers[route.operation.product], readPaths.has(`${route.path}/{id}`)),
    })),
    ...Object.values(products).flatMap((product) => fileEndpoints(product, invokers[product.product])),
    ...approvalEndpoints(invokers),
  ];
  return {
    find: createRouter(entries),
    run: (endpoint, ask) =>
      endpoint
        .run(ask)
        .catch((error: unknown) => replyOfFailure(error, () => logFailure(error, 'rest'), ask.server)),
  };
}

function endpointOf(route: Route, invoker: Invoker, hasRecords: boolean): Endpoint {
  const { operation, hasBody } = route;
  return {
    domain: operation.product,
    hasBody,
    async run(ask) {
      const { caller, surface, server } = ask;
      const args = argumentsOf(route, ask);
      const unasked = operation.effect === 'destructive' && caller.isForPrograms === true;
      const outcome = await invoker.call(operation, args, caller, {
        surface,
        publicUrl: server?.origin,
        ...(unasked && { unasked }),
      });
      return answerOf(route, outcome, args, ask, hasRecords);
    },
  };
}

function answerOf(
  route: Route,
  outcome: Outcome,
  args: Readonly<Record<string, unknown>>,
  ask: Ask,
  hasRecords: boolean,
): RestReply {
  // Nobody said that they can be asked, so nobody is.
  if (outcome.kind !== 'done') throw new Error(`${route.operation.name} asked a question over REST`);
  const body = outcome.output;
  if (route.isCreation && args['dry_run'] !== true) {
    const id = body['id'];
    const isKept = hasRecords && typeof id === 'string';
    return { status: 201, headers: { ...(isKept && { Location: `${ask.path}/${id}` }) }, body };
  }
  return { status: 200, headers: linkOf(route, body, ask), body };
}

/** Where the next page is (RFC 8288), besides its cursor in the answer. */
function linkOf(route: Route, body: Readonly<Record<string, unknown>>, ask: Ask): Record<string, string> {
  const cursor = body['next_cursor'];
  if (route.method !== 'GET' || typeof cursor !== 'string' || !route.query.has('cursor')) return {};
  const query = new URLSearchParams(ask.query);
  query.set('cursor', cursor);
  return { Link: `<${ask.path}?${query}>; rel="next"` };
}

/** The problem of a path or method that is none. */
export function replyOfNothing(found: Exclude<Found<Endpoint>, { kind: 'found' }>): RestReply {
  if (found.kind === 'none') {
    return replyOfFailure(new AppError('not_found', { kind: 'route' }), () => '');
  }
  const allow = found.allow.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return replyOfFailure(
    new HttpRefusal(405, 'method_not_allowed', `This route answers ${allow}.`, { Allow: allow }),
    () => '',
  );
}
