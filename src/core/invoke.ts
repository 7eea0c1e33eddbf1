/**
 * The only way in, for every surface. In this order (PROTOCOL C-76): access level, permission and workspace,
 * capability to confirm, arguments, confirmation, then one transaction with idempotency key, run, output
 * check, audit event and jobs.
 */

import { parseArguments } from './arguments.ts';
import type { Caller, Place } from './caller.ts';
import { scopesAnywhere } from './caller.ts';
import type { Answer, Confirmations, Question, Subject } from './confirmations.ts';
import { classifyAnswer, isFormCapable } from './confirmations.ts';
import { civilDateAt } from './dates.ts';
import { digestOf } from './digest.ts';
import { AppError, fail, failArgument } from './errors.ts';
import { newId, parseId } from './ids.ts';
import type { Catalogue, Context, Fact, Operation, WriteContext } from './operation.ts';
import { tokenScopeOf } from './operation.ts';
import type { AccessLine, AuditEvent, Change, Database, Db, Job, Surface, Transaction } from './ports.ts';

export interface Request {
  readonly surface: Surface;
  /** What the client sent about confirming; absent where nobody can be asked. */
  readonly confirmation?: {
    /** The client capabilities of this very request (PROTOCOL VE-04). */
    readonly capabilities: unknown;
    readonly state: string | undefined;
    readonly responses: unknown;
  };
}

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

export interface Invoker {
  readonly catalogue: Catalogue;
  /** Runs the operation. Everything it throws is an `AppError` or a `MalformedAnswer`. */
  call(operation: Operation, args: unknown, caller: Caller, request: Request): Promise<Outcome>;
  /**
   * Runs `work` where the read operation would run: same permission, workspace, arguments and audit line.
   * For what a resource or a completion needs beyond the operation's own answer.
   */
  readAs<T>(
    operation: Operation,
    args: unknown,
    caller: Caller,
    surface: Surface,
    work: (context: Context) => Promise<T>,
  ): Promise<T>;
}

/** One call on its way: everything the steps share. */
interface Call {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly place: Place;
  readonly input: Record<string, unknown>;
  readonly digest: string;
  readonly request: Request;
  readonly now: Date;
  readonly subject: Subject;
}

/** The invoker of a process. */
export function createInvoker(ports: InvokePorts): Invoker {
  return {
    catalogue: ports.catalogue,
    call: (operation, args, caller, request) =>
      admitted(ports, operation, args, caller, request, (call) => runCall(ports, call)),
    readAs: (operation, args, caller, surface, work) =>
      admitted(ports, operation, args, caller, { surface }, (call) =>
        ports.database.read(call.place, (db) => work(contextOf(ports, call, db, false))),
      ),
  };
}

/** Admits the call, does the work, and writes one access line whatever happens. */
async function admitted<T>(
  ports: InvokePorts,
  operation: Operation,
  args: unknown,
  caller: Caller,
  request: Request,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const now = ports.now();
  let outcome = 'done';
  let call: Call | undefined;
  try {
    requireAccessLevel(operation, caller);
    // Cached rights are good enough to read; whoever changes something is looked up again.
    const current = operation.access === 'read' ? caller : await ports.refreshCaller(caller);
    if (current === null) fail('unauthenticated');
    call = admit(operation, args, current, request, now);
    const result = await work(call);
    if ((result as Outcome | undefined)?.kind === 'ask') outcome = 'asked';
    return result;
  } catch (error) {
    const known = asKnownError(error, () => ports.logFailure(error, operation.name));
    outcome = known instanceof AppError ? known.code : 'malformed_answer';
    throw known;
  } finally {
    ports.logAccess(
      accessLine(operation, caller, request, call, outcome, now, performance.now() - startedAt),
    );
  }
}

/** Thrown when `inputResponses.confirm` is not an elicitation result at all: a client bug, not a "no". */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

