/** One call on its way through `invoke`: what all steps share. */

import type { ApprovalStore, Controls, Requester } from '../approvals.ts';
import type { Caller, Place, VerificationMethod } from '../caller.ts';
import type { Confirmations, Question, Subject } from '../confirmations.ts';
import { civilDateAt } from '../dates.ts';
import { AppError, fail } from '../errors.ts';
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
  /**
   * A program acts: a destructive call runs without a question, under an idempotency key. Only for the callers that
   * `Caller.isForPrograms` names; for everybody else it means nothing.
   */
  readonly unasked?: boolean;
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
  readonly approvals: ApprovalStore;
  readonly idempotency: Idempotency;
  readonly appendEvent: (db: Db, tenantId: string, event: AuditEvent) => Promise<void>;
  readonly enqueue: (db: Db, job: Job) => Promise<void>;
  /** Must not throw and must not wait. */
  readonly logAccess: (line: AccessLine) => void;
  /** Logs a failure nobody foresaw and gives the id to tell the caller. */
  readonly logFailure: (error: unknown, operation: string) => string;
  /** The caller as the database has it now, or null when the connection is no longer good. */
  readonly refreshCaller: (caller: Caller) => Promise<Caller | null>;
  /** The caller that whoever asked for a call that waits would be now, or null when they may not call any more. */
  readonly requesterOf: (db: Db, requester: Requester) => Promise<Caller | null>;
  /** Takes the proof that the session holds for the purpose, given not before `since`; null when it holds none. */
  readonly consumeVerification: (
    db: Transaction,
    sessionId: string,
    purpose: string,
    since: Date,
  ) => Promise<VerificationMethod | null>;
  readonly catalogue: Catalogue;
  readonly now: () => Date;
  /** Counts a call of a tool; fails with `rate_limited`. Default: nothing is limited. */
  readonly limitTool?: (operation: Operation, caller: Caller, now: Date) => void;
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
  /** As they were sent, and as they were read: money, for one, is another number inside. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly input: Record<string, unknown>;
  readonly digest: string;
  readonly request: Request;
  readonly now: Date;
  readonly subject: Subject;
  /** What the place lets happen, as it was when the call came; destructive calls only. */
  readonly controls?: Controls;
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

/** A store that cannot be reached means the action is not run (PROTOCOL CF-66, CF-68). */
export async function failClosed<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') fail('confirmation_unavailable');
    throw error;
  }
}

export function done(output: Record<string, unknown>): Outcome {
  return { kind: 'done', output };
}
