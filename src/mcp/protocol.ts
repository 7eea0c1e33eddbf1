/** What every part of the MCP surface shares: versions, key names, codes, and the error that answers a request. */

import type { Caller } from '../core/caller.ts';
import type { Notify } from './progress.ts';
import type { ClientView } from './view.ts';

/** The two protocol families served; every difference between them is in `eras.ts`. */
export type Era = '2025' | '2026';

export const MODERN_VERSION = '2026-07-28';
/** Newest first; `initialize` offers these (PROTOCOL C-07). */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18'] as const;
/** What discovery and the version error list (PROTOCOL T-18). */
export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS];
/** Header values of requests that are served as 2025; 2025-03-26 has the same rules minus batches (PROTOCOL C-07). */
export const LEGACY_HEADER_VERSIONS: ReadonlySet<string> = new Set([...LEGACY_VERSIONS, '2025-03-26']);

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
/** Our own result key: the error object for programs; models read the text block (PROTOCOL C-22). */
export const ERROR_KEY = 'com.kobana/error';

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
export const HEADER_MISMATCH = -32_020;
export const MISSING_CAPABILITY = -32_021;
export const UNSUPPORTED_VERSION = -32_022;
/** Application errors of `resources/read`, which has no other channel; `data.code` says which (PROTOCOL T-6). */
export const APPLICATION_ERROR = -31_000;

/** Exactly what is served; nothing of it changes while connected, so there is no `listChanged` (PROTOCOL VE-41). */
export const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} } as const;

/** The extension by which clients show pages beside answers (MCP Apps, SEP-1865). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';
export const PANEL_TYPE = 'text/html;profile=mcp-app';

export type RequestId = string | number;
export type Params = Readonly<Record<string, unknown>>;

/** One request, as every handler sees it, whatever carried it. */
export interface Exchange {
  readonly era: Era;
  readonly caller: Caller;
  /** Which of the product's tools this connection wants to see. */
  readonly view: ClientView;
  /** The client capabilities of this very request; undefined on 2025, where nobody can be asked. */
  readonly capabilities: unknown;
  readonly now: Date;
  /** True where the transport answers 401 and 403 itself; elsewhere they are results or errors. */
  readonly canChallenge: boolean;
  /** The address under which the client reached us, without a path; undefined where there is none. */
  readonly publicUrl?: string | undefined;
  /** Carries notifications to the client before the answer, where the transport and the client can. */
  readonly notify?: Notify | undefined;
}

/** Ends a request with a JSON-RPC error. Messages and data hold only what we wrote or the client sent. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: Params | undefined;
  readonly httpStatus: number;

  constructor(code: number, message: string, data?: Params, httpStatus = 200) {
    super(message);
    this.code = code;
    this.data = data;
    this.httpStatus = httpStatus;
  }
}

/** `-32602`: the parameters are malformed, or name something that does not exist. */
export function invalidParams(message: string, data?: Params): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message, data);
}

/** `-32601`, with the HTTP status the era wants (PROTOCOL TR-63, TR-64). */
export function methodNotFound(era: Era): ProtocolError {
  return new ProtocolError(METHOD_NOT_FOUND, 'Method not found', undefined, era === '2026' ? 404 : 200);
}

/**
 * `-32021` with HTTP 400 (PROTOCOL CF-84). Not used today: a client that cannot confirm gets
 * `confirmation_required` as a result (PROTOCOL T-1).
 */
export function missingCapability(requiredCapabilities: Params): ProtocolError {
  return new ProtocolError(
    MISSING_CAPABILITY,
    'The client does not declare a capability this request needs.',
    { requiredCapabilities },
    400,
  );
}

/** Whether the value is a JSON object. */
export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property, or undefined; a name such as `constructor` never reaches the prototype. */
export function own(object: Params, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
