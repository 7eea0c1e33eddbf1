/** MCP over HTTP: one path per product, everything checked in one order (PROTOCOL C-76). */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, Product } from '../core/caller.ts';
import { AppError } from '../core/errors.ts';
import { keyOfCaller, type RateLimiter, rateHeaders } from '../core/rate-limits.ts';
import { originOf } from '../core/resources.ts';
import { ClientGone, drain, readBody } from './body.ts';
import { envelopeCapabilities, eraOf } from './eras.ts';
import { acceptsStreams, endStream, isStreaming, notifyOver } from './event-stream.ts';
import {
  type Authentication,
  authenticate,
  checkHttpShape,
  createOriginCheck,
  type GuardedServer,
  HttpRefusal,
  insufficientScope,
  type OriginRules,
  unauthenticated,
} from './guard.ts';
import { answerLean, errorJson, sendJson } from './lean.ts';
import { type Message, parseJson, readableId, readMessage } from './message.ts';
import type { ProductService } from './methods.ts';
import {
  APPLICATION_ERROR,
  type Exchange,
  methodNotFound,
  ProtocolError,
  type RequestId,
} from './protocol.ts';
import { createSdkHttpHandler, type Seen } from './sdk.ts';
import { checkMirroredHeaders, checkVersionHeader, headerValue } from './standard-headers.ts';
import { requireToolAccess } from './tools.ts';
import { callerWithin, VIEW_HEADERS, viewOfRequest } from './view.ts';

const CORS_HEADERS = `Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, ${VIEW_HEADERS}`;
const PREFLIGHT_SECONDS = '600';

export interface HttpOptions extends OriginRules {
  readonly services: readonly ProductService[];
  readonly authentication: Authentication;
  /** Counts calls by token, person and organization. Default: nothing is limited. */
  readonly limiter?: RateLimiter | undefined;
  readonly now: () => Date;
  /** The address that links to this server begin with; default: the host that the request named, which was checked. */
  readonly publicUrl?: string | undefined;
  /** Logs a failure nobody foresaw and gives the id to tell the caller. */
  readonly logFailure: (error: unknown, where: string) => string;
  /** `lean` is our own path; `sdk` frames the same answers with the official SDK. */
  readonly wire?: 'lean' | 'sdk';
}

interface Mount {
  readonly service: ProductService;
  readonly product: Product;
  readonly answerOverSdk: ReturnType<typeof createSdkHttpHandler>;
}

type RequestMessage = Extract<Message, { kind: 'request' }>;

/**
 * Serves `/<product>/mcp` for each service. The handler gives false, and touches nothing, for every other path.
 */
export function createHttpHandler(
  options: HttpOptions,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { now, logFailure } = options;
  const checkOrigin = createOriginCheck(options);
  const mounts = new Map<string, Mount>(
    options.services.map((service) => {
      const { product } = service.definition;
      const answerOverSdk = createSdkHttpHandler(service, now, logFailure);
      return [`/${product}/mcp`, { service, product, answerOverSdk }];
    }),
  );
  return (req, res) => {
    const mount = mounts.get(req.url!.split('?', 1)[0]!);
    if (mount === undefined) return false;
    serve(options, checkOrigin, mount, req, res).catch((error: unknown) => {
      logFailure(error, 'http');
      res.destroy();
    });
    return true;
  };
}

async function serve(
  options: HttpOptions,
  checkOrigin: ReturnType<typeof createOriginCheck>,
  mount: Mount,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  let id: RequestId | undefined;
  try {
    if (req.method !== 'OPTIONS') checkHttpShape(req);
    const origin = checkOrigin(req.headers);
    if (origin !== undefined) allowOrigin(res, origin);
    if (req.method === 'OPTIONS') return answerPreflight(res);
    const now = options.now();
    const caller = await authenticate(req, guardedServer(options, mount, req), options.authentication, now);
    refuseFlood(options.limiter, caller, now);
    const seen = seenBy(caller, mount, req);
    const value = parseJson(await readBody(req));
    id = readableId(value);
    const message = readMessage(value);
    if (message.kind === 'notification') return sendEmpty(res, 202);
    if (message.kind === 'unanswerable') return sendEmpty(res, 400);
    const exchange = exchangeOf(options, mount, req, res, message, seen, now);
    if (options.wire === 'sdk') {
      if (message.method === 'tools/call') requireToolAccess(mount.service, message.params, seen);
      return await mount.answerOverSdk(req, res, value, seen);
    }
    await answerLean(res, mount.service, message, exchange);
  } catch (error) {
    refuse(options, mount, req, res, error, id);
  }
}

