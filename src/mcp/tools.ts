/** `tools/list` and `tools/call`. */

import type { Caller } from '../core/caller.ts';
import { AppError, fail } from '../core/errors.ts';
import { MalformedAnswer, type Outcome } from '../core/invoke.ts';
import { type Operation, tokenScopeOf } from '../core/operation.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import { completeResult, questionResult } from './eras.ts';
import { type HandlerParts, isChallenge, type MethodParts } from './handlers.ts';
import { showsPanels } from './panel-clients.ts';
import { progressReporterOf } from './progress.ts';
import { ERROR_KEY, type Exchange, invalidParams, isObject, own, type Params } from './protocol.ts';
import { schemaOf } from './schemas.ts';
import { type Resolved, type SurfaceTool, searchToolsOf } from './search-tools.ts';
import { type Offer, requireOffered, toolsetsOf } from './toolsets.ts';
import type { ClientView } from './view.ts';
import { maySee, readOperation } from './visibility.ts';

/** How much of a name the client sent is echoed. */
const ECHOED_NAME_MAX = 128;

interface Tools {
  readonly parts: HandlerParts;
  /** The panel of each operation that has one. */
  readonly panelOf: ReadonlyMap<string, string>;
  /** Made when they are first asked for: the schemas of all tools take a quarter of a second. */
  readonly entries: Map<string, string>;
}

/** The tool methods of a product. */
export function toolMethods(parts: HandlerParts): MethodParts {
  const tools: Tools = {
    parts,
    panelOf: panelsByOperation(parts.definition),
    entries: new Map(),
  };
  return {
    lists: { 'tools/list': (exchange) => listTools(tools, exchange) },
    handlers: { 'tools/call': (params, exchange) => callTool(tools, params, exchange) },
  };
}

function listTools({ parts, panelOf, entries }: Tools, exchange: Exchange): string {
  const { caller, view } = exchange;
  const { toolsets, surface } = parts;
  const form = { isShort: toolsets.isShort(view), hasPanel: showsPanels(exchange) };
  const remembered = (key: string, make: () => Record<string, unknown>): string => {
    const entry = entries.get(key) ?? JSON.stringify(make());
    entries.set(key, entry);
    return entry;
  };
  const listed = toolsets
    .listed(view)
    .filter((operation) => maySee(caller, [operation]))
    .map((operation) =>
      remembered(`${operation.name} ${form.isShort} ${form.hasPanel}`, () =>
        listedTool(operation, form, panelOf),
      ),
    );
  const added = [...surface.values()]
    .filter((tool) => toolsets.isOffered(tool, view) && (tool.access === 'read' || caller.access === 'write'))
    .map((tool) => remembered(tool.name, () => surfaceToolOf(tool)));
  return `{"tools":[${[...listed, ...added].join(',')}]}`;
}

/** The entry as a client gets it: the short list leaves the schemas of answers out, which no call depends on. */
function listedTool(
  operation: Operation,
  { isShort, hasPanel }: { readonly isShort: boolean; readonly hasPanel: boolean },
  panelOf: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const { outputSchema, ...tool } = toolOf(operation);
  const panel = hasPanel ? panelOf.get(operation.name) : undefined;
  return {
    ...tool,
    ...(!isShort && { outputSchema }),
    ...(panel !== undefined && { _meta: { ui: { resourceUri: panel } } }),
  };
}

/** What `tools/list` holds under a view for who may run everything and shows no panels. */
export function toolsListed(definition: ProductDefinition, view: ClientView): Record<string, unknown>[] {
  const toolsets = toolsetsOf(definition);
  const form = { isShort: toolsets.isShort(view), hasPanel: false };
  const surface = searchToolsOf(definition, toolsets).filter((tool) => toolsets.isOffered(tool, view));
  return [
    ...toolsets.listed(view).map((operation) => listedTool(operation, form, new Map())),
    ...surface.map(surfaceToolOf),
  ];
}

