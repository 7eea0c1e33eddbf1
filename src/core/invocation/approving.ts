/** How a person in the console decides on a call that waits: the same question, the same ledger, the same single use. */

import {
  APPROVAL_PROOF_MS,
  type Approval,
  approvalPurposeOf,
  type Controls,
  type Decision,
} from '../approvals.ts';
import type { Caller, Place, VerificationMethod } from '../caller.ts';
import type { QuestionNotes, Subject } from '../confirmations.ts';
import { AppError, fail } from '../errors.ts';
import type { Fact, Operation } from '../operation.ts';
import type { Db, Transaction } from '../ports.ts';
import { cleanOutsideText } from '../text.ts';
import { callAt, placeFor, requireAccessLevel } from './admission.ts';
import { asKnownError, type Call, contextOf, type InvokePorts } from './call.ts';
import { appendEvent, keptOf, runWrite } from './running.ts';
import { type Sitting, seen, sitting } from './sitting.ts';
import { amountOf, factsOf, holdThawed, isSecondPersonNeeded } from './waiting.ts';

const DECLINE_REASON_MAX = 500;

/** What the console shows of a call that waits. */
interface OpenedApproval {
  /** As `<product>_approvals_get` gives it. */
  readonly approval: Readonly<Record<string, unknown>>;
  /** From the live records, in the language of whoever looks; null where nothing can be asked (any more). */
  readonly question: string | null;
  /** Goes back with the yes; good for five minutes and for this person alone. Null when they may not say it. */
  readonly state: string | null;
  readonly expires_at: string | null;
  readonly may_approve: boolean;
  /** Why it cannot be approved, as an error would say it. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

type ApprovalDone =
  | {
      readonly status: 'done';
      readonly approval: Readonly<Record<string, unknown>>;
      /** What the operation gave, with secrets that are shown once: here and nowhere else. */
      readonly output: Readonly<Record<string, unknown>>;
    }
  | { readonly status: 'failed'; readonly approval: Readonly<Record<string, unknown>> }
  | ({ readonly status: 'changed' } & OpenedApproval);

export interface Approving {
  /** The question of a call that waits. Fails with `not_found` for one of another place. */
  open(caller: Caller, id: string, workspaceId: string | null): Promise<OpenedApproval>;
  /**
   * Runs the call as whoever asked for it, once. `changed` when the question is not the one this state was made for;
   * nothing ran then, and the new question comes with it.
   */
  approve(
    caller: Caller,
    id: string,
    workspaceId: string | null,
    state: string | undefined,
  ): Promise<ApprovalDone>;
  decline(
    caller: Caller,
    id: string,
    workspaceId: string | null,
    reason: string | null,
  ): Promise<{ readonly status: 'declined'; readonly approval: Readonly<Record<string, unknown>> }>;
}

export function createApproving(ports: InvokePorts): Approving {
  return {
    open: (caller, id, workspaceId) =>
      sitting(ports, 'open', caller, id, workspaceId, (sat) =>
        ports.database.read(sat.place, (db) => view(ports, sat, db, {})),
      ),
    approve: (caller, id, workspaceId, state) =>
      sitting(ports, 'approve', caller, id, workspaceId, (sat) => approve(ports, sat, state)),
    decline: (caller, id, workspaceId, reason) =>
      sitting(ports, 'decline', caller, id, workspaceId, (sat) => decline(ports, sat, reason)),
  };
}

async function view(
  ports: InvokePorts,
  sat: Sitting,
  db: Db,
  before: { readonly changedFrom?: Readonly<Record<string, string>>; readonly expired?: boolean },
): Promise<OpenedApproval> {
  const { approval, operation, holdsScopes } = seen(
    ports,
    sat,
    await ports.approvals.find(db, sat.place, sat.id, sat.now),
  );
  const closed = {
    approval: approval.record,
    question: null,
    state: null,
    expires_at: null,
    may_approve: false,
  };
  if (approval.status !== 'pending') return { ...closed, problem: problemOf('approval_not_pending') };
  // The question is made of live records, which are for those who may act on them.
  if (!holdsScopes) return { ...closed, problem: problemOf('forbidden', { required: operation.scopes }) };
  try {
    const controls = await ports.approvals.controls(db, sat.place);
    const { subject, facts } = await askedOf(ports, sat, db, approval, operation, false);
    const changed =
      before.changedFrom === undefined ? [] : ports.confirmations.changedFacts(before.changedFrom, facts);
    const recent = await ports.confirmations.lastUse(db, subject, sat.now);
    const notes = { ...notesOf(approval), changed, recent, expired: before.expired ?? false };
    const question = ports.confirmations.textOf(subject, facts, notes);
    const refusal = refusalOf(approval, sat, controls, facts);
    if (refusal !== null) return { ...closed, question, problem: problemOf(refusal) };
    const { state, expiresAt } = sealed(ports, subject, facts, sat.now);
    return { ...closed, question, state, expires_at: expiresAt, may_approve: true, problem: null };
  } catch (error) {
    // What the records say against the call is what the person has to know; anything else ends the page.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { ...closed, problem: error.toEnvelope().error };
  }
}