/** 429 before the body is read (PROTOCOL C-78); a client that waits as told loses nothing. */
function refuseFlood(limiter: RateLimiter | undefined, caller: Caller, now: Date): void {
  const verdict = limiter?.take(keyOfCaller(caller), 1, now);
  if (verdict === undefined || verdict.allowed) return;
  const { status, code, message } = new AppError('rate_limited');
  throw new HttpRefusal(status, code, message, rateHeaders(verdict));
}

/** What of the product the address and the headers ask for; refused before the body is read. */
function seenBy(caller: Caller, { service }: Mount, { url, headers }: IncomingMessage): Seen {
  const view = viewOfRequest(url!, headers, service.toolsets.names);
  return { caller: callerWithin(caller, view), view };
}

/** Era, headers, envelope and version, then whether the method exists. */
function exchangeOf(
  options: HttpOptions,
  { service }: Mount,
  { headers }: IncomingMessage,
  res: ServerResponse,
  { method, params }: RequestMessage,
  seen: Seen,
  now: Date,
): Exchange {
  const headerVersion = headerValue(headers, 'mcp-protocol-version');
  const era = eraOf(method, params, headerVersion);
  let capabilities: unknown;
  if (era === '2026') {
    checkVersionHeader(headerVersion, method, params);
    capabilities = envelopeCapabilities(params);
    checkMirroredHeaders(headers, method, params);
  }
  if (!service.knows(method, era)) throw methodNotFound(era);
  const notify = acceptsStreams(headers.accept) ? notifyOver(res) : undefined;
  const publicUrl = options.publicUrl ?? `http://${headers.host}`;
  return { era, ...seen, capabilities, now, canChallenge: true, publicUrl, notify };
}

function refuse(
  options: HttpOptions,
  mount: Mount,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  id: RequestId | undefined,
): void {
  if (error instanceof ClientGone) return;
  drain(req);
  const server = guardedServer(options, mount, req);
  // Rights lost while progress was told already: the stream ends with what would have been the challenge.
  if (isStreaming(res)) {
    const { code, message } = asRefusal(server, error, () => options.logFailure(error, 'http'));
    endStream(res, errorJson(new ProtocolError(APPLICATION_ERROR, message, { code }), id));
    return;
  }
  if (error instanceof ProtocolError) {
    sendJson(res, error.httpStatus, errorJson(error, id));
    return;
  }
  const refusal = asRefusal(server, error, () => options.logFailure(error, 'http'));
  const { code, message, details } = refusal;
  const body = { ...(id !== undefined && { id }), error: { code, message, ...(details && { details }) } };
  sendJson(res, refusal.status, JSON.stringify(body), refusal.headers);
}

function asRefusal(server: GuardedServer, error: unknown, log: () => string): HttpRefusal {
  if (error instanceof HttpRefusal) return error;
  if (error instanceof AppError) {
    if (error.code === 'insufficient_scope') return insufficientScope(server, error);
    if (error.code === 'unauthenticated') return unauthenticated(server, 'invalid_token');
    const details = error.code === 'client_view_refused' ? error.details : undefined;
    return new HttpRefusal(error.status, error.code, error.message, {}, details);
  }
  const { code, status, message } = new AppError('internal', { id: log() });
  return new HttpRefusal(status, code, message);
}

function guardedServer(
  options: HttpOptions,
  { product }: Mount,
  { headers }: IncomingMessage,
): GuardedServer {
  return { product, origin: originOf(headers.host, options.publicUrl) };
}

/** A page of an allowed origin may read the answer; no cookies are involved, so no credentials (PROTOCOL TR-11). */
function allowOrigin(res: ServerResponse, origin: string): void {
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate');
  res.setHeader('Vary', 'Origin');
}

function answerPreflight(res: ServerResponse): void {
  res.setHeader('Access-Control-Allow-Methods', 'POST');
  res.setHeader('Access-Control-Allow-Headers', CORS_HEADERS);
  res.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  sendEmpty(res, 204);
}

function sendEmpty(res: ServerResponse, status: number): void {
  if (res.destroyed) return;
  res.writeHead(status, status === 204 ? {} : { 'Content-Length': 0, 'Cache-Control': 'no-store' });
  res.end();
}
