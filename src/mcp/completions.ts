/** `completion/complete`: suggestions while somebody types. Never an error once the argument is known (PROTOCOL T-7). */

import type { Caller } from '../core/caller.ts';
import type { Operation } from '../core/operation.ts';
import type { Completion } from '../core/surfaces.ts';
import { completeResult } from './eras.ts';
import type { HandlerParts, MethodParts } from './handlers.ts';
import { placeOf } from './prompts.ts';
import { type Exchange, invalidParams, isObject, own, type Params } from './protocol.ts';
import { matchUri, patternOf } from './resource-uris.ts';
import { maySee, readOperation } from './visibility.ts';

const VALUES_MAX = 100;
const TYPED_LENGTH_MAX = 200;
/** Keystrokes repeat: the same question within this time is not asked again (PROTOCOL C-60). */
const REMEMBERED_MS = 30_000;
const REMEMBERED_MAX = 1_000;

interface Source {
  readonly completion: Completion;
  /** Of the permission that suggestions need; null when they come from no record. */
  readonly operation: Operation | null;
}

/** Sources by argument, by reference: `prompt <name>` or `resource <template>`. */
type Sources = ReadonlyMap<string, ReadonlyMap<string, Source>>;

interface Remembered {
  readonly values: Promise<readonly string[]>;
  readonly until: number;
}

interface Request {
  /** The reference as one key. */
  readonly reference: string;
  /** What a resource reference names; null for a prompt. */
  readonly uri: string | null;
  readonly argument: string;
  readonly typed: string;
}

/** The completion method of a product. */
export function completionMethods(parts: HandlerParts): MethodParts {
  const sources = sourcesOf(parts);
  const { product, resources } = parts.definition;
  const patterns = resources.map((resource) => patternOf(product, resource));
  const remembered = new Map<string, Remembered>();
  return {
    lists: {},
    handlers: {
      'completion/complete': async (params, exchange) => {
        const request = readRequest(params);
        const known = sources.get(request.reference);
        // A concrete URI is a valid reference without anything left to complete (PROTOCOL C-57).
        if (
          known === undefined &&
          (request.uri === null || matchUri(product, patterns, request.uri) === null)
        ) {
          throw invalidParams('There is no such prompt or resource template');
        }
        const source = known?.get(request.argument);
        const found =
          source === undefined ? [] : await suggestions(parts, remembered, source, request, exchange);
        const completion = { values: found.slice(0, VALUES_MAX), hasMore: found.length > VALUES_MAX };
        return completeResult(exchange.era, parts.identity, JSON.stringify({ completion }));
      },
    },
  };
}

function sourcesOf({ definition }: HandlerParts): Sources {
  const sources = new Map<string, Map<string, Source>>();
  const add = (reference: string, argument: string, completion: Completion | undefined): void => {
    const known = sources.get(reference) ?? new Map<string, Source>();
    sources.set(reference, known);
    if (completion === undefined) return;
    const operation =
      completion.kind === 'records'
        ? readOperation(definition.catalogue, completion.operation, reference)
        : null;
    known.set(argument, { completion, operation });
  };
  for (const prompt of definition.prompts) {
    sources.set(`prompt ${prompt.name}`, new Map());
    for (const { name, completion } of prompt.arguments) add(`prompt ${prompt.name}`, name, completion);
  }
  for (const resource of definition.resources) {
    const { variable } = patternOf(definition.product, resource);
    if (variable !== null) add(`resource ${resource.uri}`, variable, resource.completion);
  }
  return sources;
}

/** Fails with -32602 when the parameters are malformed (PROTOCOL CO-05, CO-06). */
function readRequest(params: Params): Request {
  const ref = own(params, 'ref');
  const argument = own(params, 'argument');
  if (!isObject(ref) || !isObject(argument)) throw invalidParams('ref and argument must be objects');
  const name = own(argument, 'name');
  const typed = own(argument, 'value');
  if (typeof name !== 'string' || typeof typed !== 'string') {
    throw invalidParams('argument.name and argument.value must be strings');
  }
  const context = own(params, 'context') ?? {};
  const others = isObject(context) ? (own(context, 'arguments') ?? {}) : null;
  if (!isObject(others) || Object.values(others).some((value) => typeof value !== 'string')) {
    throw invalidParams('context.arguments must hold strings');
  }
  return { ...referenceOf(ref), argument: name, typed };
}

function referenceOf(ref: Params): Pick<Request, 'reference' | 'uri'> {
  const type = own(ref, 'type');
  const name = own(ref, 'name');
  const uri = own(ref, 'uri');
  if (type === 'ref/prompt' && typeof name === 'string') return { reference: `prompt ${name}`, uri: null };
  if (type === 'ref/resource' && typeof uri === 'string') return { reference: `resource ${uri}`, uri };
  throw invalidParams('ref must be a ref/prompt with a name or a ref/resource with a uri');
}

/** All matches; more than 100 only tell that there are more. */
async function suggestions(
  parts: HandlerParts,
  remembered: Map<string, Remembered>,
  { completion, operation }: Source,
  request: Request,
  exchange: Exchange,
): Promise<readonly string[]> {
  const { typed } = request;
  if (typed.length > TYPED_LENGTH_MAX) return [];
  const { caller, now } = exchange;
  if (completion.kind === 'values') {
    const prefix = typed.toLowerCase();
    return completion
      .values(placeOf(caller, now).today)
      .filter((value) => value.toLowerCase().startsWith(prefix));
  }
  if (operation === null || !maySee(caller, [operation])) return [];
  const key = JSON.stringify([whoIs(caller), request.reference, request.argument, typed]);
  const known = remembered.get(key);
  if (known !== undefined && known.until > now.getTime()) return known.values.catch(() => []);
  const values = parts.invoker.readAs(operation, {}, caller, 'completion', (context) =>
    completion.suggest(context, typed),
  );
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, { values, until: now.getTime() + REMEMBERED_MS });
  try {
    return await values;
  } catch {
    // The invoker has logged it; whoever types goes on typing (PROTOCOL C-59).
    remembered.delete(key);
    return [];
  }
}

/** Suggestions are remembered for one connection in one place, with the rights it had. */
function whoIs({ organization, user, tokenId, defaultWorkspaceId, visibilityKey }: Caller): string {
  return [organization.id, user.id, tokenId, defaultWorkspaceId, visibilityKey].join(' ');
}