function requireAccessLevel(operation: Operation, caller: Caller): void {
  if (operation.access === 'write' && caller.access === 'read') {
    fail('insufficient_scope', {
      required: [tokenScopeOf(operation.product, 'write')],
      granted: [tokenScopeOf(caller.product, 'read')],
    });
  }
}

/** Steps that refuse: permission, workspace, capability, arguments. */
function admit(operation: Operation, args: unknown, caller: Caller, request: Request, now: Date): Call {
  const place = placeOf(operation, args, caller);
  if (!operation.scopes.every((scope) => place.scopes.has(scope))) {
    fail('forbidden', { required: operation.scopes });
  }
  if (operation.effect === 'destructive' && !isFormCapable(request.confirmation?.capabilities)) {
    fail('confirmation_required', { required_capabilities: { elicitation: { form: {} } } });
  }
  const input = parseArguments(operation, args);
  const { workspace_id: _given, ...rest } = input;
  const digest = digestOf({ arguments: rest, workspace: place.workspaceId });
  const subject = { operation, caller, place, digest, input };
  return { operation, caller, place, input, digest, request, now, subject };
}

/** Where the call works. A workspace that the caller does not reach looks like one that does not exist. */
function placeOf(operation: Operation, args: unknown, caller: Caller): Place {
  const organizationId = caller.organization.id;
  if (operation.tenant !== 'workspace') {
    const scopes = operation.tenant === 'organization' ? caller.organizationScopes : scopesAnywhere(caller);
    return {
      organizationId,
      workspaceId: null,
      workspaceName: null,
      timeZone: caller.organization.timeZone,
      scopes,
    };
  }
  const asked = workspaceArgument(args);
  const workspaceId = asked ?? caller.defaultWorkspaceId;
  if (workspaceId === null) {
    const workspaces = [...caller.workspaces.values()].map(({ id, name }) => ({ id, name }));
    if (workspaces.length === 0) fail('forbidden', { required: operation.scopes });
    fail('workspace_required', { workspaces });
  }
  const workspace = caller.workspaces.get(workspaceId);
  if (workspace === undefined) fail('not_found', { kind: 'workspace' });
  return {
    organizationId,
    workspaceId,
    workspaceName: workspace.name,
    timeZone: workspace.timeZone,
    scopes: workspace.scopes,
  };
}

function workspaceArgument(args: unknown): string | null {
  const value = (args as Record<string, unknown> | undefined)?.['workspace_id'];
  if (value === undefined) return null;
  return (
    (typeof value === 'string' ? parseId(value) : null) ??
    failArgument('workspace_id', 'the id of a workspace, a UUID')
  );
}

function runCall(ports: InvokePorts, call: Call): Promise<Outcome> {
  if (call.operation.effect === 'read') return runRead(ports, call);
  if (call.input['dry_run'] === true) return runDry(ports, call);
  if (call.operation.effect === 'destructive') return failClosed(runConfirmed(ports, call));
  return ports.database.write(call.place, async (db) => done(await runWrite(ports, call, db, undefined)));
}

async function runRead(ports: InvokePorts, call: Call): Promise<Outcome> {
  return ports.database.read(call.place, async (db) => {
    const context = contextOf(ports, call, db, false);
    return done(
      checkedOutput(call.operation, await call.operation.run(call.input as never, context as never)),
    );
  });
}

/** A store that cannot be reached means the action is not run (PROTOCOL CF-66, CF-68). */
async function failClosed(running: Promise<Outcome>): Promise<Outcome> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') fail('confirmation_unavailable');
    throw error;
  }
}

/** Destructive operations: rows 8 to 19 of the decision table (PROTOCOL D.1). */
async function runConfirmed(ports: InvokePorts, call: Call): Promise<Outcome> {
  const { confirmations } = ports;
  const { state, responses } = call.request.confirmation!;
  const answer = readAnswer(responses);
  const opened = confirmations.open(state, call.subject, call.now);
  if (opened.status !== 'valid') return ask(ports, call, { expired: false });
  if (answer === 'accepted') {
    const outcome = await runAccepted(ports, call, opened);
    return 'reason' in outcome ? ask(ports, call, outcome.reason) : outcome.result();
  }
  const spent = await confirmations.find(opened.id, call.place);
  if (spent === 'used') fail('confirmation_replayed');
  if (spent === 'declined' || opened.isExpired || answer === 'none') {
    return ask(ports, call, { expired: opened.isExpired });
  }
  await confirmations.decline(opened.id, call.subject, call.now);
  return fail('USER_DECLINED', { action: answer });
}

