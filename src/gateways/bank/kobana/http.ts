/**
 * The HTTP client of Kobana's API: bounded in time, size and repetition. What it throws says only which call failed
 * and how; the token and what was sent are never in it.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { cleanOutsideText } from '../../../core/text.ts';
import { BankOutcomeUnknown, BankUnreachable } from '../port.ts';
import { isSafeAddress, isTokenText } from './address.ts';

const CALL_MS = 30_000;
/** How long a call waits in all when it is told to come back later. */
const WAIT_MS_MAX = 20_000;
const WAIT_MS_DEFAULT = 1_000;
const RESPONSE_BYTES_MAX = 8_388_608;
const REASON_MAX = 500;

/** Failures in which no request ever left: name look-up, connection, TLS. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The API does not let us in, or is not where it should be: it did nothing, and a person has to look. */
export class BankAccessDenied extends BankUnreachable {}

export interface KobanaAccess {
  readonly token: string;
  /** Scheme and host; https, or http on this machine. */
  readonly url: string;
  /** One call, in milliseconds. Default 30 s. */
  readonly timeoutMs?: number;
  /** The longest a call waits when it is told to come back later, in milliseconds. Default 20 s. */
  readonly waitMsMax?: number;
}

export type Query = Readonly<Record<string, string | number>>;

/** What the API answered to a write: its data, or why it did not do it. */
export type Written =
  | { readonly kind: 'done'; readonly data: unknown }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly reason: string;
      readonly isRepeated: boolean;
    };

export interface KobanaHttp {
  /** The whole answer; null when there is no such record. Throws `BankUnreachable` for anything else. */
  read(path: string, query?: Query): Promise<unknown>;
  /** Throws `BankUnreachable` when surely nothing was done and `BankOutcomeUnknown` when it may have been. */
  write(method: 'POST' | 'PUT', path: string, body: object | undefined, key: string): Promise<Written>;
}

const errorsForm = z.object({
  errors: z.array(
    z.object({
      title: z.string().nullish(),
      code: z.string().nullish(),
      param: z.string().nullish(),
      detail: z.unknown().optional(),
    }),
  ),
});

const dataForm = z.object({ data: z.unknown() });

export function createKobanaHttp(access: KobanaAccess): KobanaHttp {
  if (!isSafeAddress(access.url)) throw new TypeError('the address of the Kobana API must be https');
  if (!isTokenText(access.token)) throw new TypeError('the token of the Kobana API must be visible ASCII');
  return {
    async read(path, query = {}) {
      const what = `GET ${path}`;
      const { status, body } = await call(access, 'GET', withQuery(path, query), {});
      if (status === 404) return null;
      if (status === 200 && body !== undefined) return body;
      throw deniedBy(status, what) ?? new BankUnreachable(`${what}: answered ${status}`);
    },
    async write(method, path, given, key) {
      const what = `${method} ${path}`;
      const { status, body } = await call(access, method, path, { given, key });
      const denied = deniedBy(status, what);
      if (denied !== undefined) throw denied;
      if (status >= 500 || status === 408) throw new BankOutcomeUnknown(`${what}: answered ${status}`);
      if (status >= 400) return refused(status, body, access.token);
      const parsed = dataForm.safeParse(body);
      if (!parsed.success)
        throw new BankOutcomeUnknown(`${what}: answered ${status} with something unreadable`);
      return { kind: 'done', data: parsed.data.data };
    },
  };
}

interface Answer {
  readonly status: number;
  /** Undefined when it is no JSON. */
  readonly body: unknown;
}

interface Sent {
  readonly given?: object | undefined;
  readonly key?: string;
}

/** Sends one request; a 429 is waited out and tried again as long as that is short. */
async function call(access: KobanaAccess, method: string, target: string, sent: Sent): Promise<Answer> {
  let left = access.waitMsMax ?? WAIT_MS_MAX;
  for (;;) {
    const response = await send(access, method, target, sent);
    if (response.status !== 429) return { status: response.status, body: await bodyOf(response, method) };
    await response.body?.cancel();
    const wait = waitOf(response.headers.get('retry-after'));
    if (wait > left) throw new BankUnreachable(`${method} ${pathOf(target)}: too many requests`);
    left -= wait;
    await sleep(wait);
  }
}

async function send(
  { token, url, timeoutMs = CALL_MS }: KobanaAccess,
  method: string,
  target: string,
  { given, key }: Sent,
): Promise<Response> {
  try {
    return await fetch(new URL(target, url), {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': 'kobana-mcp',
        ...(given !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'x-idempotency-key': key }),
      },
      ...(given !== undefined && { body: JSON.stringify(given) }),
    });
  } catch (error) {
    throw failureOf(error, method, target);
  }
}

/** Reads the answer up to the cap; the time limit of the call covers it. */
async function bodyOf(response: Response, method: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > RESPONSE_BYTES_MAX) return undefined;
      chunks.push(chunk);
    }
  } catch (error) {
    throw failureOf(error, method, new URL(response.url).pathname);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A read that failed says nothing about the record; a write that may have arrived is unknown. */
function failureOf(error: unknown, method: string, target: string): Error {
  const code = codeOf(error);
  const what = `${method} ${pathOf(target)}: ${code}`;
  return method === 'GET' || NEVER_CONNECTED.test(code)
    ? new BankUnreachable(what)
    : new BankOutcomeUnknown(what);
}

function codeOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (typeof cause?.code === 'string') return cause.code;
  return name === 'TimeoutError' ? 'no answer in time' : 'the connection broke';
}

function deniedBy(status: number, what: string): BankAccessDenied | undefined {
  if (status === 401 || status === 403)
    return new BankAccessDenied(`${what}: the API refused the token (${status})`);
  if (status >= 300 && status < 400) return new BankAccessDenied(`${what}: the API answered with a redirect`);
  return undefined;
}

function refused(status: number, body: unknown, token: string): Written {
  const parsed = errorsForm.safeParse(body);
  const errors = parsed.success ? parsed.data.errors : [];
  const told = errors.map(({ title, detail }) =>
    [title, detail].filter((part) => typeof part === 'string' && part !== '').join(': '),
  );
  const text = told.filter((part) => part !== '').join('; ') || `the API answered ${status}`;
  return {
    kind: 'refused',
    status,
    reason: cleanOutsideText(text.replaceAll(token, '***'), REASON_MAX),
    isRepeated: status === 409 || errors.some(({ param }) => param?.split('.').at(-1) === 'external_id'),
  };
}

/** Seconds or a date; one second when it says nothing. */
function waitOf(header: string | null): number {
  if (header === null || header.trim() === '') return WAIT_MS_DEFAULT;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? WAIT_MS_DEFAULT : Math.max(wait, 0) || WAIT_MS_DEFAULT;
}

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}

function pathOf(target: string): string {
  return target.split('?', 1)[0]!;
}
