/** Pages and forms over HTTP: what comes in is bounded and from our own pages, what goes out cannot be framed or run foreign code. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Html } from './html.ts';

/** Refused in plain words; the page that says so shows the message. */
export class WebRefusal extends Error {
  override readonly name = 'WebRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * The fields of a posted form. Fails with `WebRefusal` when the post does not come from a page of this origin (every
 * browser in use says where a post comes from), is not a form, or is too large.
 */
export async function readForm(req: IncomingMessage, origin: string): Promise<URLSearchParams> {
  requireOwnOrigin(req, origin);
  if ((req.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase() !== FORM_TYPE) {
    throw new WebRefusal(415, 'Only forms are taken here.');
  }
  return new URLSearchParams(await readText(req, FORM_BYTES_MAX));
}

/** Fails with `WebRefusal` unless the request was made by a page of this origin. */
export function requireOwnOrigin(req: IncomingMessage, origin: string): void {
  const said = req.headers.origin ?? originOf(req.headers.referer);
  const site = req.headers['sec-fetch-site'];
  if (said !== origin || (site !== undefined && site !== 'same-origin')) {
    throw new WebRefusal(403, 'This did not come from a page of this server.');
  }
}

function originOf(referer: string | undefined): string | undefined {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
}

async function readText(req: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req) {
    bytes += part.length;
    if (bytes > bytesMax) throw new WebRefusal(413, 'That is more than a form may hold.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Headers of everything a browser shows; `formTargets` are further origins that a form may lead to. */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action 'self'${formTargets.map((target) => ` ${target}`).join('')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

/** Sends a page. */
export function sendPage(
  res: ServerResponse,
  status: number,
  page: Html,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  const body = Buffer.from(page.text);
  res.writeHead(status, {
    ...pageHeaders(),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    ...headers,
  });
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/** Sends the browser to a path of this server; 303, so that a post is not repeated. */
export function redirect(
  res: ServerResponse,
  path: string,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  res.writeHead(303, { ...pageHeaders(), Location: path, 'Content-Length': 0, ...headers });
  res.end();
}

/** A path of this server to go on to, or the other one when it is none: never another site, whatever is asked for. */
export function safePath(asked: string | null | undefined, otherwise: string): string {
  if (typeof asked !== 'string' || !/^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(asked) || asked.includes('\\')) {
    return otherwise;
  }
  const { host, pathname, search } = new URL(asked, 'http://here.invalid');
  // Without its dots, `/.//evil.example` begins with two slashes, which browsers take for another host.
  return host === 'here.invalid' && !pathname.startsWith('//') ? pathname + search : otherwise;
}