type Accepted = { reason: AskReason } | { result: () => Outcome };

interface AskReason {
  readonly expired: boolean;
  /** Facts of the question before, by key, as digests; the ones that differ now are marked. */
  readonly changedFrom?: Readonly<Record<string, string>>;
}

/** The yes: claim, re-check, spend, run, record, all in one transaction. */
async function runAccepted(
  ports: InvokePorts,
  call: Call,
  opened: { id: string; isExpired: boolean; factDigests: Readonly<Record<string, string>> },
): Promise<Accepted> {
  const { confirmations } = ports;
  return ports.database.write(call.place, async (db): Promise<Accepted> => {
    const claim = await confirmations.claim(db, opened.id, call.place);
    if (claim === 'used') fail('confirmation_replayed');
    if (claim === 'declined' || opened.isExpired) return { reason: { expired: opened.isExpired } };
    const facts = await factsOf(call, contextOf(ports, call, db, true));
    if (confirmations.changedFacts(opened.factDigests, facts).length > 0) {
      return { reason: { expired: false, changedFrom: opened.factDigests } };
    }
    await confirmations.spend(db, opened.id, call.subject, ports.now());
    const confirmation = {
      id: opened.id,
      question: confirmations.textOf(call.subject, facts, {}),
      answer: 'accepted' as const,
    };
    try {
      const output = await db.nested(() => runWrite(ports, call, db, confirmation));
      return { result: () => done(output) };
    } catch (error) {
      // The confirmation stays spent and the failure is on record; the effect was undone by the savepoint.
      const known = asKnownError(error, () => ports.logFailure(error, call.operation.name));
      const code = known instanceof AppError ? known.code : 'internal';
      await confirmations.fail(db, opened.id, call.place, code);
      await appendEvent(ports, call, db, { outcome: 'failed', errorCode: code, confirmation, changes: [] });
      return {
        result: () => {
          throw known;
        },
      };
    }
  });
}

async function ask(ports: InvokePorts, call: Call, reason: AskReason): Promise<Outcome> {
  const { confirmations } = ports;
  return ports.database.read(call.place, async (db): Promise<Outcome> => {
    const stored = await storedAnswer(ports, call, db);
    if (stored !== null) return done(stored);
    confirmations.limitQuestions(call.subject, call.now);
    const recent = await confirmations.lastUse(db, call.subject, call.now);
    const facts = await factsOf(call, contextOf(ports, call, db, false));
    const changed =
      reason.changedFrom === undefined ? [] : confirmations.changedFacts(reason.changedFrom, facts);
    const message = confirmations.textOf(call.subject, facts, { expired: reason.expired, changed, recent });
    const state = confirmations.seal(call.subject, facts, call.now);
    return { kind: 'ask', question: { message, state } };
  });
}

/** A retry of a call that went through needs no second question: nothing runs. */
function storedAnswer(ports: InvokePorts, call: Call, db: Db): Promise<Record<string, unknown> | null> {
  const key = idempotencyKeyOf(call);
  return key === null ? Promise.resolve(null) : ports.idempotency.find(db, key, call.digest);
}

