/**
 * The production path over HTTP: from a message to one JSON answer on plain `node:http`. Both eras allow
 * `application/json` for a single answer (PROTOCOL TR-27); an event stream it is only when the call reported
 * progress (PROTOCOL C-87).
 */

import type { ServerResponse } from 'node:http';
import { endStream, isStreaming } from './event-stream.ts';
import type { ProductService } from './methods.ts';
import { type Exchange, ProtocolError, type RequestId } from './protocol.ts';

const JSON_TYPE = 'application/json';

/** Answers one request. Fails with `AppError` for what is a challenge. */
export async function answerLean(
  res: ServerResponse,
  service: ProductService,
  request: { readonly id: RequestId; readonly method: string; readonly params: unknown },
  exchange: Exchange,
): Promise<void> {
  const { id, method, params } = request;
  let body: string;
  let status = 200;
  try {
    const result = await service.answer(method, params, exchange);
    body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    body = errorJson(error, id);
    status = error.httpStatus;
  }
  if (isStreaming(res)) endStream(res, body);
  else sendJson(res, status, body);
}

/** A JSON-RPC error; without an id when none could be read (PROTOCOL TR-31). */
export function errorJson({ code, message, data }: ProtocolError, id: RequestId | undefined): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data && { data }) },
  });
}

/** Sends one JSON body. A client that went away gets nothing, and that is no error (PROTOCOL TR-70 to TR-72). */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.destroyed || res.headersSent) return;
  const length = Buffer.byteLength(body);
  res.writeHead(status, {
    ...headers,
    'Content-Type': JSON_TYPE,
    'Content-Length': length,
    'Cache-Control': 'no-store',
  });
  // Text of one byte a character is the same in Latin-1, which is copied instead of encoded.
  res.end(body, length === body.length ? 'latin1' : 'utf8');
}
