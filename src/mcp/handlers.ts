/** What a handler is, and what the handlers of one product share. */

import type { AppError } from '../core/errors.ts';
import type { Invoker } from '../core/invoke.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import type { Identity } from './eras.ts';
import type { Exchange, Params } from './protocol.ts';
import type { SurfaceTool } from './search-tools.ts';
import type { Toolsets } from './toolsets.ts';

/** What the handlers of one product share. */
export interface ServiceOptions {
  readonly definition: ProductDefinition;
  readonly invoker: Invoker;
  /** The build version that `serverInfo` shows. */
  readonly version: string;
  /** Logs a failure nobody foresaw and gives the id to tell the caller. */
  readonly logFailure: (error: unknown, where: string) => string;
}

export interface HandlerParts extends ServiceOptions {
  readonly identity: Identity;
  readonly toolsets: Toolsets;
  /** The tools that are no operations, by name. */
  readonly surface: ReadonlyMap<string, SurfaceTool>;
}

/** Gives the JSON of the result. */
export type Handler = (params: Params, exchange: Exchange) => string | Promise<string>;

/**
 * A list that depends on nothing but what the caller may see, its view and whether the client shows panels. Gives the
 * JSON of the body, undecorated.
 */
export type ListBody = (exchange: Exchange) => string;

export interface MethodParts {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly lists: Readonly<Record<string, ListBody>>;
}

/** Whether the error is answered with HTTP 401 or 403 where that is possible. */
export function isChallenge(error: AppError): boolean {
  return error.code === 'unauthenticated' || error.code === 'insufficient_scope';
}