/** The same code in a transaction that is rolled back. */
async function runDry(ports: InvokePorts, call: Call): Promise<Outcome> {
  const rollback = new Error('dry run');
  let output: Record<string, unknown> = {};
  try {
    await ports.database.write(call.place, async (db) => {
      const context = writeContextOf(ports, call, db, [], []);
      output = checkedOutput(call.operation, await call.operation.run(call.input as never, context as never));
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return done(output);
}

/** Idempotency key, run, output check, event and jobs, in the caller's transaction. */
async function runWrite(
  ports: InvokePorts,
  call: Call,
  db: Transaction,
  confirmation: AuditEvent['confirmation'],
): Promise<Record<string, unknown>> {
  const key = idempotencyKeyOf(call);
  if (key !== null) {
    const stored = await ports.idempotency.begin(db, key, call.digest);
    if (stored !== null) return stored;
  }
  const changes: Change[] = [];
  const jobs: Job[] = [];
  const context = writeContextOf(ports, call, db, changes, jobs);
  const output = checkedOutput(
    call.operation,
    await call.operation.run(call.input as never, context as never),
  );
  if (key !== null) await ports.idempotency.finish(db, key, output);
  for (const job of jobs) await ports.enqueue(db, job);
  await appendEvent(ports, call, db, { outcome: 'done', ...(confirmation && { confirmation }), changes });
  return output;
}

function appendEvent(
  ports: InvokePorts,
  call: Call,
  db: Db,
  event: Pick<AuditEvent, 'outcome' | 'errorCode' | 'confirmation' | 'changes'>,
): Promise<void> {
  const { caller, operation, request } = call;
  return ports.appendEvent(db, tenantIdOf(call), {
    id: newId(),
    at: call.now.toISOString(),
    operation: operation.name,
    actor: {
      userId: caller.user.id,
      tokenId: caller.tokenId,
      clientId: caller.clientId,
      surface: request.surface,
    },
    argumentsDigest: call.digest,
    ...event,
  });
}

function tenantIdOf(call: Call): string {
  return call.place.workspaceId ?? call.place.organizationId;
}

function idempotencyKeyOf(call: Call): IdempotencyKey | null {
  const key = call.input['idempotency_key'];
  if (typeof key !== 'string') return null;
  return { tenantId: tenantIdOf(call), userId: call.caller.user.id, operation: call.operation.name, key };
}

function factsOf(call: Call, context: Context): Promise<readonly Fact[]> {
  return call.operation.question!(call.input as never, context);
}

function contextOf(ports: InvokePorts, call: Call, db: Db, isWriting: boolean): Context {
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
    catalogue: ports.catalogue,
  };
}

function writeContextOf(
  ports: InvokePorts,
  call: Call,
  db: Db,
  changes: Change[],
  jobs: Job[],
): WriteContext {
  return Object.assign(contextOf(ports, call, db, true), {
    newId,
    changed: (kind: string, id: string, before: unknown, after: unknown) => {
      changes.push({ kind, id, before, after });
    },
    enqueue: (job: Job) => {
      jobs.push(job);
    },
  });
}

function checkedOutput(operation: Operation, output: unknown): Record<string, unknown> {
  const result = operation.output.safeParse(output);
  if (!result.success) {
    throw new Error(
      `${operation.name} broke its own output: ${result.error.issues[0]?.path.join('.')} ${result.error.issues[0]?.message}`,
    );
  }
  return result.data;
}

function done(output: Record<string, unknown>): Outcome {
  return { kind: 'done', output };
}

function readAnswer(responses: unknown): Answer {
  const answer = classifyAnswer(responses);
  if (answer === 'malformed')
    throw new MalformedAnswer('inputResponses.confirm is not an elicitation result');
  return answer;
}

function asKnownError(error: unknown, log: () => string): AppError | MalformedAnswer {
  if (error instanceof AppError || error instanceof MalformedAnswer) return error;
  return new AppError('internal', { id: log() });
}

function accessLine(
  operation: Operation,
  caller: Caller,
  request: Request,
  call: Call | undefined,
  outcome: string,
  at: Date,
  durationMs: number,
): AccessLine {
  return {
    at,
    organizationId: caller.organization.id,
    workspaceId: call?.place.workspaceId ?? null,
    userId: caller.user.id,
    tokenId: caller.tokenId,
    clientId: caller.clientId,
    surface: request.surface,
    operation: operation.name,
    outcome,
    argumentsDigest: call?.digest ?? null,
    durationMs,
  };
}
