/** Somebody in the console in front of one approval: who they are now, where, and what they may see of it. */

import type { Approval } from '../approvals.ts';
import type { Caller, Place, SessionFacts } from '../caller.ts';
import { AppError, fail } from '../errors.ts';
import { parseId } from '../ids.ts';
import { asKnownError, failClosed, type InvokePorts } from './call.ts';

/** Somebody in the console in front of one approval. */
export interface Sitting {
  readonly approver: Caller;
  readonly session: SessionFacts;
  readonly place: Place;
  readonly id: string;
  readonly now: Date;
}

type Verb = 'open' | 'approve' | 'decline';

/** Lets the person in as they are now, does the work, and writes one access line whatever happens. */
export async function sitting<T>(
  ports: InvokePorts,
  verb: Verb,
  caller: Caller,
  id: string,
  workspaceId: string | null,
  work: (sitting: Sitting) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const now = ports.now();
  const operation = `${caller.product}_approvals_${verb}`;
  let outcome = 'done';
  let place: Place | null = null;
  try {
    if (caller.session === undefined) fail('session_required');
    const approver = await ports.refreshCaller(caller);
    if (approver?.session === undefined) fail('unauthenticated');
    place = placeAt(approver, workspaceId);
    const known = parseId(id) ?? missing();
    const result = await failClosed(work({ approver, session: approver.session, place, id: known, now }));
    const { status } = result as { status?: string };
    if (status === 'changed' || status === 'failed') outcome = status;
    return result;
  } catch (error) {
    const known = asKnownError(error, () => ports.logFailure(error, operation));
    outcome = known instanceof AppError ? known.code : 'internal';
    throw known;
  } finally {
    ports.logAccess({
      at: now,
      organizationId: caller.organization.id,
      workspaceId: place?.workspaceId ?? null,
      userId: caller.user.id,
      tokenId: caller.tokenId,
      clientId: caller.clientId,
      surface: 'console',
      operation,
      outcome,
      argumentsDigest: null,
      durationMs: performance.now() - startedAt,
    });
  }
}

/** An approval that is nowhere, in another place, or not to be seen: all the same to whoever asks. */
function missing(): never {
  return fail('not_found', { kind: 'approval' });
}

function placeAt(caller: Caller, workspaceId: string | null): Place {
  const { organization, organizationScopes, workspaces, defaultWorkspaceId, product } = caller;
  const ours = { organizationId: organization.id };
  if (product !== 'finance') {
    const { timeZone } = organization;
    return { ...ours, workspaceId: null, workspaceName: null, timeZone, scopes: organizationScopes };
  }
  const workspace = workspaces.get(workspaceId ?? defaultWorkspaceId ?? '') ?? missing();
  const { id, name, timeZone, scopes } = workspace;
  return { ...ours, workspaceId: id, workspaceName: name, timeZone, scopes };
}

/** The approval and its operation, for somebody who may see it: who asked, who may say yes, who reads the events. */
export function seen({ catalogue }: InvokePorts, { approver, place }: Sitting, approval: Approval | null) {
  const operation = approval === null ? undefined : catalogue.byName.get(approval.operation);
  if (approval === null || operation === undefined || approval.product !== approver.product) missing();
  const holdsScopes = operation.scopes.every((scope) => place.scopes.has(scope));
  const isOwn = approval.requestedBy === approver.user.id;
  if (!isOwn && !holdsScopes && !place.scopes.has(`${approver.product}.events`)) missing();
  return { approval, operation, holdsScopes, isOwn };
}
