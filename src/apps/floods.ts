import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { AppError } from '../core/errors.ts';
import { rateHeaders } from '../core/rate-limits.ts';
import type { Runtime } from './runtime.ts';

/** A proxy that is not announced, or a program of this machine: whose requests these are cannot be told apart. */
const LOOPBACK = /^(?:127\.|0:0:0:0::\/64$)/;

/** Asked by what keeps the process running, which a flood must not stop. */
const WATCHERS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Counts the request by where it comes from, whoever sends it and whatever it asks for, and answers it with 429 before
 * anything of it is read when there were too many (PROTOCOL C-78). Gives whether it did.
 */
export function refuseFlood(runtime: Runtime, req: IncomingMessage, res: ServerResponse): boolean {
  if (WATCHERS.has(req.url!.split('?', 1)[0]!)) return false;
  const address = runtime.addressOf(req);
  if (LOOPBACK.test(address)) return false;
  const verdict = runtime.limiter.take({ address }, 1, runtime.now());
  if (verdict === undefined || verdict.allowed) return false;
  const { status, code, message } = new AppError('rate_limited');
  const body = JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    code,
    detail: message,
    retry_after: verdict.resetSeconds,
  });
  res.writeHead(status, {
    ...rateHeaders(verdict),
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    // What else is on the way over this connection is not worth reading.
    Connection: 'close',
  });
  res.end(body);
  req.resume();
  return true;
}
