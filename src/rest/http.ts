/** REST over HTTP: bearer tokens only, a cookie is never looked at; refusals in the order that MCP has (PROTOCOL C-76). */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, Product } from '../core/caller.ts';
import { AppError, fail } from '../core/errors.ts';
import { keyOfCaller, type RateLimiter, rateHeaders } from '../core/rate-limits.ts';
import { ClientGone, drain, readBody } from '../mcp/body.ts';
import {
  type Authentication,
  authenticate,
  BODY_BYTES_MAX,
  bodyTooLarge,
  createOriginCheck,
  HttpRefusal,
  type OriginRules,
} from '../mcp/guard.ts';
import { parseJson } from '../mcp/message.ts';
import { ProtocolError } from '../mcp/protocol.ts';
import type { Mount } from '../web/mount.ts';
import type { RestReply } from './client.ts';
import { type Dispatcher, type Endpoint, replyOfNothing } from './dispatch.ts';
import { replyOfFailure } from './problems.ts';

const PATH = /^\/(?:finance|dunning|account)\/v1(?:\/|$)/;
const CORS_HEADERS = 'Authorization, Content-Type, Accept, Idempotency-Key';
const EXPOSED_HEADERS =
  'WWW-Authenticate, Link, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';
const PREFLIGHT_SECONDS = '600';
const JSON_TYPE = 'application/json';

export interface RestHttpOptions {
  readonly authenticator: Authentication;
  readonly originRules: OriginRules;
  /** Counts calls by token, person and organization. Default: nothing is limited. */
  readonly limiter?: RateLimiter | undefined;
  readonly now: () => Date;
  readonly logFailure: (error: unknown, where: string) => string;
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Serves `/<domain>/v1/…`. */
export function createRestMount(dispatcher: Dispatcher, options: RestHttpOptions): Mount {
  const checkOrigin = createOriginCheck(options.originRules);
  return (req, res, origin) => {
    const [path, query = ''] = splitOnce(req.url!, '?');
    if (!PATH.test(path)) return false;
    const exchange = { req, res, origin, path, query: new URLSearchParams(query) };
    serve(dispatcher, options, checkOrigin, exchange).catch((error: unknown) => {
      if (error instanceof ClientGone) return;
      drain(req);
      send(
        exchange,
        replyOfFailure(error, () => options.logFailure(error, 'rest')),
      );
    });
    return true;
  };
}

async function serve(
  dispatcher: Dispatcher,
  options: RestHttpOptions,
  checkOrigin: ReturnType<typeof createOriginCheck>,
  exchange: Exchange,
): Promise<void> {
  const { req, res, path, query, origin } = exchange;
  const page = checkOrigin(req.headers);
  if (page !== undefined) allowOrigin(res, page);
  if (req.method === 'OPTIONS') return answerPreflight(res);
  const found = dispatcher.find(req.method === 'HEAD' ? 'GET' : req.method!, path);
  if (found.kind !== 'found') {
    drain(req);
    return send(exchange, replyOfNothing(found));
  }
  const endpoint = found.value;
  const hasBody = endpoint.hasBody && isBodyAnnounced(req);
  if (hasBody) checkBodyShape(req);
  const now = options.now();
  const caller = await callerOf(exchange, endpoint, options.authenticator, now);
  countCall(options.limiter, caller, now, res);
  const body = hasBody ? bodyOf(await readBody(req)) : undefined;
  const reply = await dispatcher.run(endpoint, {
    params: found.params,
    query,
    body,
    idempotencyKey: idempotencyKeyOf(req),
    path,
    caller,
    surface: 'rest',
    server: endpoint.domain === 'account' ? undefined : { product: endpoint.domain, origin },
  });
  send(exchange, reply);
}

/** A request to the account is from a program of either product; it is told to leave that to people. */
async function callerOf(
  { req, origin }: Exchange,
  { domain }: Endpoint,
  authentication: Authentication,
  now: Date,
): Promise<Caller> {
  if (domain !== 'account') return authenticate(req, { product: domain, origin }, authentication, now);
  for (const product of ['finance', 'dunning'] satisfies Product[]) {
    try {
      await authenticate(req, { product, origin }, authentication, now);
    } catch (error) {
      if (error instanceof HttpRefusal && error.status === 401) continue;
      throw error;
    }
    fail('session_required');
  }
  throw new HttpRefusal(401, 'unauthenticated', new AppError('unauthenticated').message, {
    'WWW-Authenticate': 'Bearer',
  });
}

/** Tells what is left in the headers of the answer; 429 before the body is read (PROTOCOL C-78). */
function countCall(limiter: RateLimiter | undefined, caller: Caller, now: Date, res: ServerResponse): void {
  const verdict = limiter?.take(keyOfCaller(caller), 1, now);
  if (verdict === undefined) return;
  for (const [name, value] of Object.entries(rateHeaders(verdict))) res.setHeader(name, value);
  if (!verdict.allowed) fail('rate_limited', { retry_after: verdict.resetSeconds });
}

function isBodyAnnounced({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function checkBodyShape({ headers }: IncomingMessage): void {
  if ((headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase() !== JSON_TYPE) {
    throw new HttpRefusal(415, 'unsupported_media_type', 'The Content-Type must be application/json.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new HttpRefusal(415, 'unsupported_media_type', 'The body must not be compressed.');
  }
  if (Number(headers['content-length']) > BODY_BYTES_MAX) throw bodyTooLarge();
}

function bodyOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new HttpRefusal(400, 'invalid_json', error.message);
  }
}

function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'];
  return Array.isArray(key) ? key.join(', ') : key;
}

function send({ req, res }: Exchange, { status, headers, body }: RestReply): void {
  if (res.destroyed || res.headersSent) return;
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  res.writeHead(status, {
    'Content-Type': JSON_TYPE,
    ...headers,
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

/** A page of an allowed origin may read the answer; no cookies are involved, so no credentials (PROTOCOL TR-11). */
function allowOrigin(res: ServerResponse, origin: string): void {
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  res.setHeader('Vary', 'Origin');
}

function answerPreflight(res: ServerResponse): void {
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
    'Access-Control-Allow-Headers': CORS_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  res.end();
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
