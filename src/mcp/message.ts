/** From the bytes of a body to one JSON-RPC message. */

import { isUtf8 } from 'node:buffer';
import { INVALID_REQUEST, isObject, own, PARSE_ERROR, ProtocolError, type RequestId } from './protocol.ts';

/** Deeper documents are refused before they are parsed; our deepest argument has fewer than ten levels. */
const DEPTH_MAX = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification' }
  /** A request method without an id. It is never run, because its outcome could not be told (PROTOCOL C-88). */
  | { readonly kind: 'unanswerable' };

/** The parsed JSON. Fails with 400/-32700, or 400/-32600 when it is nested too deeply. */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw refused(PARSE_ERROR, 'The body is not valid UTF-8');
  if (isTooDeep(body)) throw refused(INVALID_REQUEST, `The body is nested deeper than ${DEPTH_MAX} levels`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw refused(PARSE_ERROR, 'The body is not valid JSON');
  }
}

/** The id to echo in an error, when there is a usable one. */
export function readableId(value: unknown): RequestId | undefined {
  const id = isObject(value) ? own(value, 'id') : undefined;
  return isRequestId(id) ? id : undefined;
}

/** One request or notification. Fails with 400/-32600; batches are refused (PROTOCOL TR-21). */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw refused(INVALID_REQUEST, 'Batches are not supported: send one message');
  if (!isObject(value)) throw refused(INVALID_REQUEST, 'The body is not a JSON-RPC message');
  if (own(value, 'jsonrpc') !== '2.0') throw refused(INVALID_REQUEST, 'jsonrpc must be "2.0"');
  const method = own(value, 'method');
  if (typeof method !== 'string') {
    const isResponse =
      method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
    throw refused(
      INVALID_REQUEST,
      isResponse ? 'Responses are not expected here' : 'method must be a string',
    );
  }
  if (!Object.hasOwn(value, 'id')) {
    return { kind: method.startsWith('notifications/') ? 'notification' : 'unanswerable' };
  }
  const { id } = value;
  if (!isRequestId(id)) throw refused(INVALID_REQUEST, 'id must be a string or an integer');
  return { kind: 'request', id, method, params: own(value, 'params') };
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Counts brackets outside strings; strings are jumped over, so a large file inside costs nearly nothing. */
function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]!;
    if (byte === QUOTE) {
      index = endOfString(body, index + 1);
      if (index === -1) return false;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** The index of the closing quote, or -1. */
function endOfString(body: Buffer, start: number): number {
  let end = body.indexOf(QUOTE, start);
  while (end !== -1) {
    let escapes = 0;
    while (body[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = body.indexOf(QUOTE, end + 1);
  }
  return -1;
}

function refused(code: number, message: string): ProtocolError {
  return new ProtocolError(code, message, undefined, 400);
}