function problemOf(...error: ConstructorParameters<typeof AppError>) {
  return new AppError(...error).toEnvelope().error;
}

function sealed(ports: InvokePorts, subject: Subject, facts: readonly Fact[], now: Date) {
  const state = ports.confirmations.seal(subject, facts, now);
  return { state, expiresAt: new Date(now.getTime() + STATE_MS).toISOString() };
}

/** As long as any confirmation: see the sealing. */
const STATE_MS = 300_000;

function notesOf({ requestedByName: name, clientId, clientName }: Approval): QuestionNotes {
  return { requestedBy: { name, clientId, clientName } };
}

/** Why this person may not say yes, or null. */
function refusalOf(
  approval: Approval,
  { approver }: Sitting,
  controls: Controls,
  facts: readonly Fact[],
): 'workspace_frozen' | 'same_person_approval' | null {
  if (controls.isFrozen) return 'workspace_frozen';
  // A call that waits because its client cannot ask is above the threshold all the same when its amount is.
  const needsOther = approval.reason === 'second_person' || isSecondPersonNeeded(controls, amountOf(facts));
  return needsOther && approval.requestedBy === approver.user.id ? 'same_person_approval' : null;
}

interface Asked {
  /** The call as whoever asked for it would make it now. */
  readonly call: Call;
  /** What the person is asked about it. */
  readonly subject: Subject;
  readonly facts: readonly Fact[];
}

/**
 * The call again, as its requester and from its stored arguments. Rules such as "whoever asked for it does not decide on
 * it" look at the requester when it runs, and here at whoever says yes as well: it is their decision, and nobody who may
 * not take it may take it through somebody else's call. Fails with `requester_not_allowed` when the requester may not
 * call (any more).
 */
async function askedOf(
  ports: InvokePorts,
  { approver, place, now }: Sitting,
  db: Db,
  approval: Approval,
  operation: Operation,
  isWriting: boolean,
): Promise<Asked> {
  const { product, organizationId, requestedBy: userId, tokenId, clientId, surface } = approval;
  const requester = await ports.requesterOf(db, { product, organizationId, userId, tokenId, clientId });
  if (requester === null) fail('requester_not_allowed');
  const placed = { workspace_id: approval.workspaceId ?? undefined };
  const placeThen = placeOfRequester(operation, placed, requester);
  const call = callAt(operation, approval.arguments, requester, placeThen, { surface }, now);
  // The same text read another way is another call: the operation has changed since.
  if (call.digest !== approval.argumentsDigest) fail('approval_changed');
  const { digest, input } = call;
  const subject = { operation, caller: approver, place, digest, input, approvalId: approval.id };
  const facts = await factsOf(call, contextOf(ports, call, db, isWriting));
  if (approver.user.id !== userId) {
    const own = { ...call, caller: approver, place };
    await factsOf(own, contextOf(ports, own, db, isWriting));
  }
  return { call, subject, facts };
}

function placeOfRequester(operation: Operation, args: object, requester: Caller): Place {
  try {
    requireAccessLevel(operation, requester);
    return placeFor(operation, args, requester);
  } catch (error) {
    if (error instanceof AppError) fail('requester_not_allowed');
    throw error;
  }
}

type Ended = { readonly again: Parameters<typeof view>[3] } | { readonly done: ApprovalDone };

/** Claim, re-check, spend, run, record, all in one transaction, as after a yes in the client (PROTOCOL D.1). */
async function approve(ports: InvokePorts, sat: Sitting, state: string | undefined): Promise<ApprovalDone> {
  const ended = await ports.database.write(sat.place, async (db): Promise<Ended> => {
    const { approval, operation, holdsScopes } = await lockPending(ports, sat, db);
    if (!holdsScopes) fail('forbidden', { required: operation.scopes });
    // The proof was given for one look at one question: it is gone whatever the records say now.
    const since = new Date(sat.now.getTime() - APPROVAL_PROOF_MS);
    const purpose = approvalPurposeOf(sat.id);
    const verifiedWith = await ports.consumeVerification(db, sat.session.id, purpose, since);
    if (verifiedWith === null) fail('verification_required');
    const controls = await holdThawed(ports, sat, db);
    const asked = await askedOf(ports, sat, db, approval, operation, true);
    const refusal = refusalOf(approval, sat, controls, asked.facts);
    if (refusal !== null) fail(refusal);
    const opened = ports.confirmations.open(state, asked.subject, sat.now);
    if (opened.status !== 'valid') return { again: {} };
    const claim = await ports.confirmations.claim(db, opened.id, sat.place);
    if (claim === 'used') fail('confirmation_replayed');
    if (claim === 'declined' || opened.isExpired) return { again: { expired: opened.isExpired } };
    if (ports.confirmations.changedFacts(opened.factDigests, asked.facts).length > 0) {
      return { again: { changedFrom: opened.factDigests } };
    }
    return { done: await runApproved(ports, sat, db, approval, asked, opened.id, verifiedWith) };
  });
  if ('done' in ended) return ended.done;
  const opened = await ports.database.read(sat.place, (db) => view(ports, sat, db, ended.again));
  return { status: 'changed', ...opened };
}

