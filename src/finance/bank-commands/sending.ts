/** The steps of the bank jobs, each one transaction: what is recorded before and after the bank is called. */

import { approvalStore } from '../../approvals/index.ts';
import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { requireAccount } from '../accounts/index.ts';
import { type CommandRow, selectCommand, selectSubmitCommand, updateCommand } from './queries.ts';
import { queuePoll, queueSend } from './queue.ts';
import { isUnanswered, nextAskAt, statusAfterAnswer } from './rules.ts';
import type { AnySubject, BankAnswer, BankRow } from './subject.ts';

/** A command on its way, with everything the bank is told. */
export interface Sending {
  readonly commandId: string;
  readonly kind: 'submit' | 'cancel';
  /** Of the record it is about. */
  readonly id: string;
  readonly adapter: string;
  /** Under which the bank knows the record. */
  readonly key: string;
  readonly request: unknown;
  /** A run before this one marked it as sent. */
  readonly wasSent: boolean;
  /** Nothing new may leave: what the bank does not know is held back. */
  readonly isFrozen: boolean;
}

/** How long an order waits before it looks again whether its workspace is still frozen. */
const FROZEN_WAIT_MS = 60_000;

/**
 * Marks the command as sent; null when there is nothing to send, any more or for now. While the workspace is frozen no
 * new order leaves; calling one off does, and so does asking after one that may have left before.
 */
export async function markSent(
  context: WriteContext,
  subject: AnySubject,
  commandId: string,
): Promise<Sending | null> {
  const { db, workspaceId, now } = context;
  // Before any record, as in every destructive call: whoever sets the switch waits for both, and neither for the other.
  const { isFrozen } = await approvalStore.holdControls(db, context);
  const known = await selectCommand(db, workspaceId, commandId, false);
  if (known === undefined) fail('not_found', { kind: 'bank_command', id: commandId });
  const row = await subject.require(context, known[`${subject.kind}_id`]!);
  const command = (await selectCommand(db, workspaceId, commandId, true))!;
  if (command.status !== 'requested') return null;
  if (!subject.isLive(row)) {
    await closeCommand(context, command, 'failed', { reason: 'it was final already' });
    return null;
  }
  if (isFrozen && command.kind === 'submit' && command.sent_at === null) {
    holdBack(context, subject, commandId);
    return null;
  }
  await updateCommand(db, workspaceId, commandId, {
    status: 'requested',
    attempts: command.attempts + 1,
    sentAt: command.sent_at ?? now.toISOString(),
  });
  if (command.kind === 'submit' && row.registration_status === 'pending') {
    await subject.changeRegistration(context, row, 'requested');
  }
  // Only read: locks on the account or the supplier would make every other writer wait for this job.
  const reading: Context = { ...context, isWriting: false };
  const account = await requireAccount(reading, subject.accountIdOf(row));
  return {
    commandId: command.id,
    kind: command.kind,
    id: row.id,
    adapter: account.bank_adapter,
    key: subject.submitKeyOf(row),
    request: await subject.requestOf(reading, row),
    wasSent: command.sent_at !== null,
    isFrozen,
  };
}

/** Looks again soon. What was marked as sent stays marked, so the bank is asked again before anything leaves. */
export function holdBack(context: WriteContext, subject: AnySubject, commandId: string): void {
  queueSend(context, subject.tasks.send, commandId, new Date(context.now.getTime() + FROZEN_WAIT_MS));
}

/** Takes the mark back: the bank surely did not get it. */
export async function markUnsent(context: WriteContext, sending: Sending): Promise<void> {
  const { db, workspaceId } = context;
  const command = (await selectCommand(db, workspaceId, sending.commandId, true))!;
  if (command.status !== 'requested') return;
  await updateCommand(db, workspaceId, command.id, {
    status: 'requested',
    attempts: command.attempts,
    sentAt: null,
  });
}

/** The bank of the account does not do this: nothing was sent and nothing ever will be. */
export async function recordImpossible(
  context: WriteContext,
  subject: AnySubject,
  sending: Sending,
  reason: string,
): Promise<void> {
  const row = await subject.require(context, sending.id);
  const command = (await selectCommand(context.db, context.workspaceId, sending.commandId, true))!;
  if (command.status !== 'requested') return;
  await closeCommand(context, command, 'failed', { reason });
  if (subject.isLive(row)) await subject.fail(context, row, reason);
}

