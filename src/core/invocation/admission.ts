/** The steps that refuse: access level, permission, workspace, capability, arguments. */

import { parseArguments } from '../arguments.ts';
import type { Caller, Place } from '../caller.ts';
import { scopesAnywhere } from '../caller.ts';
import { isFormCapable } from '../confirmations.ts';
import { digestOf } from '../digest.ts';
import { fail, failArgument } from '../errors.ts';
import { parseId } from '../ids.ts';
import { type Operation, tokenScopeOf } from '../operation.ts';
import type { Call, Request } from './call.ts';

export function requireAccessLevel(operation: Operation, caller: Caller): void {
  if (operation.access === 'write' && caller.access === 'read') {
    fail('insufficient_scope', {
      required: [tokenScopeOf(operation.product, 'write')],
      granted: [tokenScopeOf(caller.product, 'read')],
    });
  }
}

/** Steps that refuse: permission, workspace, capability, arguments. */
export function admit(
  operation: Operation,
  args: unknown,
  caller: Caller,
  request: Request,
  now: Date,
): Call {
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