/** Fails with `approval_not_pending` once somebody has decided or the time is over; whoever comes second waits to see that. */
async function lockPending(ports: InvokePorts, sat: Sitting, db: Transaction) {
  const found = seen(ports, sat, await ports.approvals.lock(db, sat.place, sat.id, sat.now));
  if (found.approval.status !== 'pending') fail('approval_not_pending');
  return found;
}

async function runApproved(
  ports: InvokePorts,
  sat: Sitting,
  db: Transaction,
  approval: Approval,
  { call, subject, facts }: Asked,
  stateId: string,
  verifiedWith: VerificationMethod,
): Promise<ApprovalDone> {
  const { confirmations } = ports;
  const approvedBy = sat.approver.user.id;
  await confirmations.spend(db, stateId, subject, ports.now());
  const confirmation = {
    id: stateId,
    question: confirmations.textOf(subject, facts, notesOf(approval)),
    answer: 'accepted' as const,
    approval: { id: approval.id, approvedBy, verifiedWith },
  };
  try {
    const output = await db.nested(() => runWrite(ports, call, db, confirmation));
    const answer = keptOf(call.operation, output);
    const record = await decided(ports, sat, db, call, { status: 'done', decidedWith: verifiedWith, answer });
    return { status: 'done', approval: record, output };
  } catch (error) {
    // As after a yes in the client: spent, on record, and its effect undone by the savepoint.
    const known = asKnownError(error, () => ports.logFailure(error, call.operation.name));
    const { error: failure } = (known instanceof AppError ? known : new AppError('internal')).toEnvelope();
    await confirmations.fail(db, stateId, sat.place, failure.code);
    await appendEvent(ports, call, db, {
      outcome: 'failed',
      errorCode: failure.code,
      confirmation,
      changes: [],
    });
    const record = await decided(ports, sat, db, call, {
      status: 'failed',
      decidedWith: verifiedWith,
      error: failure,
    });
    return { status: 'failed', approval: record };
  }
}

/** A "no" needs no proof, and whoever asked may take their call back. */
async function decline(ports: InvokePorts, sat: Sitting, reason: string | null) {
  return ports.database.write(sat.place, async (db) => {
    const { approval, operation, holdsScopes, isOwn } = await lockPending(ports, sat, db);
    if (!holdsScopes && !isOwn) fail('forbidden', { required: operation.scopes });
    const declineReason = cleanOutsideText(reason ?? '', DECLINE_REASON_MAX);
    const call = { operation, place: sat.place, digest: approval.argumentsDigest, now: sat.now };
    const record = await decided(ports, sat, db, call, {
      status: 'declined',
      decidedWith: null,
      ...(declineReason !== '' && { declineReason }),
    });
    return { status: 'declined' as const, approval: record };
  });
}

/** Records the decision, with an event in the name of whoever decided, and gives the approval as it is now. */
async function decided(
  ports: InvokePorts,
  { approver, place, id, now }: Sitting,
  db: Transaction,
  call: Pick<Call, 'operation' | 'place' | 'digest' | 'now'>,
  decision: Omit<Decision, 'decidedBy' | 'decidedAt'>,
): Promise<Readonly<Record<string, unknown>>> {
  await ports.approvals.decide(db, place, id, { ...decision, decidedBy: approver.user.id, decidedAt: now });
  const { status, decidedWith, declineReason } = decision;
  const after = {
    status,
    operation: call.operation.name,
    decided_with: decidedWith,
    decline_reason: declineReason ?? null,
  };
  await appendEvent(ports, { ...call, caller: approver, request: { surface: 'console' } }, db, {
    operation: `${approver.product}_approvals_${status === 'declined' ? 'decline' : 'approve'}`,
    outcome: 'done',
    changes: [{ kind: 'approval', id, before: { status: 'pending', operation: call.operation.name }, after }],
  });
  return (await ports.approvals.find(db, place, id, now))!.record;
}
