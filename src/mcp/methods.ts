/**
 * The methods of a product: one table of what is served on which era. Handlers give the JSON text of a result or
 * throw a `ProtocolError`; transports only frame what comes out of here.
 */

import { AppError } from '../core/errors.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import { completionMethods } from './completions.ts';
import { type CacheHint, completeResult, type Identity, negotiatedVersion } from './eras.ts';
import {
  type Handler,
  type HandlerParts,
  isChallenge,
  type ListBody,
  type ServiceOptions,
} from './handlers.ts';
import { showsPanels } from './panel-clients.ts';
import { promptMethods } from './prompts.ts';
import {
  CAPABILITIES,
  type Era,
  type Exchange,
  INTERNAL_ERROR,
  invalidParams,
  isObject,
  methodNotFound,
  own,
  ProtocolError,
  SUPPORTED_VERSIONS,
  UI_EXTENSION,
} from './protocol.ts';
import { resourceMethods } from './resources.ts';
import { searchToolsOf } from './search-tools.ts';
import { toolMethods } from './tools.ts';
import { type Toolsets, toolsetsOf } from './toolsets.ts';
import { viewKeyOf } from './view.ts';

const LIST_HINT: CacheHint = { ttlMs: 300_000, cacheScope: 'private' };
const DISCOVER_HINT: CacheHint = { ttlMs: 3_600_000, cacheScope: 'public' };
/** Of characters; a client may ask for any combination of sets, so what is remembered has to have an end. */
const LISTS_REMEMBERED_MAX = 40_000_000;

export interface ProductService {
  readonly definition: ProductDefinition;
  readonly identity: Identity;
  readonly toolsets: Toolsets;
  readonly surface: HandlerParts['surface'];
  knows(method: string, era: Era): boolean;
  /**
   * The JSON of the result. Fails with `ProtocolError`; and, where the transport can challenge, with the
   * `AppError` `insufficient_scope` or `unauthenticated`.
   */
  answer(method: string, params: unknown, exchange: Exchange): Promise<string>;
}

interface Method {
  readonly handle: Handler;
  readonly isServedOn: (era: Era) => boolean;
}

/** Everything one product answers over MCP. Throws at start-up when a definition names what does not exist. */
export function createProductService(options: ServiceOptions): ProductService {
  const { definition, version } = options;
  const identity = { name: definition.serverName, title: definition.title, version };
  const toolsets = toolsetsOf(definition);
  const surface = new Map(searchToolsOf(definition, toolsets).map((tool) => [tool.name, tool]));
  const methods = methodTable({ ...options, identity, toolsets, surface });
  const knows = (method: string, era: Era): boolean => methods.get(method)?.isServedOn(era) ?? false;
  return {
    definition,
    identity,
    toolsets,
    surface,
    knows,
    async answer(method, params, exchange) {
      if (!knows(method, exchange.era)) throw methodNotFound(exchange.era);
      if (params !== undefined && !isObject(params)) throw invalidParams('params must be an object');
      try {
        return await methods.get(method)!.handle(params ?? {}, exchange);
      } catch (error) {
        throw asAnswer(error, exchange, () => options.logFailure(error, method));
      }
    },
  };
}

function methodTable(parts: HandlerParts): Map<string, Method> {
  const table = new Map<string, Method>();
  const both = () => true;
  table.set('initialize', { isServedOn: (era) => era === '2025', handle: initialize(parts) });
  table.set('ping', { isServedOn: (era) => era === '2025', handle: () => '{}' });
  table.set('server/discover', { isServedOn: (era) => era === '2026', handle: discover(parts) });
  for (const { handlers, lists } of [
    toolMethods(parts),
    resourceMethods(parts),
    promptMethods(parts),
    completionMethods(parts),
  ]) {
    for (const [name, handle] of Object.entries(handlers)) table.set(name, { isServedOn: both, handle });
    for (const [name, body] of Object.entries(lists)) {
      table.set(name, { isServedOn: both, handle: rememberedList(parts, body) });
    }
  }
  return table;
}

/** A list is computed once for all callers that see the same, and then costs one look-up. */
function rememberedList(parts: HandlerParts, body: ListBody): Handler {
  const remembered = new Map<string, string>();
  let size = 0;
  return (params, exchange) => {
    // Everything is on one page, so no cursor is ever ours (PROTOCOL TO-04).
    if (Object.hasOwn(params, 'cursor')) throw invalidParams('Unknown cursor');
    const { era, caller, view } = exchange;
    const key = `${era}:${showsPanels(exchange)}:${viewKeyOf(view)}:${caller.visibilityKey}`;
    let result = remembered.get(key);
    if (result === undefined) {
      result = completeResult(era, parts.identity, body(exchange), { cache: LIST_HINT });
      size += result.length;
      if (size > LISTS_REMEMBERED_MAX) {
        remembered.clear();
        size = result.length;
      }
      remembered.set(key, result);
    }
    return result;
  };
}

function initialize({ identity, definition }: HandlerParts): Handler {
  return (params) => {
    const requested = own(params, 'protocolVersion');
    if (typeof requested !== 'string') throw invalidParams('protocolVersion must be a string');
    return JSON.stringify({
      protocolVersion: negotiatedVersion(requested),
      capabilities: CAPABILITIES,
      serverInfo: identity,
      instructions: definition.instructions,
    });
  };
}

function discover({ identity, definition }: HandlerParts): Handler {
  const body = JSON.stringify({
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: { ...CAPABILITIES, ...(definition.panels && { extensions: { [UI_EXTENSION]: {} } }) },
    instructions: definition.instructions,
  });
  const result = completeResult('2026', identity, body, { cache: DISCOVER_HINT });
  return () => result;
}

/** Nothing a library or a database says ever leaves as ours (PROTOCOL RE-16). */
function asAnswer(error: unknown, exchange: Exchange, log: () => string): Error {
  if (error instanceof ProtocolError) return error;
  if (error instanceof AppError && exchange.canChallenge && isChallenge(error)) return error;
  return new ProtocolError(INTERNAL_ERROR, 'Internal error', { id: log() });
}
