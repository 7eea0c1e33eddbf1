/**
 * The fixtures that no product of ours can express: images, audio and embedded resources, and input requests other
 * than our confirmation. They stand between the transport and a product service, so headers, envelope, eras and
 * framing are still ours; what they prove about the content is nothing.
 */

import { completeResult, type Identity } from '../../src/mcp/eras.ts';
import type { ProductService } from '../../src/mcp/methods.ts';
import {
  type Exchange,
  invalidParams,
  isObject,
  own,
  type Params,
  ProtocolError,
  SERVER_INFO_KEY,
} from '../../src/mcp/protocol.ts';
import { CONFIRMED_TOOLS, PNG_BASE64 } from './fixture-product.ts';

/** The suite wants its own scheme; our product serves the same paths under ours. */
const OUR_URIS = 'kobana://finance/';
const SUITE_URIS = 'test://';

/** A WAV header without samples. */
const WAV_BASE64 = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

/** Gives the members of a complete result, or the input it needs first. */
type Fixture = (params: Params, exchange: Exchange) => Params | Asked;

/** An input request is one of these, by key. */
class Asked {
  readonly inputRequests: Params;
  readonly requestState: string | undefined;

  constructor(inputRequests: Params, requestState?: string) {
    this.inputRequests = inputRequests;
    this.requestState = requestState;
  }
}

const image = { type: 'image', data: PNG_BASE64, mimeType: 'image/png' };
const audio = { type: 'audio', data: WAV_BASE64, mimeType: 'audio/wav' };

const contentTools: Readonly<Record<string, Fixture>> = {
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [audio] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource')] }),
  test_multiple_content_types: () => ({
    content: [text('Several kinds.'), image, embedded('test://mixed-content-resource')],
  }),
};

/** Exist on 2026 only, as input requests do. */
const askingTools: Readonly<Record<string, Fixture>> = {
  test_input_required_result_elicitation: (params) =>
    isAnswered(params, 'user_name') ? said('Hello!') : new Asked({ user_name: form('name') }),
  test_input_required_result_sampling: (params) =>
    isAnswered(params, 'capital_question') ? said('Thanks.') : new Asked({ capital_question: sampling() }),
  test_input_required_result_list_roots: (params) =>
    isAnswered(params, 'client_roots') ? said('Thanks.') : new Asked({ client_roots: roots() }),
  test_input_required_result_multiple_inputs: (params) =>
    ['user_name', 'greeting', 'client_roots'].every((key) => isAnswered(params, key))
      ? said('Thanks for everything.')
      : new Asked({ user_name: form('name'), greeting: sampling(), client_roots: roots() }, 'all'),
  test_input_required_result_multi_round: (params) => {
    const state = own(params, 'requestState');
    if (state === 'round 2' && isAnswered(params, 'step2')) return said('Two rounds.');
    if (state === 'round 1' && isAnswered(params, 'step1'))
      return new Asked({ step2: form('color') }, 'round 2');
    return new Asked({ step1: form('name') }, 'round 1');
  },
  test_input_required_result_capabilities: (_params, { capabilities }) =>
    new Asked({
      ...(isObject(own(capabilities as Params, 'elicitation')) && { user_name: form('name') }),
      ...(isObject(own(capabilities as Params, 'sampling')) && { greeting: sampling() }),
    }),
};

const contentPrompts: Readonly<Record<string, Fixture>> = {
  test_prompt_with_embedded_resource: (params) => {
    const uri = own((own(params, 'arguments') ?? {}) as Params, 'resourceUri');
    return { messages: [{ role: 'user', content: embedded(String(uri)) }] };
  },
  test_prompt_with_image: () => ({ messages: [{ role: 'user', content: image }] }),
};

const askingPrompts: Readonly<Record<string, Fixture>> = {
  test_input_required_result_prompt: (params) =>
    isAnswered(params, 'user_context')
      ? { messages: [{ role: 'user', content: text('With context.') }] }
      : new Asked({ user_context: form('context') }),
};

