/**
 * The only way in, for every surface. In this order (PROTOCOL C-76): access level, permission and workspace, (destructive)
 * the freeze and the capability to confirm, arguments, confirmation, then one transaction with idempotency key, run,
 * output check, audit event and jobs.
 */

import { type Caller, narrowedTo } from './caller.ts';
import { isFormCapable } from './confirmations.ts';
import { AppError, fail } from './errors.ts';
import { admit, isUnasked, requireAccessLevel, requireSession } from './invocation/admission.ts';
import { type Approving, createApproving } from './invocation/approving.ts';
import {
  asKnownError,
  type Call,
  contextOf,
  done,
  failClosed,
  type InvokePorts,
  type Outcome,
  type Request,
} from './invocation/call.ts';
import { runConfirmed } from './invocation/confirming.ts';
import { runDry, runRead, runWrite } from './invocation/running.ts';
import { leaveForPerson, runUnasked } from './invocation/waiting.ts';
import type { Catalogue, Context, Operation } from './operation.ts';
import type { AccessLine, Surface } from './ports.ts';

export {
  type Idempotency,
  type IdempotencyKey,
  type InvokePorts,
  MalformedAnswer,
  type Outcome,
  type Request,
} from './invocation/call.ts';

export interface Invoker {
  readonly catalogue: Catalogue;
  /** How a person in the console decides on calls that wait for one. */
  readonly approvals: Approving;
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

/** The invoker of a process. */
export function createInvoker(ports: InvokePorts): Invoker {
  return {
    catalogue: ports.catalogue,
    approvals: createApproving(ports),
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
    requireSession(operation, caller);
    requireAccessLevel(operation, caller);
    ports.limitTool?.(operation, caller, now);
    // Cached rights are good enough to read; whoever changes something is looked up again.
    const current = operation.access === 'read' ? caller : await refreshed(ports, caller);
    if (current === null) fail('unauthenticated');
    call = await admit(ports, operation, args, current, request, now);
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

/** The caller as the database has it now; narrowed to one workspace it stays so. */
async function refreshed(ports: InvokePorts, caller: Caller): Promise<Caller | null> {
  const current = await ports.refreshCaller(caller);
  if (current === null || caller.onlyWorkspaceId === undefined) return current;
  return narrowedTo(current, caller.onlyWorkspaceId);
}

function runCall(ports: InvokePorts, call: Call): Promise<Outcome> {
  if (call.operation.effect === 'read') return runRead(ports, call);
  if (call.input['dry_run'] === true) return runDry(ports, call);
  if (call.operation.effect === 'destructive') return failClosed(runDestructive(ports, call));
  return ports.database.write(call.place, async (db) => done(await runWrite(ports, call, db, undefined)));
}

function runDestructive(ports: InvokePorts, call: Call): Promise<Outcome> {
  if (isUnasked(call.request, call.caller)) return runUnasked(ports, call);
  const canAsk = isFormCapable(call.request.confirmation?.capabilities);
  return canAsk ? runConfirmed(ports, call) : leaveForPerson(ports, call);
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