/** Records that nobody knows whether the bank has it; it is asked soon. */
export async function recordUnknown(
  context: WriteContext,
  subject: AnySubject,
  sending: Sending,
): Promise<void> {
  const { db, workspaceId } = context;
  const row = await subject.require(context, sending.id);
  const command = (await selectCommand(db, workspaceId, sending.commandId, true))!;
  if (command.status !== 'requested') return;
  const { attempts, sent_at: sentAt } = command;
  await updateCommand(db, workspaceId, command.id, { status: 'unknown', attempts, sentAt });
  if (row.registration_status !== 'confirmed') await subject.changeRegistration(context, row, 'unknown');
  askLater(context, subject, row, sentAt);
}

/** Records the answer to a command, applies it, and asks again later while the record is live. */
export async function recordAnswer(
  context: WriteContext,
  subject: AnySubject,
  sending: Sending,
  answer: BankAnswer,
): Promise<void> {
  const row = await subject.apply(context, sending.id, answer);
  const command = (await selectCommand(context.db, context.workspaceId, sending.commandId, true))!;
  await closeCommand(context, command, statusAfterAnswer(answer), answer);
  askLater(context, subject, row, command.sent_at);
}

/** What the bank still has to be asked about; null when there is a final answer. */
export async function selectToAsk(
  context: Context,
  subject: AnySubject,
  id: string,
): Promise<{ adapter: string; key: string } | null> {
  const row = await subject.find(context, id);
  if (row === undefined || !subject.isLive(row)) return null;
  const account = await requireAccount(context, subject.accountIdOf(row));
  return { adapter: account.bank_adapter, key: subject.submitKeyOf(row) };
}

/**
 * Applies what the bank said when asked; null when it could not be asked. Only what got no answer and is unknown to
 * the bank is sent again, under the same key.
 */
export async function resolveByAsking(
  context: WriteContext,
  subject: AnySubject,
  id: string,
  answer: BankAnswer | null,
): Promise<void> {
  const { db, workspaceId, now } = context;
  const row = answer === null ? await subject.require(context, id) : await subject.apply(context, id, answer);
  const command = (await selectSubmitCommand(db, workspaceId, { kind: subject.kind, id }, true))!;
  if (answer?.status === 'absent') {
    if (subject.isLive(row) && isUnanswered(command, now)) {
      await sendAgain(context, subject, row, command);
      return;
    }
  } else if (answer !== null && (command.status === 'requested' || command.status === 'unknown')) {
    await closeCommand(context, command, statusAfterAnswer(answer), answer);
  }
  askLater(context, subject, row, command.sent_at);
}

/** It never arrived: it leaves again, unless somebody asked to cancel it meanwhile. */
async function sendAgain(
  context: WriteContext,
  subject: AnySubject,
  row: BankRow,
  command: CommandRow,
): Promise<void> {
  if (subject.cancelRequestedAt(row) !== null) {
    await closeCommand(context, command, 'failed', { reason: 'canceled before it arrived' });
    await subject.cancelUnsent(context, row);
    return;
  }
  await updateCommand(context.db, context.workspaceId, command.id, {
    status: 'requested',
    attempts: command.attempts,
    sentAt: null,
  });
  await subject.changeRegistration(context, row, 'pending');
  queueSend(context, subject.tasks.send, command.id);
}

function askLater(context: WriteContext, subject: AnySubject, row: BankRow, sentAt: string | null): void {
  if (!subject.isLive(row)) return;
  const at = nextAskAt(subject.scheduledFor(row), sentAt, context.now, context.today);
  queuePoll(context, subject, row.id, at);
}

async function closeCommand(
  context: WriteContext,
  command: CommandRow,
  status: CommandRow['status'],
  answer: object,
): Promise<void> {
  await updateCommand(context.db, context.workspaceId, command.id, {
    status,
    attempts: command.attempts,
    sentAt: command.sent_at,
    answer,
    answeredAt: context.now.toISOString(),
  });
}
