/** The steps of the bank jobs, each one transaction: what is recorded before and after the bank is called. */

import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { BankOrder, BankOrderStatus } from '../../gateways/bank/port.ts';
import { requireAccount } from '../accounts/index.ts';
import { requirePayable } from '../payables/index.ts';
import { requirePerson } from '../people/index.ts';
import { applyBankAnswer } from './answers.ts';
import {
  type BankCommandRow,
  type PaymentRow,
  selectCommand,
  selectPayment,
  selectSubmitCommand,
  updateCommand,
  updatePayment,
} from './queries.ts';
import { recordedPayment, requirePayment } from './resource.ts';
import { isLive, nextAskAt, orderKeyOf, type PaymentKind } from './rules.ts';

/** Longer than any call to a bank may take: a command marked as sent before it is no longer on its way. */
const ON_ITS_WAY_MS = 600_000;

/** A command on its way, with everything the bank is told. */
export interface Sending {
  readonly commandId: string;
  readonly kind: 'submit' | 'cancel';
  readonly paymentId: string;
  readonly adapter: string;
  readonly order: BankOrder;
  /** A run before this one marked it as sent. */
  readonly wasSent: boolean;
}

/** Marks the command as sent; null when there is nothing to send any more. */
export async function markSent(context: WriteContext, commandId: string): Promise<Sending | null> {
  const { db, workspaceId, now } = context;
  const known = await selectCommand(db, workspaceId, commandId, false);
  if (known === undefined) fail('not_found', { kind: 'bank_command', id: commandId });
  // An order is locked before its commands everywhere.
  const payment = await requirePayment(context, known.payment_id!);
  const command = (await selectCommand(db, workspaceId, commandId, true))!;
  if (command.status !== 'requested') return null;
  if (!isLive(payment.status)) {
    await closeCommand(context, command, 'failed', { reason: 'the order was final already' });
    return null;
  }
  await updateCommand(db, workspaceId, commandId, {
    status: 'requested',
    attempts: command.attempts + 1,
    sentAt: command.sent_at ?? now.toISOString(),
  });
  if (command.kind === 'submit' && payment.registration_status === 'pending') {
    await changePayment(context, payment, { registration_status: 'requested' });
  }
  return sendingOf(context, command, payment);
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

/** Records that nobody knows whether the bank has the order; it is asked soon. */
export async function recordUnknown(context: WriteContext, sending: Sending): Promise<void> {
  const { db, workspaceId, now, today } = context;
  const payment = await requirePayment(context, sending.paymentId);
  const command = (await selectCommand(db, workspaceId, sending.commandId, true))!;
  if (command.status !== 'requested') return;
  const { attempts, sent_at: sentAt } = command;
  await updateCommand(db, workspaceId, command.id, { status: 'unknown', attempts, sentAt });
  if (payment.registration_status !== 'confirmed') {
    await changePayment(context, payment, { registration_status: 'unknown' });
  }
  queuePoll(context, payment.id, nextAskAt(payment.scheduled_for, sentAt, now, today));
}

/** Records the answer to a command, applies it to the order, and asks again later while the order is live. */
export async function recordAnswer(
  context: WriteContext,
  sending: Sending,
  answer: BankOrderStatus,
): Promise<void> {
  const { db, workspaceId, now, today } = context;
  const payment = await applyBankAnswer(context, sending.paymentId, answer);
  const command = (await selectCommand(db, workspaceId, sending.commandId, true))!;
  await closeCommand(context, command, answeredStatus(answer), answer);
  if (isLive(payment.status)) {
    queuePoll(context, payment.id, nextAskAt(payment.scheduled_for, command.sent_at, now, today));
  }
}

/** An order that the bank still has to be asked about; null when it has its final answer. */
export async function selectOrderToAsk(
  context: Context,
  paymentId: string,
): Promise<{ adapter: string; key: string } | null> {
  const { db, workspaceId } = context;
  const payment = await selectPayment(db, workspaceId, paymentId, false);
  if (payment === undefined || !isLive(payment.status)) return null;
  const account = await requireAccount(context, payment.account_id);
  return { adapter: account.bank_adapter, key: orderKeyOf(payment) };
}

/**
 * Applies what the bank said when asked; null when it could not be asked. Only an order whose sending got no answer
 * and that the bank does not know is sent again, under the same key.
 */
export async function resolveByAsking(
  context: WriteContext,
  paymentId: string,
  answer: BankOrderStatus | null,
): Promise<void> {
  const { db, workspaceId, now, today } = context;
  const payment =
    answer === null
      ? await requirePayment(context, paymentId)
      : await applyBankAnswer(context, paymentId, answer);
  const command = (await selectSubmitCommand(db, workspaceId, paymentId, true))!;
  if (answer?.status === 'absent') {
    if (isLive(payment.status) && isUnanswered(command, now)) {
      await sendAgain(context, payment, command);
      return;
    }
  } else if (answer !== null && (command.status === 'requested' || command.status === 'unknown')) {
    await closeCommand(context, command, answeredStatus(answer), answer);
  }
  if (isLive(payment.status)) {
    queuePoll(context, paymentId, nextAskAt(payment.scheduled_for, command.sent_at, now, today));
  }
}

/** Queues the next question to the bank; one waits for an order at most. */
export function queuePoll(context: WriteContext, paymentId: string, runAt: Date): void {
  const { organizationId, workspaceId } = context;
  context.enqueue({
    task: 'bank_poll',
    payload: { organizationId, workspaceId, paymentId },
    key: `bank_poll:${paymentId}`,
    runAt,
  });
}

/** Queues the sending of a command. */
export function queueSend(context: WriteContext, commandId: string): void {
  const { organizationId, workspaceId } = context;
  context.enqueue({
    task: 'bank_send',
    payload: { organizationId, workspaceId, commandId },
    key: `bank_send:${commandId}`,
  });
}

/** The order never arrived: it leaves again, unless somebody asked to cancel it meanwhile. */
async function sendAgain(context: WriteContext, payment: PaymentRow, command: BankCommandRow): Promise<void> {
  if (payment.cancel_requested_at !== null) {
    await closeCommand(context, command, 'failed', { reason: 'canceled before it arrived' });
    await changePayment(context, payment, { status: 'canceled' });
    return;
  }
  const { attempts } = command;
  await updateCommand(context.db, context.workspaceId, command.id, {
    status: 'requested',
    attempts,
    sentAt: null,
  });
  await changePayment(context, payment, { registration_status: 'pending' });
  queueSend(context, command.id);
}

/** True when the sending is over and nobody recorded what the bank said. */
function isUnanswered({ status, sent_at: sentAt }: BankCommandRow, now: Date): boolean {
  if (status === 'unknown') return true;
  return status === 'requested' && sentAt !== null && now.getTime() - Date.parse(sentAt) > ON_ITS_WAY_MS;
}

function answeredStatus(answer: BankOrderStatus): 'confirmed' | 'failed' {
  return answer.status === 'rejected' || answer.status === 'absent' ? 'failed' : 'confirmed';
}

async function closeCommand(
  context: WriteContext,
  command: BankCommandRow,
  status: 'confirmed' | 'failed',
  answer: BankOrderStatus | { reason: string },
): Promise<void> {
  await updateCommand(context.db, context.workspaceId, command.id, {
    status,
    attempts: command.attempts,
    sentAt: command.sent_at,
    answer,
    answeredAt: context.now.toISOString(),
  });
}

async function changePayment(
  context: WriteContext,
  payment: PaymentRow,
  change: Partial<Pick<PaymentRow, 'status' | 'registration_status'>>,
): Promise<void> {
  await updatePayment(context.db, { ...payment, ...change }, context.now);
  const after = await requirePayment(context, payment.id);
  context.changed('payment', payment.id, recordedPayment(payment), recordedPayment(after));
}

async function sendingOf(
  context: WriteContext,
  command: BankCommandRow,
  payment: PaymentRow,
): Promise<Sending> {
  // Only read: locks on the account or the supplier would make every other writer wait for this job.
  const reading: Context = { ...context, isWriting: false };
  const account = await requireAccount(reading, payment.account_id);
  const payable = await requirePayable(reading, payment.payable_id);
  const payee = await requirePerson(reading, payable.person_id);
  return {
    commandId: command.id,
    kind: command.kind,
    paymentId: payment.id,
    adapter: account.bank_adapter,
    wasSent: command.sent_at !== null,
    order: {
      idempotencyKey: orderKeyOf(payment),
      kind: payment.kind as PaymentKind,
      amount: payment.amount_cents,
      scheduledFor: payment.scheduled_for,
      account: {
        bankCode: account.bank_code,
        agency: account.agency,
        number: account.number,
        digit: account.digit,
        providerId: account.bank_adapter_account,
      },
      payee: { name: payee.name, documentNumber: payee.document_number },
      details: payment.details as Record<string, unknown>,
    },
  };
}
