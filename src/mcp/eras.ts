/** Every difference between the 2025 and the 2026 protocol in what a handler answers. */

import {
  CAPABILITIES_KEY,
  type Era,
  INVALID_PARAMS,
  isObject,
  LEGACY_HEADER_VERSIONS,
  LEGACY_VERSIONS,
  LOG_LEVEL_KEY,
  MODERN_VERSION,
  own,
  type Params,
  ProtocolError,
  SERVER_INFO_KEY,
  SUPPORTED_VERSIONS,
  UNSUPPORTED_VERSION,
  VERSION_KEY,
} from './protocol.ts';

const LOG_LEVELS = new Set(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
const RESOURCE_NOT_FOUND_2025 = -32_002;

/** How long a client may keep a result (2026 only). */
export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

export interface Identity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/**
 * The JSON of a complete result. `body` is the JSON of an object; on 2026 it gets `resultType`, the cache hint
 * and the server's identity, on 2025 none of these (PROTOCOL VE-66). `meta` goes out on both.
 */
export function completeResult(
  era: Era,
  identity: Identity,
  body: string,
  extra: { readonly cache?: CacheHint; readonly meta?: Params } = {},
): string {
  const { cache, meta } = extra;
  if (era === '2025') return meta === undefined ? body : `${openEnd(body)}"_meta":${JSON.stringify(meta)}}`;
  const hint = cache === undefined ? '' : `"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}",`;
  return `${openEnd(body)}"resultType":"complete",${hint}"_meta":${metaJson(identity, meta)}}`;
}

/** The JSON of the question put to a person; exists on 2026 only (PROTOCOL D.2). */
export function questionResult(identity: Identity, message: string, state: string): string {
  const params = {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Run this action', default: false } },
      required: ['confirm'],
    },
  };
  const inputRequests = JSON.stringify({ confirm: { method: 'elicitation/create', params } });
  return (
    `{"resultType":"input_required","inputRequests":${inputRequests},` +
    `"requestState":${JSON.stringify(state)},"_meta":${metaJson(identity, undefined)}}`
  );
}

/** The code for a URI that leads nowhere: -32002 on 2025, -32602 on 2026 (PROTOCOL T-5). */
export function resourceNotFound(era: Era, uri: string, reason?: unknown): ProtocolError {
  const code = era === '2025' ? RESOURCE_NOT_FOUND_2025 : INVALID_PARAMS;
  return new ProtocolError(code, 'Resource not found', reason === undefined ? { uri } : { uri, reason });
}

/** The version `initialize` answers: the one asked for when it is served, else the newest 2025 one. */
export function negotiatedVersion(requested: string): string {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS[0];
}

/** Which era a request belongs to: its 2026 envelope decides; without one, the version header may object. */
export function eraOf(method: string, params: unknown, headerVersion: string | undefined): Era {
  if (hasEnvelope(params) || headerVersion === MODERN_VERSION) return '2026';
  if (headerVersion === undefined || LEGACY_HEADER_VERSIONS.has(headerVersion)) return '2025';
  // The version of an `initialize` is the one in its body; clients send the header only afterwards.
  if (method === 'initialize') return '2025';
  throw unsupportedVersion(headerVersion);
}

/** Whether the parameters carry the per-request keys of 2026. */
export function hasEnvelope(params: unknown): boolean {
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  return isObject(meta) && (Object.hasOwn(meta, VERSION_KEY) || Object.hasOwn(meta, CAPABILITIES_KEY));
}

/** The version named in the envelope; fails with 400/-32602 that names the missing key (PROTOCOL VE-01). */
export function envelopeVersion(params: unknown): string {
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  if (!isObject(meta))
    throw malformedEnvelope(`_meta is required and holds ${VERSION_KEY} and ${CAPABILITIES_KEY}`);
  const version = own(meta, VERSION_KEY);
  if (typeof version !== 'string') throw malformedEnvelope(`_meta needs ${VERSION_KEY}, a string`);
  return version;
}

/**
 * The client capabilities of the request, after the version check. Unknown keys, also a malformed `clientInfo`,
 * are ignored (PROTOCOL VE-06, C-77). Fails with 400/-32602 or 400/-32022.
 */
export function envelopeCapabilities(params: unknown): Params {
  const version = envelopeVersion(params);
  const meta = (params as { _meta: Params })._meta;
  const capabilities = own(meta, CAPABILITIES_KEY);
  if (!isObject(capabilities)) throw malformedEnvelope(`_meta needs ${CAPABILITIES_KEY}, an object`);
  if (version !== MODERN_VERSION) throw unsupportedVersion(version);
  const elicitation = own(capabilities, 'elicitation');
  if (elicitation !== undefined && !isObject(elicitation)) {
    throw malformedEnvelope(`elicitation in ${CAPABILITIES_KEY} is an object`);
  }
  const logLevel = own(meta, LOG_LEVEL_KEY);
  if (logLevel !== undefined && !LOG_LEVELS.has(logLevel as string)) {
    throw malformedEnvelope(`${LOG_LEVEL_KEY} is one of: ${[...LOG_LEVELS].join(', ')}`);
  }
  return capabilities;
}

function unsupportedVersion(requested: string): ProtocolError {
  const data = { supported: SUPPORTED_VERSIONS, requested };
  return new ProtocolError(UNSUPPORTED_VERSION, 'Unsupported protocol version', data, 400);
}

function malformedEnvelope(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message, undefined, 400);
}

/** The JSON of an object without its closing brace, ready for one more member. */
function openEnd(body: string): string {
  return body === '{}' ? '{' : `${body.slice(0, -1)},`;
}

function metaJson({ name, version }: Identity, meta: Params | undefined): string {
  return JSON.stringify({ ...meta, [SERVER_INFO_KEY]: { name, version } });
}
