/** The headers that repeat the body on 2026 (PROTOCOL 1.3). The body is the truth; a header that differs refuses. */

import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { envelopeVersion, hasEnvelope } from './eras.ts';
import { HEADER_MISMATCH, isObject, own, ProtocolError } from './protocol.ts';

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const ENCODED = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const VISIBLE_ASCII = /^[\x20-\x7E\t]*$/;

/**
 * The version header against the envelope. Runs before the version itself is judged, so that a contradiction is
 * never read as an unsupported version (PROTOCOL TR-50, TR-51, VE-27). Fails with 400/-32020.
 */
export function checkVersionHeader(headerVersion: string | undefined, method: string, params: unknown): void {
  if (method === 'initialize' && !hasEnvelope(params)) {
    throw mismatch('initialize belongs to 2025, the MCP-Protocol-Version header does not');
  }
  const version = envelopeVersion(params);
  if (headerVersion === undefined) throw mismatch('The MCP-Protocol-Version header is missing');
  if (headerVersion !== version)
    throw mismatch('The MCP-Protocol-Version header differs from the one in _meta');
}

/** `Mcp-Method`, and `Mcp-Name` where the method has one, against the body. Fails with 400/-32020. */
export function checkMirroredHeaders(headers: IncomingHttpHeaders, method: string, params: unknown): void {
  const mirrored = headerValue(headers, 'mcp-method');
  if (mirrored === undefined) throw mismatch('The Mcp-Method header is missing');
  if (mirrored !== method) throw mismatch('The Mcp-Method header differs from the method');
  const parameter = NAMED_BY.get(method);
  if (parameter === undefined) return;
  const value = isObject(params) ? own(params, parameter) : undefined;
  // A body without the name is malformed, and says so by itself later.
  if (typeof value !== 'string') return;
  const name = headerValue(headers, 'mcp-name');
  if (name === undefined) throw mismatch('The Mcp-Name header is missing');
  if (decodedName(name) !== value) throw mismatch(`The Mcp-Name header differs from params.${parameter}`);
}

/** The header without surrounding whitespace (RFC 9110 5.5); repeated headers arrive joined by a comma. */
export function headerValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The name in clear: as it stands, or decoded strictly from `=?base64?…?=`. */
function decodedName(value: string): string {
  if (!VISIBLE_ASCII.test(value)) throw mismatch('The Mcp-Name header has characters a header cannot carry');
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  // Node decodes anything; only the canonical spelling of these bytes counts (PROTOCOL TR-57).
  if (!BASE64.test(encoded) || bytes.toString('base64') !== encoded || !isUtf8(bytes)) {
    throw mismatch('The Mcp-Name header is not valid base64');
  }
  return bytes.toString('utf8');
}

function mismatch(message: string): ProtocolError {
  return new ProtocolError(HEADER_MISMATCH, message, undefined, 400);
}
