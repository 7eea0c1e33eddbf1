/** `resources/list`, `resources/templates/list` and `resources/read`. */

import { isUtf8 } from 'node:buffer';
import { AppError, errorRegistry, fail } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { ResourceDefinition, ResourceFile } from '../core/surfaces.ts';
import { type CacheHint, completeResult, resourceNotFound } from './eras.ts';
import { type HandlerParts, isChallenge, type MethodParts } from './handlers.ts';
import { type Panels, panelsOf } from './panels/index.ts';
import {
  APPLICATION_ERROR,
  type Exchange,
  INTERNAL_ERROR,
  invalidParams,
  own,
  type Params,
  ProtocolError,
} from './protocol.ts';
import { matchUri, patternOf, type ResourceMatch, type ResourcePattern } from './resource-uris.ts';
import { maySee, readOperation } from './visibility.ts';

/** Of decoded bytes, inclusive (PROTOCOL C-30). */
const RESOURCE_BYTES_MAX = 10 * 1024 * 1024;
/** A panel is static and holds no data. */
const PANEL_HINT: CacheHint = { ttlMs: 3_600_000, cacheScope: 'private' };
const JSON_TYPE = 'application/json';
const TEXT_TYPE = /^(?:text\/[^;]+|application\/(?:xml|json)|[^;]+\+(?:xml|json))$/i;

interface Reader {
  readonly parts: HandlerParts;
  readonly patterns: readonly ResourcePattern[];
  readonly operationOf: ReadonlyMap<ResourceDefinition, Operation>;
  readonly panels: Panels;
}

/** The resource methods of a product. */
export function resourceMethods(parts: HandlerParts): MethodParts {
  const { product, catalogue, resources } = parts.definition;
  const patterns = resources.map((resource) => patternOf(product, resource));
  const operationOf = new Map(
    resources.map((resource) => [resource, readOperation(catalogue, resource.operation, resource.uri)]),
  );
  const panels = panelsOf(parts.definition);
  const fixed = patterns.filter(({ variable }) => variable === null);
  const templates = patterns.filter(({ variable }) => variable !== null);
  const listOf =
    (key: string, uriKey: string, entries: readonly ResourcePattern[]) => (exchange: Exchange) => {
      const visible = entries.filter(({ resource }) => maySee(exchange.caller, [operationOf.get(resource)!]));
      const shown = key === 'resources' ? panels.listed(exchange) : [];
      return JSON.stringify({
        [key]: [...visible.map(({ resource }) => entryOf(resource, uriKey)), ...shown],
      });
    };
  return {
    lists: {
      'resources/list': listOf('resources', 'uri', fixed),
      'resources/templates/list': listOf('resourceTemplates', 'uriTemplate', templates),
    },
    handlers: {
      'resources/read': (params, exchange) =>
        readResource({ parts, patterns, operationOf, panels }, params, exchange),
    },
  };
}

function entryOf(resource: ResourceDefinition, uriKey: string): Params {
  const { uri, name, title, description, mimeType } = resource;
  return { [uriKey]: uri, name, title, description, ...(mimeType !== undefined && { mimeType }) };
}

async function readResource(reader: Reader, params: Params, exchange: Exchange): Promise<string> {
  const { parts, patterns, operationOf, panels } = reader;
  const uri = own(params, 'uri');
  if (typeof uri !== 'string') throw invalidParams('uri must be a string');
  const panel = panels.read(uri, exchange);
  if (panel !== null) {
    return completeResult(exchange.era, parts.identity, panel, { cache: PANEL_HINT });
  }
  const match = matchUri(parts.definition.product, patterns, uri);
  if (match === null) throw resourceNotFound(exchange.era, uri);
  const operation = operationOf.get(match.resource)!;
  // What a caller may not run looks like what does not exist, and is not looked up (PROTOCOL C-33).
  if (!maySee(exchange.caller, [operation])) throw resourceNotFound(exchange.era, uri);
  let contents: string;
  try {
    contents = await contentsOf(parts, match, operation, exchange);
  } catch (error) {
    throw error instanceof AppError ? asReadError(error, uri, exchange) : error;
  }
  const isPlainRead = !Object.hasOwn(params, 'requestState') && !Object.hasOwn(params, 'inputResponses');
  const ttlMs = isPlainRead ? match.resource.ttlMs : 0;
  return completeResult(exchange.era, parts.identity, `{"contents":[${contents}]}`, {
    cache: { ttlMs, cacheScope: 'private' },
  });
}

/** The one item of `contents`, as JSON. */
async function contentsOf(
  { invoker }: HandlerParts,
  { resource, args, uri }: ResourceMatch,
  operation: Operation,
  { caller }: Exchange,
): Promise<string> {
  if (resource.file === undefined) {
    const outcome = await invoker.call(operation, args, caller, { surface: 'resource' });
    if (outcome.kind !== 'done') throw new Error(`${operation.name} asked while it was only read`);
    const text = JSON.stringify(outcome.output);
    return JSON.stringify({ uri, mimeType: resource.mimeType ?? JSON_TYPE, text });
  }
  const readFile = resource.file;
  const file = await invoker.readAs(operation, args, caller, 'resource', (context) =>
    readFile(context, args),
  );
  if (file.bytes.length > RESOURCE_BYTES_MAX) {
    fail('resource_too_large', { size: file.bytes.length, limit: RESOURCE_BYTES_MAX });
  }
  const item = { uri, mimeType: file.contentType };
  return JSON.stringify(
    isText(file)
      ? { ...item, text: file.bytes.toString('utf8') }
      : { ...item, blob: file.bytes.toString('base64') },
  );
}

/** Text only when it is declared as text and truly is UTF-8; nothing is ever transcoded (PROTOCOL C-31). */
function isText({ bytes, contentType }: ResourceFile): boolean {
  const type = contentType.split(';', 1)[0]!.trim();
  return TEXT_TYPE.test(type) && isUtf8(bytes) && !bytes.includes(0);
}

/** Which protocol error a failed read is; a challenge stays what it is (PROTOCOL T-6, RE-13, RE-16). */
function asReadError(error: AppError, uri: string, exchange: Exchange): Error {
  const { code, details } = error;
  if (code === 'not_found') return resourceNotFound(exchange.era, uri, details?.['reason']);
  // A document that the record does not have in its state: a settlement letter of what is not paid (PROTOCOL RE-29).
  if (code === 'invalid_state') return resourceNotFound(exchange.era, uri, details?.['from']);
  if (code === 'forbidden') return resourceNotFound(exchange.era, uri);
  if (code === 'internal') return new ProtocolError(INTERNAL_ERROR, 'Internal error', { uri, ...details });
  if (isChallenge(error) && exchange.canChallenge) return error;
  const { message, next } = errorRegistry[code];
  return new ProtocolError(APPLICATION_ERROR, message, { ...details, code, uri, next });
}
