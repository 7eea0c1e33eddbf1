/** Sends what operations asked of the bank, and asks the bank until every order has its final answer. */

import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import {
  type BankOrderStatus,
  BankOutcomeUnknown,
  type BankPort,
  BankUnreachable,
  type FinanceGateways,
} from '../../gateways/bank/port.ts';
import {
  markSent,
  markUnsent,
  queuePoll,
  recordAnswer,
  recordUnknown,
  resolveByAsking,
  type Sending,
  selectOrderToAsk,
} from './sending.ts';

type BankJobContext = JobContext<FinanceGateways>;

const sendPayload = z.strictObject({ organizationId: z.uuid(), workspaceId: z.uuid(), commandId: z.uuid() });
const pollPayload = z.strictObject({ organizationId: z.uuid(), workspaceId: z.uuid(), paymentId: z.uuid() });

const BOOKS_CLOSED_WAIT_MS = 3_600_000;

/**
 * Sends one command. It is marked as sent and committed before the bank is called, so a process that dies in
 * between leaves a mark: the next run then asks the bank first and sends only what the bank does not know.
 */
const bankSend: JobDefinition<z.infer<typeof sendPayload>, FinanceGateways> = {
  task: 'bank_send',
  payload: sendPayload,
  async run({ commandId }, context) {
    const sending = await context.write((write) => markSent(write, commandId));
    if (sending === null) return;
    const bank = await bankOf(context, sending);
    // Asking to cancel twice does nothing more than asking once, so any failure of it is simply tried again.
    const answer =
      sending.kind === 'cancel'
        ? await bank.cancel(sending.order.idempotencyKey, context.now)
        : await submit(context, bank, sending);
    if (answer === 'unknown') {
      await context.write((write) => recordUnknown(write, sending));
      return;
    }
    await orWaitForBooks(context, sending.paymentId, () =>
      context.write((write) => recordAnswer(write, sending, answer)),
    );
  },
};

/** Asks the bank how an order stands; comes back by itself while the order is live. */
const bankPoll: JobDefinition<z.infer<typeof pollPayload>, FinanceGateways> = {
  task: 'bank_poll',
  payload: pollPayload,
  async run({ paymentId }, context) {
    const order = await context.read((read) => selectOrderToAsk(read, paymentId));
    if (order === null) return;
    const answer = await ask(context, order);
    await orWaitForBooks(context, paymentId, () =>
      context.write((write) => resolveByAsking(write, paymentId, answer)),
    );
  },
};

export const jobs = [bankSend, bankPoll];

/** The bank of the account; without one, nothing was sent. */
async function bankOf(context: BankJobContext, sending: Sending): Promise<BankPort> {
  try {
    return context.gateways.bank(sending.adapter);
  } catch (error) {
    if (!sending.wasSent) await context.write((write) => markUnsent(write, sending));
    throw error;
  }
}

async function submit(
  context: BankJobContext,
  bank: BankPort,
  sending: Sending,
): Promise<BankOrderStatus | 'unknown'> {
  if (sending.wasSent) {
    // Somebody may have sent it and died before recording the answer.
    const found = await bank.find(sending.order.idempotencyKey, context.now);
    if (found.status !== 'absent') return found;
  }
  try {
    return await bank.submit(sending.order, context.now);
  } catch (error) {
    if (error instanceof BankOutcomeUnknown) return 'unknown';
    if (error instanceof BankUnreachable) await context.write((write) => markUnsent(write, sending));
    throw error;
  }
}

/** The bank's answer; null when it could not be asked now, which says nothing about the order. */
async function ask(
  context: BankJobContext,
  order: { adapter: string; key: string },
): Promise<BankOrderStatus | null> {
  try {
    return await context.gateways.bank(order.adapter).find(order.key, context.now);
  } catch (error) {
    if (error instanceof BankUnreachable || error instanceof BankOutcomeUnknown) return null;
    throw error;
  }
}

/** A settlement in a closed month waits until somebody opens the books: it is neither dropped nor dated otherwise. */
async function orWaitForBooks(
  context: BankJobContext,
  paymentId: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'books_closed') throw error;
    const at = new Date(context.now.getTime() + BOOKS_CLOSED_WAIT_MS);
    await context.write(async (write) => queuePoll(write, paymentId, at));
  }
}
