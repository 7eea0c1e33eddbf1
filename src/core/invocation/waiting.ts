/** Calls that cannot go ahead by themselves: frozen, unconfirmable, or above what one person may say yes to. */

import { type ApprovalReason, approvalPathOf, type Controls } from '../approvals.ts';
import type { Product } from '../caller.ts';
import { fail } from '../errors.ts';
import { newId } from '../ids.ts';
import { formatMoney } from '../money.ts';
import type { Context, Fact } from '../operation.ts';
import type { Db, Transaction } from '../ports.ts';
import { clientNeeds } from './admission.ts';
import { type Call, contextOf, done, type InvokePorts, type Outcome } from './call.ts';
import { appendEvent, idempotencyKeyOf, runWrite } from './running.ts';

const HOUR_MS = 3_600_000;

/** The controls, which stay as they are until the transaction ends. Fails with `workspace_frozen`. */
export async function holdThawed(
  ports: InvokePorts,
  { place }: Pick<Call, 'place'>,
  db: Transaction,
): Promise<Controls> {
  const controls = await ports.approvals.holdControls(db, place);
  if (controls.isFrozen) fail('workspace_frozen');
  return controls;
}

/** The whole amount that the facts say is moved, in centavos; null when they name none, which is below any threshold. */
export function amountOf(facts: readonly Fact[]): number | null {
  const amounts = facts.flatMap(({ movesCents }) => (movesCents === undefined ? [] : [Math.abs(movesCents)]));
  return amounts.length === 0 ? null : Math.max(...amounts);
}

export function isSecondPersonNeeded(
  { secondPersonFromCents: from }: Controls,
  amountCents: number | null,
): boolean {
  return from !== null && amountCents !== null && amountCents >= from;
}

export function factsOf(call: Call, context: Context): Promise<readonly Fact[]> {
  return call.operation.question!(call.input as never, context);
}

/** A retry of a call that went through needs no second question: nothing runs. */
export function storedAnswer(
  ports: InvokePorts,
  call: Call,
  db: Db,
): Promise<Record<string, unknown> | null> {
  const key = idempotencyKeyOf(call);
  return key === null ? Promise.resolve(null) : ports.idempotency.find(db, key, call.digest);
}

/** Nobody can be asked through this client: the call is left for a person in the console, and refused all the same. */
export async function leaveForPerson(ports: InvokePorts, call: Call): Promise<Outcome> {
  const left = await ports.database.write(call.place, async (db) => {
    const stored = await storedAnswer(ports, call, db);
    if (stored !== null) return { stored };
    ports.confirmations.limitQuestions(call.subject, call.now);
    const facts = await factsOf(call, contextOf(ports, call, db, false));
    return { approval: await openApproval(ports, call, db, facts, 'client_cannot_ask') };
  });
  if (left.stored !== undefined) return done(left.stored);
  return fail('confirmation_required', { ...clientNeeds, approval: left.approval });
}

/**
 * Null when one yes is enough. Otherwise nothing runs: what to answer once the approval that now waits is committed. A
 * call that went through before under its key is answered as it was.
 */
export async function waitForSecondPerson(
  ports: InvokePorts,
  call: Call,
  db: Transaction,
  controls: Controls,
  facts: readonly Fact[],
): Promise<(() => Outcome) | null> {
  const amountCents = amountOf(facts);
  if (!isSecondPersonNeeded(controls, amountCents)) return null;
  const stored = await storedAnswer(ports, call, db);
  if (stored !== null) return () => done(stored);
  const approval = await openApproval(ports, call, db, facts, 'second_person');
  const amounts = { amount: formatMoney(amountCents!), from: formatMoney(controls.secondPersonFromCents!) };
  return () => fail('second_person_required', { ...amounts, approval });
}

/** A program's call: the same checks as after a yes, without one, under its idempotency key. */
export async function runUnasked(ports: InvokePorts, call: Call): Promise<Outcome> {
  try {
    const answer = await ports.database.write(call.place, async (db): Promise<() => Outcome> => {
      const stored = await storedAnswer(ports, call, db);
      if (stored !== null) return () => done(stored);
      const controls = await holdThawed(ports, call, db);
      const facts = await factsOf(call, contextOf(ports, call, db, true));
      const waiting = await waitForSecondPerson(ports, call, db, controls, facts);
      if (waiting !== null) return waiting;
      const output = await runWrite(ports, call, db, undefined);
      return () => done(output);
    });
    return answer();
  } catch (error) {
    // The same call may have gone through while this one waited for its records.
    const stored = await ports.database.read(call.place, (db) => storedAnswer(ports, call, db));
    if (stored !== null) return done(stored);
    throw error;
  }
}

interface Waiting {
  readonly id: string;
  readonly expires_at: string;
  readonly url?: string;
  readonly read_with: string;
}

/** Records the call as one that waits, with an event of its own: what it would do has not been done. */
async function openApproval(
  ports: InvokePorts,
  call: Call,
  db: Transaction,
  facts: readonly Fact[],
  reason: ApprovalReason,
): Promise<Waiting> {
  const { operation, caller, place, args, digest, now, request } = call;
  const expiresAt = new Date(now.getTime() + call.controls!.approvalHours * HOUR_MS);
  const amountCents = amountOf(facts);
  const opened = await ports.approvals.open(db, {
    organizationId: place.organizationId,
    workspaceId: place.workspaceId,
    id: newId(),
    product: operation.product as Product,
    operation: operation.name,
    arguments: args,
    argumentsDigest: digest,
    reason,
    question: ports.confirmations.textOf(call.subject, facts, { isForRecord: true }),
    amountCents,
    requestedBy: caller.user.id,
    tokenId: caller.tokenId,
    clientId: caller.clientId,
    surface: request.surface,
    requestedAt: now,
    expiresAt,
  });
  if (opened.isNew) {
    const amount = amountCents === null ? null : formatMoney(amountCents);
    const after = {
      operation: operation.name,
      reason,
      amount,
      status: 'pending',
      expires_at: opened.expiresAt,
    };
    await appendEvent(ports, call, db, {
      operation: `${operation.product}_approvals_request`,
      outcome: 'done',
      changes: [{ kind: 'approval', id: opened.id, before: null, after }],
    });
  }
  return waitingOf(call, opened);
}

function waitingOf(
  { operation, place, request }: Call,
  { id, expiresAt }: { id: string; expiresAt: string },
): Waiting {
  const { publicUrl } = request;
  return {
    id,
    expires_at: expiresAt,
    ...(publicUrl !== undefined && { url: `${publicUrl}${approvalPathOf(id, place.workspaceId)}` }),
    read_with: `${operation.product}_approvals_get`,
  };
}
