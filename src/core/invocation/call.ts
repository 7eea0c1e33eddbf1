/** One call on its way through `invoke`: what all steps share. */

import type { Caller, Place } from '../caller.ts';
import type { Confirmations, Question, Subject } from '../confirmations.ts';
import { civilDateAt } from '../dates.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Catalogue, Context, Operation, Progress, WriteContext } from '../operation.ts';
import type { AccessLine, AuditEvent, Change, Database, Db, Job, Surface, Transaction } from '../ports.ts';

export interface Request {
  readonly surface: Surface;
  /** What the client sent about confirming; absent where nobody can be asked. */
  readonly confirmation?: {
    /** The client capabilities of this very request (PROTOCOL VE-04). */
    readonly capabilities: unknown;
    readonly state: string | undefined;
    readonly responses: unknown;
  };
  /** The address under which the caller reached this server. */
  readonly publicUrl?: string | undefined;
  /** Where the caller wants to hear how far a long call is; must not throw and must not wait. */
  readonly progress?: (step: Progress) => void;
}

const nobodyListens = (): void => {};

export type Outcome =
  | { readonly kind: 'done'; readonly output: Record<string, unknown> }
  | { readonly kind: 'ask'; readonly question: Question };

export interface InvokePorts {
  readonly database: Database;
  readonly confirmations: Confirmations;
  readonly idempotency: Idempotency;
  readonly appendEvent: (db: Db, tenantId: string, event: AuditEvent) => Promise<void>;
  readonly enqueue: (db: Db, job: Job) => Promise<void>;
  /** Must not throw and must not wait. */
  readonly logAccess: (line: AccessLine) => void;
  /** Logs a failure nobody foresaw and gives the id to tell the caller. */
  readonly logFailure: (error: unknown, operation: string) => string;
  /** The caller as the database has it now, or null when the connection is no longer good. */
  readonly refreshCaller: (caller: Caller) => Promise<Caller | null>;
  readonly catalogue: Catalogue;
  readonly now: () => Date;
  /** See `Context.testHosts`. Default: none. */
  readonly testHosts?: readonly string[];
}

/** Remembers answers by the caller's idempotency key for 24 hours, inside the caller's transaction. */
export interface Idempotency {
  /** The stored answer; null when the key is new and now reserved. Fails with `idempotency_key_reused`. */
  begin(db: Db, key: IdempotencyKey, digest: string): Promise<Record<string, unknown> | null>;
  /** The stored answer, without reserving anything. */
  find(db: Db, key: IdempotencyKey, digest: string): Promise<Record<string, unknown> | null>;
  finish(db: Db, key: IdempotencyKey, answer: Record<string, unknown>): Promise<void>;
}

export interface IdempotencyKey {
  readonly tenantId: string;
  readonly userId: string;
  readonly operation: string;
  readonly key: string;
}

/** One call on its way: everything the steps share. */
export interface Call {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly place: Place;
  readonly input: Record<string, unknown>;
  readonly digest: string;
  readonly request: Request;
  readonly now: Date;
  readonly subject: Subject;
}

/** Thrown when `inputResponses.confirm` is not an elicitation result at all: a client bug, not a "no". */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

export function contextOf(ports: InvokePorts, call: Call, db: Db, isWriting: boolean): Context {
  const { caller, place, now } = call;
  return {
    db,
    caller,
    organizationId: place.organizationId,
    workspaceId: place.workspaceId ?? '',
    isWriting,
    scopes: place.scopes,
    now,
    get today() {
      return civilDateAt(now, place.timeZone);
    },
    timeZone: place.timeZone,
    publicUrl: call.request.publicUrl ?? null,
    testHosts: ports.testHosts ?? [],
    progress: call.request.progress ?? nobodyListens,
    catalogue: ports.catalogue,
  };
}

export function writeContextOf(
  ports: InvokePorts,
  call: Call,
  db: Transaction,
  changes: Change[],
  jobs: Job[],
): WriteContext {
  return Object.assign(contextOf(ports, call, db, true), {
    db,
    isDryRun: call.input['dry_run'] === true,
    newId,
    changed: (kind: string, id: string, before: unknown, after: unknown) => {
      changes.push({ kind, id, before, after });
    },
    enqueue: (job: Job) => {
      jobs.push(job);
    },
  });
}

export function asKnownError(error: unknown, log: () => string): AppError | MalformedAnswer {
  if (error instanceof AppError || error instanceof MalformedAnswer) return error;
  return new AppError('internal', { id: log() });
}

export function done(output: Record<string, unknown>): Outcome {
  return { kind: 'done', output };
}