/** The service with the fixtures on top. Everything that is not one of them goes through unchanged. */
export function withFixtureLayer(service: ProductService): ProductService {
  const { identity } = service;
  return {
    ...service,
    async answer(method, params, exchange) {
      if (!service.knows(method, exchange.era)) return service.answer(method, params, exchange);
      const given = isObject(params) ? params : {};
      const fixture = fixtureOf(method, given, exchange);
      if (fixture !== undefined) return resultOf(fixture(readAnswers(given), exchange), identity, exchange);
      const answer = await underOurUris(service, method, params, exchange);
      return withEntries(method, answer, exchange);
    },
  };
}

function fixtureOf(method: string, params: Params, { era }: Exchange): Fixture | undefined {
  const name = own(params, 'name');
  const known = knownFixtures(method, era);
  return typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : undefined;
}

function knownFixtures(method: string, era: Exchange['era']): Readonly<Record<string, Fixture>> {
  const isAsking = era === '2026';
  if (method.startsWith('tools/')) return { ...contentTools, ...(isAsking && askingTools) };
  if (method.startsWith('prompts/')) return { ...contentPrompts, ...(isAsking && askingPrompts) };
  return {};
}

/** Answers that are no object are malformed, as for our own tools. */
function readAnswers(params: Params): Params {
  const responses = own(params, 'inputResponses');
  if (responses !== undefined && !isObject(responses))
    throw invalidParams('inputResponses must be an object');
  return params;
}

function resultOf(result: Params | Asked, identity: Identity, { era }: Exchange): string {
  if (!(result instanceof Asked)) return completeResult(era, identity, JSON.stringify(result));
  const { name, version } = identity;
  return JSON.stringify({
    resultType: 'input_required',
    inputRequests: result.inputRequests,
    requestState: result.requestState,
    _meta: { [SERVER_INFO_KEY]: { name, version } },
  });
}

/** The product's own answer, with the suite's URIs and the suite's form of a yes put into ours and back. */
async function underOurUris(
  service: ProductService,
  method: string,
  params: unknown,
  exchange: Exchange,
): Promise<string> {
  try {
    const answer = await service.answer(method, inOurTerms(method, params), exchange);
    return answer.replaceAll(OUR_URIS, SUITE_URIS);
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.data === undefined) throw error;
    const data = JSON.parse(JSON.stringify(error.data).replaceAll(OUR_URIS, SUITE_URIS));
    throw new ProtocolError(error.code, error.message, data, error.httpStatus);
  }
}

function inOurTerms(method: string, params: unknown): unknown {
  if (!isObject(params)) return params;
  const { uri, name, inputResponses } = params;
  if (method === 'resources/read' && typeof uri === 'string') {
    return { ...params, uri: uri.startsWith(SUITE_URIS) ? OUR_URIS + uri.slice(SUITE_URIS.length) : uri };
  }
  if (method !== 'tools/call' || !CONFIRMED_TOOLS.has(name as string) || !isObject(inputResponses)) {
    return params;
  }
  const confirm = own(inputResponses, 'confirm');
  const content = isObject(confirm) ? own(confirm, 'content') : undefined;
  if (!isObject(content) || own(content, 'ok') !== true) return params;
  const yes = { ...(confirm as Params), content: { confirm: true } };
  return { ...params, inputResponses: { ...inputResponses, confirm: yes } };
}

/** A list with the entries of the fixtures at its end. */
function withEntries(method: string, answer: string, { era }: Exchange): string {
  if (method !== 'tools/list' && method !== 'prompts/list') return answer;
  const list = JSON.parse(answer);
  for (const name of Object.keys(knownFixtures(method, era))) {
    const entry = { name, description: `Fixture of the conformance suite: ${name}.` };
    if (method === 'tools/list') list.tools.push({ ...entry, inputSchema: { type: 'object' } });
    else list.prompts.push(entry);
  }
  return JSON.stringify(list);
}

function isAnswered(params: Params, key: string): boolean {
  return isObject(own((own(params, 'inputResponses') ?? {}) as Params, key));
}

function text(value: string) {
  return { type: 'text', text: value };
}

function said(value: string) {
  return { content: [text(value)] };
}

function embedded(uri: string) {
  return { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded.' } };
}

function form(field: string) {
  const requestedSchema = {
    type: 'object',
    properties: { [field]: { type: 'string' } },
    required: [field],
  };
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message: `Your ${field}?`, requestedSchema },
  };
}

function sampling() {
  const messages = [{ role: 'user', content: text('What is the capital of France?') }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } };
}

function roots() {
  return { method: 'roots/list', params: {} };
}
