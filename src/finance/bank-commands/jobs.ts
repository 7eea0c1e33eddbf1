/** Sends what operations asked of a bank, and asks the bank until every record has its final answer. */

import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import {
  type BankDesk,
  BankOutcomeUnknown,
  BankUnreachable,
  type FinanceGateways,
} from '../../gateways/bank/port.ts';
import { queuePoll } from './queue.ts';
import {
  holdBack,
  markSent,
  markUnsent,
  recordAnswer,
  recordImpossible,
  recordUnknown,
  resolveByAsking,
  type Sending,
  selectToAsk,
} from './sending.ts';
import type { AnySubject, BankAnswer } from './subject.ts';

type BankJobContext = JobContext<FinanceGateways>;
type Desk = BankDesk<unknown, BankAnswer>;
// biome-ignore lint/suspicious/noExplicitAny: the payload of asking has a key named after the subject.
type BankJob = JobDefinition<any, FinanceGateways>;

const place = { organizationId: z.uuid(), workspaceId: z.uuid() };

const BOOKS_CLOSED_WAIT_MS = 3_600_000;

/** The two jobs of a subject. */
export function bankJobsOf(subject: AnySubject): BankJob[] {
  const sendPayload = z.strictObject({ ...place, commandId: z.uuid() });
  const idName = `${subject.kind}Id`;
  const pollPayload = z.strictObject({ ...place, [idName]: z.uuid() });
  return [
    {
      task: subject.tasks.send,
      payload: sendPayload,
      run: ({ commandId }, context) => send(context, subject, commandId),
    },
    {
      task: subject.tasks.poll,
      payload: pollPayload,
      run: (payload, context) => poll(context, subject, payload[idName]),
    },
  ];
}

/**
 * Sends one command. It is marked as sent and committed before the bank is called, so a process that dies in
 * between leaves a mark: the next run then asks the bank first and sends only what the bank does not know.
 */
async function send(context: BankJobContext, subject: AnySubject, commandId: string): Promise<void> {
  const sending = await context.write((write) => markSent(write, subject, commandId));
  if (sending === null) return;
  const desk = await deskOf(context, subject, sending);
  if (desk === undefined) {
    const reason = `the bank of the account takes no ${subject.kind}s`;
    await context.write((write) => recordImpossible(write, subject, sending, reason));
    return;
  }
  // Asking to cancel twice does nothing more than asking once, so any failure of it is simply tried again.
  const answer =
    sending.kind === 'cancel'
      ? await desk.cancel(sending.key, context.now)
      : await submit(context, desk, sending);
  if (answer === 'held') {
    await context.write(async (write) => holdBack(write, subject, sending.commandId));
    return;
  }
  if (answer === 'unknown') {
    await context.write((write) => recordUnknown(write, subject, sending));
    return;
  }
  await orWaitForBooks(context, subject, sending.id, () =>
    context.write((write) => recordAnswer(write, subject, sending, answer)),
  );
}

/** Asks the bank how a record stands; comes back by itself while the record is live. */
async function poll(context: BankJobContext, subject: AnySubject, id: string): Promise<void> {
  const known = await context.read((read) => selectToAsk(read, subject, id));
  if (known === null) return;
  const desk = subject.deskOf(context.gateways.bank(known.adapter));
  if (desk === undefined) throw new Error(`the bank adapter ${known.adapter} takes no ${subject.kind}s`);
  const answer = await ask(context, desk, known.key);
  await orWaitForBooks(context, subject, id, () =>
    context.write((write) => resolveByAsking(write, subject, id, answer)),
  );
}

/** The desk at the bank of the account; without a bank, nothing was sent. */
async function deskOf(
  context: BankJobContext,
  subject: AnySubject,
  sending: Sending,
): Promise<Desk | undefined> {
  try {
    return subject.deskOf(context.gateways.bank(sending.adapter));
  } catch (error) {
    if (!sending.wasSent) await context.write((write) => markUnsent(write, sending));
    throw error;
  }
}

async function submit(
  context: BankJobContext,
  desk: Desk,
  sending: Sending,
): Promise<BankAnswer | 'unknown' | 'held'> {
  if (sending.wasSent) {
    // Somebody may have sent it and died before recording the answer.
    const found = await desk.find(sending.key, context.now);
    if (found.status !== 'absent') return found;
    if (sending.isFrozen) return 'held';
  }
  try {
    return await desk.submit(sending.request, context.now);
  } catch (error) {
    if (error instanceof BankOutcomeUnknown) return 'unknown';
    if (error instanceof BankUnreachable) await context.write((write) => markUnsent(write, sending));
    throw error;
  }
}

/** The bank's answer; null when it could not be asked now, which says nothing about the record. */
async function ask(context: BankJobContext, desk: Desk, key: string): Promise<BankAnswer | null> {
  try {
    return await desk.find(key, context.now);
  } catch (error) {
    if (error instanceof BankUnreachable || error instanceof BankOutcomeUnknown) return null;
    throw error;
  }
}

/** A settlement in a closed month waits until somebody opens the books: it is neither dropped nor dated otherwise. */
async function orWaitForBooks(
  context: BankJobContext,
  subject: AnySubject,
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'books_closed') throw error;
    const at = new Date(context.now.getTime() + BOOKS_CLOSED_WAIT_MS);
    await context.write(async (write) => queuePoll(write, subject, id, at));
  }
}
