/** What a notary office's answer does to a protest, and the last look before something leaves for it. */

import { attempt } from '../../core/attempt.ts';
import type { WriteContext } from '../../core/operation.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { NotaryAnswer } from '../../gateways/notary/port.ts';
import type { ChargeRow } from '../charges/index.ts';
import {
  type CommandRow,
  dropCommand,
  fateOf,
  lastAnswerAt,
  outsideText,
  recordAnswer,
  recordEvent,
} from '../legal/index.ts';
import { recordPayment } from '../payments/index.ts';
import { obstaclesOf, reasonBehind, stop } from './following.ts';
import { documentFor } from './requests.ts';
import { documentBytesOf, type ProtestRow, requireWithCharge, storeProtest } from './resource.ts';
import { afterAnswer, afterNotTaken, afterTaken, isOver, type NotaryTold, type StopReason } from './rules.ts';

const NAME_MAX = 100;

/** A title leaves only while every rule still holds; what takes one back always does. */
export async function requestToSend(context: WriteContext, command: CommandRow): Promise<object | null> {
  const { row, charge } = await requireWithCharge(context, command.action_id);
  if (command.command !== 'send') {
    if (!isOver(row.status)) return command.request;
    await dropCommand(context, command, 'over');
    return null;
  }
  if (row.status !== 'approved') {
    await dropCommand(context, command, 'not_allowed');
    return null;
  }
  const { fate } = await fateOf(context, row.id, 'withdraw');
  if (fate !== 'none') {
    // It was called off while nobody knew whether the office has it; now it is known that it has not.
    await stop(context, row, charge, (row.status_reason ?? 'requested') as StopReason);
    return null;
  }
  const { ending, waiting } = await obstaclesOf(context, row, charge);
  if (ending.length > 0) {
    await stop(context, row, charge, reasonBehind(ending), { failed: ending });
    return null;
  }
  if (waiting.length > 0) {
    // It is asked for again on the day on which they are met.
    await dropCommand(context, command, waiting[0]!);
    await storeProtest(context, row, { ...row, status_reason: waiting[0]! });
    return null;
  }
  return { ...command.request, document: documentFor(row, await documentBytesOf(context, row.id)) };
}

export async function recordTaken(
  context: WriteContext,
  command: CommandRow,
  reference: string | null,
): Promise<void> {
  const { row } = await requireWithCharge(context, command.action_id);
  await recordEvent(context, 'protest', row.id, `${command.command}_taken`);
  if (command.command !== 'send') return;
  const after = afterTaken(row, reference);
  if (after.status !== row.status || after.notary_reference !== row.notary_reference) {
    await storeProtest(context, row, after);
  }
}

/** The office did not even take it. */
export async function recordRefusal(
  context: WriteContext,
  command: CommandRow,
  reason: string,
): Promise<void> {
  const { row } = await requireWithCharge(context, command.action_id);
  await recordEvent(context, 'protest', row.id, `${command.command}_refused`, { reason });
  if (command.command !== 'send') return;
  const after = afterNotTaken(row);
  if (after !== row) await storeProtest(context, row, after);
}

/** Applies an answer once; see `afterAnswer` for those that come late, twice or out of order. */
export async function applyNotaryAnswer(
  context: WriteContext,
  command: CommandRow,
  answer: NotaryAnswer,
): Promise<'confirmed' | 'rejected' | null> {
  const { row, charge } = await requireWithCharge(context, command.action_id);
  const before = await lastAnswerAt(context, row.id);
  const event = answer.status === 'refused' ? `${command.command}_refused` : answer.status;
  if (!(await recordAnswer(context, 'protest', row.id, event, answer, { on: answer.on }))) return null;
  let last = row;
  for (const state of afterAnswer(row, toldBy(command, answer), before)) {
    last = await storeProtest(context, last, state);
  }
  if (answer.status === 'paid_at_notary') await recordMoney(context, last, answer);
  if (last.status === 'protested' && row.status !== 'protested') await keepCallingOff(context, last, charge);
  return outcomeOf(command, answer);
}

/** Money at the notary is money on the charge, whatever became of the protest; it counts once. */
async function recordMoney(context: WriteContext, row: ProtestRow, answer: NotaryAnswer): Promise<void> {
  const payment = await attempt(context, (inner) =>
    recordPayment(inner, {
      chargeId: row.charge_id,
      amountCents: answer.paidAmount ?? row.amount_cents,
      paidOn: answer.on,
      method: 'notary',
      externalId: `protest/${row.id}`,
      source: 'notary',
    }),
  );
  if ('error' in payment) {
    await recordEvent(context, 'protest', row.id, 'payment_not_recorded', { code: payment.error.code });
  }
}

/** The protest came before the withdrawal that was asked for: what was wanted is now the consent to cancel it. */
async function keepCallingOff(context: WriteContext, row: ProtestRow, charge: ChargeRow): Promise<void> {
  const { fate } = await fateOf(context, row.id, 'withdraw');
  if (fate === 'none') return;
  await stop(context, row, charge, (row.status_reason ?? 'requested') as StopReason);
}

/** The request is over with the answer that decides it; a title that was sent is, once it has a protocol. */
function outcomeOf({ command }: CommandRow, { status }: NotaryAnswer): 'confirmed' | 'rejected' | null {
  if (status === 'refused') return 'rejected';
  if (command === 'send') return status === 'returned' ? 'rejected' : 'confirmed';
  return status === 'withdrawn' || status === 'canceled' ? 'confirmed' : null;
}

/** The answer with every text of the office cleaned and capped. */
function toldBy(command: CommandRow, answer: NotaryAnswer): NotaryTold {
  const { notary, costs } = answer;
  return {
    command: command.command as NotaryTold['command'],
    status: answer.status,
    at: answer.at,
    on: answer.on,
    notary: notary && {
      name: cleanOutsideText(notary.name, NAME_MAX),
      city: cleanOutsideText(notary.city, NAME_MAX),
      state: cleanOutsideText(notary.state, 2),
    },
    protocol: answer.protocol === null ? null : cleanOutsideText(answer.protocol, NAME_MAX),
    noticeKind: answer.noticeKind,
    costs: costs && { amount_cents: costs.amount, paid_by: costs.paidBy },
    reference: answer.reference === null ? null : outsideText(answer.reference),
  };
}
