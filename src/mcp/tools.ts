/** `tools/list` and `tools/call`. */

import { z } from 'zod';
import type { Caller } from '../core/caller.ts';
import { AppError, fail } from '../core/errors.ts';
import { MalformedAnswer, type Outcome } from '../core/invoke.ts';
import { type Operation, tokenScopeOf } from '../core/operation.ts';
import { completeResult, questionResult } from './eras.ts';
import { type HandlerParts, isChallenge, type MethodParts } from './handlers.ts';
import { progressReporterOf } from './progress.ts';
import { ERROR_KEY, type Exchange, invalidParams, isObject, own, type Params } from './protocol.ts';
import { maySee } from './visibility.ts';

const DEFINITION = '#/$defs/';
/** How much of a name the client sent is echoed. */
const ECHOED_NAME_MAX = 128;

/** The tool methods of a product. */
export function toolMethods(parts: HandlerParts): MethodParts {
  const { catalogue } = parts.definition;
  const entries = new Map<Operation, string>();
  return {
    lists: {
      'tools/list': (caller) => {
        const visible = catalogue.operations.filter((operation) => maySee(caller, [operation]));
        return `{"tools":[${visible.map((operation) => entryOf(entries, operation)).join(',')}]}`;
      },
    },
    handlers: { 'tools/call': (params, exchange) => callTool(parts, params, exchange) },
  };
}

/** Made when it is first asked for: the schemas of all tools take a quarter of a second. */
function entryOf(entries: Map<Operation, string>, operation: Operation): string {
  const known = entries.get(operation);
  if (known !== undefined) return known;
  const entry = JSON.stringify(toolOf(operation));
  entries.set(operation, entry);
  return entry;
}

/** One entry of `tools/list`: static text, explicit hints, closed schemas. */
export function toolOf(operation: Operation): Record<string, unknown> {
  return {
    name: operation.name,
    title: operation.title,
    description: operation.summary,
    inputSchema: schemaOf(operation.input, 'input'),
    outputSchema: schemaOf(operation.output, 'output'),
    annotations: { title: operation.title, ...operation.hints },
  };
}

/**
 * Fails with `insufficient_scope` when the call names a tool that this connection's access level excludes. For
 * transports that have to know before they hand the request over; the invoker checks the same in any case.
 */
export function requireToolAccess(
  parts: Pick<HandlerParts, 'definition'>,
  params: unknown,
  caller: Caller,
): void {
  const name = isObject(params) ? own(params, 'name') : undefined;
  const operation = typeof name === 'string' ? parts.definition.catalogue.byName.get(name) : undefined;
  if (operation?.access !== 'write' || caller.access === 'write') return;
  fail('insufficient_scope', {
    required: [tokenScopeOf(operation.product, 'write')],
    granted: [tokenScopeOf(caller.product, 'read')],
  });
}

/**
 * The schema in JSON Schema 2020-12, which is what an absent `$schema` means. A schema with a name of its own comes
 * as a reference to itself; clients of 2025 want the object at the root (PROTOCOL TO-06, VE-71).
 */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const {
    $schema: _dialect,
    $ref,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => leaveFormatsAlone(jsonSchema),
  });
  if ($ref === undefined) return rest;
  const name = $ref.slice(DEFINITION.length);
  const { [name]: root, ...others } = rest.$defs!;
  const isRecursive = JSON.stringify(rest.$defs).includes(`"${$ref}"`);
  const definitions = isRecursive ? rest.$defs! : others;
  return { ...root!, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
}

/** Beside a format, the pattern of it says the same again in hundreds of characters that every model reads. */
function leaveFormatsAlone(schema: { format?: unknown; pattern?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
}

async function callTool(parts: HandlerParts, params: Params, exchange: Exchange): Promise<string> {
  const { operation, args, confirmation } = readCall(parts, params, exchange);
  const progress = progressReporterOf(params, exchange);
  let outcome: Outcome;
  try {
    outcome = await parts.invoker.call(operation, args, exchange.caller, {
      surface: 'mcp',
      confirmation,
      publicUrl: exchange.publicUrl,
      ...(progress && { progress: progress.report }),
    });
  } catch (error) {
    if (error instanceof MalformedAnswer) throw invalidParams(error.message);
    if (!(error instanceof AppError)) throw error;
    if (exchange.canChallenge && isChallenge(error)) throw error;
    return errorResult(parts, exchange, error);
  } finally {
    progress?.stop();
  }
  if (outcome.kind === 'ask')
    return questionResult(parts.identity, outcome.question.message, outcome.question.state);
  // The text block is the same JSON as the structured content, so that is written once and then quoted.
  const structured = JSON.stringify(outcome.output);
  const body = `{"content":[{"type":"text","text":${JSON.stringify(structured)}}],"structuredContent":${structured}}`;
  return completeResult(exchange.era, parts.identity, body);
}

/** The parts of a call. Fails with -32602 when they have the wrong shape or the tool does not exist. */
function readCall(parts: HandlerParts, params: Params, exchange: Exchange) {
  const name = own(params, 'name');
  const args = own(params, 'arguments');
  if (typeof name !== 'string') throw invalidParams('name must be a string');
  if (args !== undefined && !isObject(args)) throw invalidParams('arguments must be an object');
  const confirmation = confirmationOf(params, exchange);
  const operation = parts.definition.catalogue.byName.get(name);
  if (operation === undefined) throw invalidParams('Unknown tool', { name: name.slice(0, ECHOED_NAME_MAX) });
  return { operation, args, confirmation };
}

/** On 2025 nobody can be asked, so a state or an answer means nothing there (PROTOCOL VE-70). */
function confirmationOf(params: Params, exchange: Exchange) {
  if (exchange.era === '2025') return { capabilities: undefined, state: undefined, responses: undefined };
  const state = own(params, 'requestState');
  const responses = own(params, 'inputResponses');
  if (state !== undefined && typeof state !== 'string') throw invalidParams('requestState must be a string');
  if (responses !== undefined && !isObject(responses))
    throw invalidParams('inputResponses must be an object');
  return { capabilities: exchange.capabilities, state, responses };
}

/** A failed call is a result: the model reads the text, programs read `_meta` (PROTOCOL C-22, TO-10). */
function errorResult(parts: HandlerParts, exchange: Exchange, error: AppError): string {
  const envelope = error.toEnvelope();
  const body = JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(envelope) }], isError: true });
  return completeResult(exchange.era, parts.identity, body, { meta: { [ERROR_KEY]: envelope } });
}