/** One entry of `tools/list`: static text, explicit hints, closed schemas. */
export function toolOf(operation: Operation): Record<string, unknown> {
  return {
    name: operation.name,
    title: operation.title,
    description: operation.summary,
    inputSchema: schemaOf(operation.input, 'input'),
    outputSchema: schemaOf(operation.answer, 'output'),
    annotations: { title: operation.title, ...operation.hints },
  };
}

/** The entry of a tool that is no operation. */
export function surfaceToolOf({
  name,
  title,
  summary,
  input,
  answer,
  hints,
}: SurfaceTool): Record<string, unknown> {
  return {
    name,
    title,
    description: summary,
    inputSchema: schemaOf(input, 'input'),
    ...(answer !== undefined && { outputSchema: schemaOf(answer, 'output') }),
    annotations: { title, ...hints },
  };
}

/**
 * Fails with `insufficient_scope` when the call names a tool that this connection's access level excludes. For
 * transports that have to know before they hand the request over; the invoker checks the same in any case. What the
 * view leaves out is no matter of access (PROTOCOL AU-11 asks to step up only for what would then run).
 */
export function requireToolAccess(
  { definition, toolsets, surface }: Pick<HandlerParts, 'definition' | 'toolsets' | 'surface'>,
  params: unknown,
  { caller, view }: Pick<Exchange, 'caller' | 'view'>,
): void {
  const name = (isObject(params) ? own(params, 'name') : undefined) as string;
  const tool = definition.catalogue.byName.get(name) ?? surface.get(name);
  if (tool !== undefined && toolsets.isOffered(tool, view)) requireAccess(tool, caller);
}

function requireAccess({ access }: Offer, caller: Caller): void {
  if (access !== 'write' || caller.access === 'write') return;
  fail('insufficient_scope', {
    required: [tokenScopeOf(caller.product, 'write')],
    granted: [tokenScopeOf(caller.product, 'read')],
  });
}

async function callTool(tools: Tools, params: Params, exchange: Exchange): Promise<string> {
  const { parts } = tools;
  const { tool, args, confirmation } = readCall(tools, params, exchange);
  const progress = progressReporterOf(params, exchange);
  let outcome: Outcome;
  try {
    const call = resolve(tools, tool, args, exchange);
    outcome =
      call.kind === 'answer'
        ? { kind: 'done', output: call.output }
        : await parts.invoker.call(call.operation, call.args, exchange.caller, {
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

/** What the call comes to. Fails with `tool_not_offered`, and with what the tool itself refuses. */
function resolve(
  { parts }: Tools,
  tool: Operation | SurfaceTool,
  args: unknown,
  exchange: Exchange,
): Resolved {
  requireOffered(tool, parts.toolsets, exchange.view);
  if (!('resolve' in tool)) return { kind: 'call', operation: tool, args };
  requireAccess(tool, exchange.caller);
  return tool.resolve(args, exchange);
}

/** The parts of a call. Fails with -32602 when they have the wrong shape or the tool does not exist. */
function readCall({ parts }: Tools, params: Params, exchange: Exchange) {
  const name = own(params, 'name');
  const args = own(params, 'arguments');
  if (typeof name !== 'string') throw invalidParams('name must be a string');
  if (args !== undefined && !isObject(args)) throw invalidParams('arguments must be an object');
  const confirmation = confirmationOf(params, exchange);
  const tool = parts.definition.catalogue.byName.get(name) ?? parts.surface.get(name);
  if (tool === undefined) throw invalidParams('Unknown tool', { name: name.slice(0, ECHOED_NAME_MAX) });
  return { tool, args, confirmation };
}

function panelsByOperation({ panels = [], catalogue }: HandlerParts['definition']): Map<string, string> {
  return new Map(
    panels.flatMap(({ uri, operations }) =>
      operations.map((name) => [readOperation(catalogue, name, uri).name, uri] as const),
    ),
  );
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
