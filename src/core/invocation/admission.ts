/** The steps that refuse: session, access level, permission, workspace, freeze, capability, arguments. */

import type { z } from 'zod';
import { parseArguments } from '../arguments.ts';
import type { Caller, Place } from '../caller.ts';
import { scopesAnywhere } from '../caller.ts';
import { isFormCapable } from '../confirmations.ts';
import { digestOf } from '../digest.ts';
import { fail, failArgument } from '../errors.ts';
import { parseId } from '../ids.ts';
import { type Operation, tokenScopeOf } from '../operation.ts';
import { type Call, failClosed, type InvokePorts, type Request } from './call.ts';

/** How long a proof that somebody is there counts for what needs a fresh one. */
const FRESH_SESSION_MS = 5 * 60_000;

export function requireAccessLevel(operation: Operation, caller: Caller): void {
  if (operation.access === 'write' && caller.access === 'read') {
    fail('insufficient_scope', {
      required: [tokenScopeOf(operation.product, 'write')],
      granted: [tokenScopeOf(caller.product, 'read')],
    });
  }
}

/** Only a session is somebody at the console; a token is whatever program holds it. */
export function requireSession(operation: Operation, caller: Caller): void {
  const needsSession = operation.product === 'account' || operation.needsFreshSession;
  if (needsSession && caller.session === undefined) fail('session_required');
}

/** Steps that refuse: permission, workspace, freeze, capability, arguments. */
export async function admit(
  ports: InvokePorts,
  operation: Operation,
  args: unknown,
  caller: Caller,
  request: Request,
  now: Date,
): Promise<Call> {
  const place = placeFor(operation, args, caller);
  requireFreshSession(operation, caller, now);
  if (operation.effect !== 'destructive') return callAt(operation, args, caller, place, request, now);
  const controls = await failClosed(ports.database.read(place, (db) => ports.approvals.controls(db, place)));
  const isDry = isDryRun(operation, args);
  if (controls.isFrozen && !isDry) fail('workspace_frozen');
  const canConfirm = isFormCapable(request.confirmation?.capabilities) || isUnasked(request, caller);
  const canWait = controls.approvalsEnabled && operation.product !== 'account' && !isDry;
  if (!canConfirm && !canWait) fail('confirmation_required', clientNeeds);
  const call = callAt(operation, args, caller, place, request, now);
  if (isUnasked(request, caller) && call.input['idempotency_key'] === undefined) {
    fail('idempotency_key_required');
  }
  return { ...call, controls };
}

/** What a client has to be able to do before it can be asked. */
export const clientNeeds = { required_capabilities: { elicitation: { form: {} } } };

/** A program acts, and its token says that it may without a question. */
export function isUnasked(request: Request, caller: Caller): boolean {
  return request.unasked === true && caller.isForPrograms === true;
}

/** The place of the call, where the caller holds every scope of the operation. */
export function placeFor(operation: Operation, args: unknown, caller: Caller): Place {
  const place = placeOf(operation, args, caller);
  if (!operation.scopes.every((scope) => place.scopes.has(scope))) {
    fail('forbidden', { required: operation.scopes });
  }
  return place;
}

/** The call with its arguments checked. */
export function callAt(
  operation: Operation,
  args: unknown,
  caller: Caller,
  place: Place,
  request: Request,
  now: Date,
): Call {
  const input = parseArguments(operation, args);
  const { workspace_id: _given, ...rest } = input;
  const digest = digestOf({ arguments: rest, workspace: place.workspaceId });
  const subject = { operation, caller, place, digest, input };
  return { operation, caller, place, args: argumentsOf(args), input, digest, request, now, subject };
}

/** Parsed as an object above. */
function argumentsOf(args: unknown): Readonly<Record<string, unknown>> {
  return (args ?? {}) as Record<string, unknown>;
}

function requireFreshSession(operation: Operation, { session }: Caller, now: Date): void {
  if (!operation.needsFreshSession || session === undefined) return;
  if (now.getTime() - Date.parse(session.verifiedAt) > FRESH_SESSION_MS) fail('verification_required');
}

/** Read before the arguments as a whole are looked at, because the freeze and the capability come before them. */
function isDryRun(operation: Operation, args: unknown): boolean {
  const field = operation.input.shape['dry_run'] as z.ZodType | undefined;
  const read = field?.safeParse((args as Record<string, unknown> | undefined)?.['dry_run']);
  return read?.success === true && read.data === true;
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
