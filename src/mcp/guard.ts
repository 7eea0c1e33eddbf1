/**
 * What an HTTP request has to be before its body means anything (PROTOCOL C-76): the shape of the request, where
 * it comes from, and who sends it. Every refusal is a plain HTTP answer (PROTOCOL T-23).
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Caller, Product } from '../core/caller.ts';
import { AppError, type ErrorDetails } from '../core/errors.ts';
import { tokenScopeOf } from '../core/operation.ts';
import { metadataUrlOf } from '../core/resources.ts';

/** A file of 10 MiB as base64, with room for what goes around it. */
export const BODY_BYTES_MAX = 15 * 1024 * 1024;

const ACCEPTED = ['application/json', 'text/event-stream', '*/*', 'application/*', 'text/*'];
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/** Refuses with a status and a plain body; never a JSON-RPC error, which would be in the name of the protocol. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: ErrorDetails | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    details?: ErrorDetails,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.details = details;
  }
}

/** The server that refuses, for the challenge that says where its tokens come from. */
export interface GuardedServer {
  readonly product: Product;
  /** The address the request came to. */
  readonly origin: string;
}

export interface Authentication {
  authenticate(token: string, product: Product, now: Date): Promise<Caller | null>;
}

/** Method, content type, encoding, accepted types and announced size. */
export function checkHttpShape(req: IncomingMessage): void {
  const { method, headers } = req;
  if (method !== 'POST') {
    throw new HttpRefusal(405, 'method_not_allowed', 'Only POST is answered here.', { Allow: 'POST' });
  }
  const type = headers['content-type'] ?? '';
  if (type !== 'application/json' && type.split(';', 1)[0]!.trim().toLowerCase() !== 'application/json') {
    throw new HttpRefusal(415, 'unsupported_media_type', 'The Content-Type must be application/json.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new HttpRefusal(415, 'unsupported_media_type', 'The body must not be compressed.');
  }
  if (!acceptsOurTypes(headers.accept)) {
    throw new HttpRefusal(406, 'not_acceptable', 'Answers are application/json or text/event-stream.');
  }
  if (Number(headers['content-length']) > BODY_BYTES_MAX) throw bodyTooLarge();
}

export interface OriginRules {
  /** Host names, which any port matches, or `host:port`. */
  readonly allowedHosts: readonly string[];
  /** Origins such as `https://app.example`; one that ends in `:*` matches any port. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Checks `Host` and `Origin` (PROTOCOL TR-05 to TR-08). Gives the origin when the request comes from a page that
 * may call us, undefined when it does not come from a page, and throws for any other.
 */
export function createOriginCheck(rules: OriginRules): (headers: IncomingHttpHeaders) => string | undefined {
  const checkHost = createHostCheck(rules.allowedHosts);
  const origins = new Set(rules.allowedOrigins.map((origin) => origin.toLowerCase()));
  return ({ host, origin }) => {
    checkHost(host);
    if (origin === undefined) return undefined;
    const lower = origin.toLowerCase();
    if (!origins.has(lower) && !origins.has(lower.replace(/:\d{1,5}$/, ':*')) && !origins.has(`${lower}:*`)) {
      throw new HttpRefusal(403, 'origin_not_allowed', 'Pages of that origin may not call this server.');
    }
    return origin;
  };
}

/** Checks `Host` and gives it in lower case; throws for a name that this server does not have. */
export function createHostCheck(allowedHosts: readonly string[]): (host: string | undefined) => string {
  const hosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
  return (host = '') => {
    const given = host.toLowerCase();
    const hostname = HOST.exec(given)?.[1];
    if (hostname === undefined || !(hosts.has(hostname) || hosts.has(given))) {
      throw new HttpRefusal(403, 'host_not_allowed', 'This server is not served under that host name.');
    }
    return given;
  };
}

/** The caller behind the bearer token. Fails with 401, or 400 when the credentials are malformed (PROTOCOL AU-06). */
export async function authenticate(
  req: IncomingMessage,
  server: GuardedServer,
  authentication: Authentication,
  now: Date,
): Promise<Caller> {
  if (/[?&]access_token=/.test(req.url ?? '')) throw malformedCredentials(server);
  const { authorization } = req.headers;
  // Another scheme, or nothing at all, is no attempt with a token, so no error is named (RFC 6750 section 3.1).
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization))
    throw unauthenticated(server, null);
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined || countOf(req.rawHeaders, 'authorization') > 1) throw malformedCredentials(server);
  const caller = await authentication.authenticate(token, server.product, now);
  if (caller === null) throw unauthenticated(server, 'invalid_token');
  return caller;
}

/** 401 with the challenge; `error` only when a token was given (PROTOCOL AU-02, AU-05). */
export function unauthenticated(server: GuardedServer, error: 'invalid_token' | null): HttpRefusal {
  const scope = tokenScopeOf(server.product, 'read');
  return new HttpRefusal(401, 'unauthenticated', new AppError('unauthenticated').message, {
    'WWW-Authenticate': challenge(server, { ...(error !== null && { error }), scope }),
  });
}

/** 403 with every scope the operation needs in one challenge (PROTOCOL AU-11, AU-12). */
export function insufficientScope(server: GuardedServer, error: AppError): HttpRefusal {
  const { required } = error.details as { readonly required: readonly string[] };
  return new HttpRefusal(403, 'insufficient_scope', error.message, {
    'WWW-Authenticate': challenge(server, { error: 'insufficient_scope', scope: required.join(' ') }),
  });
}

/** 413, before or while the body is read. */
export function bodyTooLarge(): HttpRefusal {
  return new HttpRefusal(413, 'body_too_large', `The body is larger than ${BODY_BYTES_MAX} bytes.`);
}

function malformedCredentials(server: GuardedServer): HttpRefusal {
  const scope = tokenScopeOf(server.product, 'read');
  return new HttpRefusal(
    400,
    'invalid_request',
    'Send one token, in the Authorization header as: Bearer <token>.',
    { 'WWW-Authenticate': challenge(server, { error: 'invalid_request', scope }) },
  );
}

function challenge(server: GuardedServer, parameters: Readonly<Record<string, string>>): string {
  const metadata = metadataUrlOf(server.origin, server.product);
  const list = Object.entries({ ...parameters, resource_metadata: metadata });
  return `Bearer ${list.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
}

function acceptsOurTypes(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  const lower = accept.toLowerCase();
  return ACCEPTED.some((type) => lower.includes(type));
}

/** Node keeps only the first of repeated Authorization headers, so the raw list is counted. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === name) count += 1;
  }
  return count;
}
