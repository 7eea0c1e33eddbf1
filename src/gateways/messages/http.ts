/**
 * HTTP to providers of messages: one call, bounded in time and size, redirects not followed. What it throws says which
 * call failed and how; tokens and texts are never in it.
 */

import { MessageOutcomeUnknown, MessageUnreachable } from './port.ts';
import { jsonOf } from './reports.ts';

const CALL_MS = 15_000;
const ANSWER_BYTES_MAX = 65_536;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Failures in which no request ever left: name look-up, connection, TLS. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

export interface ProviderCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly token: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** In milliseconds. Default 15 s. */
  readonly timeoutMs?: number | undefined;
}

export interface ProviderAnswer {
  readonly status: number;
  /** Undefined when it is no JSON, or longer than 64 KiB. */
  readonly body: unknown;
}

/** True for https, or http on this machine, without a user, a query or a fragment. */
export function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** Throws `MessageUnreachable` when surely nothing was done, and `MessageOutcomeUnknown` when it may have been. */
export async function callProvider(call: ProviderCall): Promise<ProviderAnswer> {
  try {
    const response = await fetch(call.url, {
      method: call.method,
      redirect: 'manual',
      signal: AbortSignal.timeout(call.timeoutMs ?? CALL_MS),
      headers: {
        authorization: `Bearer ${call.token}`,
        accept: 'application/json',
        'user-agent': 'kobana-mcp',
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    });
    return { status: response.status, body: await bodyOf(response) };
  } catch (error) {
    throw failureOf(error, call);
  }
}

/** Reads the answer up to the cap; the time limit of the call covers it. */
async function bodyOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return jsonOf(Buffer.concat(chunks));
}

/** A read that failed says nothing about the message; a write that may have arrived is unknown. */
function failureOf(error: unknown, { method, url }: ProviderCall): Error {
  const code = codeOf(error);
  const what = `${method} ${new URL(url).host}: ${code}`;
  return method === 'GET' || NEVER_CONNECTED.test(code)
    ? new MessageUnreachable(what)
    : new MessageOutcomeUnknown(what);
}

function codeOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (typeof cause?.code === 'string') return cause.code;
  return name === 'TimeoutError' ? 'no answer in time' : 'the connection broke';
}
