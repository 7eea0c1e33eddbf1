/** Failures as RFC 9457 problems, with the codes and texts that every surface has. */

import { AppError, errorRegistry } from '../core/errors.ts';
import { type GuardedServer, HttpRefusal, insufficientScope, unauthenticated } from '../mcp/guard.ts';
import type { RestReply } from './client.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** The URI that names a problem of this code; it is a name and leads nowhere. */
export function problemUri(code: string): string {
  return `urn:kobana:error:${code}`;
}

export interface Problem {
  readonly type: string;
  /** What went wrong: the same for every problem of the type. */
  readonly title: string;
  readonly status: number;
  /** What the caller does next. */
  readonly detail: string;
  readonly code: string;
  /** What the texts refer to. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * What this failure is answered with; one nobody foresaw becomes `internal` with the id under which `log` keeps it. A
 * token that is missing or not enough is challenged in the name of `server`; in this process nobody is.
 */
export function replyOfFailure(error: unknown, log: () => string, server?: GuardedServer): RestReply {
  if (error instanceof HttpRefusal) {
    const { status, code, message, headers, details } = error;
    const problem = { type: problemUri(code), title: message, status, detail: message, code };
    return reply({ ...problem, ...(details && { details }) }, headers);
  }
  const known = error instanceof AppError ? error : new AppError('internal', { id: log() });
  const { code, status, details } = known;
  const { message, next } = errorRegistry[code];
  return reply(
    { type: problemUri(code), title: message, status, detail: next, code, ...(details && { details }) },
    headersOf(known, server),
  );
}

function headersOf(error: AppError, server: GuardedServer | undefined): Readonly<Record<string, string>> {
  if (server !== undefined && error.code === 'insufficient_scope') {
    return insufficientScope(server, error).headers;
  }
  if (server !== undefined && error.code === 'unauthenticated') {
    return unauthenticated(server, 'invalid_token').headers;
  }
  const wait = error.details?.['retry_after'];
  return typeof wait === 'number' ? { 'Retry-After': String(Math.max(1, Math.ceil(wait))) } : {};
}

function reply(problem: Problem, headers: Readonly<Record<string, string>>): RestReply {
  return { status: problem.status, headers: { ...headers, 'Content-Type': PROBLEM_TYPE }, body: problem };
}
