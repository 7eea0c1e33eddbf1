/** What a bureau's answer does to a report, and the last look before something leaves for it. */

import type { WriteContext } from '../../core/operation.ts';
import type { BureauAnswer } from '../../gateways/bureau/port.ts';
import { removalDeadline } from '../contact-law/index.ts';
import { type CommandRow, dropCommand, outsideText, recordAnswer, recordEvent } from '../legal/index.ts';
import { obstaclesOf, queueRemoval, reasonBehind, stop } from './following.ts';
import { type NegativationRow, requireWithCharge, storeNegativation } from './resource.ts';
import { afterAnswer, type BureauTold, mayRegister } from './rules.ts';

/** A registration leaves only while every rule still holds; a removal always does. */
export async function requestToSend(context: WriteContext, command: CommandRow): Promise<object | null> {
  const { row, charge } = await requireWithCharge(context, command.action_id);
  if (command.command === 'remove') return command.request;
  if (!mayRegister(row, context.today)) {
    await dropCommand(context, command, 'not_allowed');
    // It was called off while nobody knew whether the bureau has it; now it is known that it has not.
    if (row.removal !== null) await applyTold(context, row, neverRegistered(context));
    return null;
  }
  const { ending, waiting } = await obstaclesOf(context, row, charge);
  if (ending.length === 0 && waiting.length === 0) return command.request;
  if (ending.length > 0) {
    const deadline = removalDeadline(context.today);
    await stop(context, row, charge, { reason: reasonBehind(ending), deadline, failed: ending });
    return null;
  }
  // It is asked for again on the day on which they are met.
  await dropCommand(context, command, waiting[0]!);
  return null;
}

export async function afterTaken(
  context: WriteContext,
  command: CommandRow,
  reference: string | null,
): Promise<void> {
  const { row } = await requireWithCharge(context, command.action_id);
  const event = command.command === 'register' ? 'registration_sent' : 'removal_sent';
  await recordEvent(context, 'negativation', row.id, event);
  if (reference === null || reference === row.bureau_reference) return;
  await storeNegativation(context, row, { ...row, bureau_reference: reference });
}

/** The bureau did not even take it. */
export async function afterRefusal(
  context: WriteContext,
  command: CommandRow,
  reason: string,
): Promise<void> {
  const { row } = await requireWithCharge(context, command.action_id);
  await recordEvent(context, 'negativation', row.id, `${command.command}_refused`, { reason });
  await applyTold(context, row, { ...neverRegistered(context), command: commandOf(command) });
}

/** Applies an answer once; see `afterAnswer` for those that come late, twice or out of order. */
export async function applyBureauAnswer(
  context: WriteContext,
  command: CommandRow,
  answer: BureauAnswer,
): Promise<'confirmed' | 'rejected' | null> {
  const { row, charge } = await requireWithCharge(context, command.action_id);
  const event = answer.status === 'refused' ? `${command.command}_refused` : answer.status;
  if (!(await recordAnswer(context, 'negativation', row.id, event, answer))) return null;
  const reference = answer.reference === null ? null : outsideText(answer.reference);
  const told: BureauTold = {
    command: commandOf(command),
    status: answer.status,
    at: answer.at.toISOString(),
    reference,
  };
  const { last, isStray } = await applyTold(context, row, told);
  if (isStray || (last.status === 'removal_requested' && row.status === 'notice_sent')) {
    if (isStray) await recordEvent(context, 'negativation', row.id, 'stray_registration');
    await queueRemoval(
      context,
      { ...last, bureau_reference: reference },
      charge,
      last.status_reason ?? 'stray',
    );
  }
  if (answer.status === 'refused') return 'rejected';
  // What a bureau tells again of the registration says nothing of the removal.
  return (answer.status === 'removed') === (command.command === 'remove') ? 'confirmed' : null;
}

async function applyTold(
  context: WriteContext,
  row: NegativationRow,
  told: BureauTold,
): Promise<{ last: NegativationRow; isStray: boolean }> {
  const { states, isStray } = afterAnswer(row, told);
  let last = row;
  for (const state of states) last = await storeNegativation(context, last, state);
  return { last, isStray };
}

function neverRegistered({ now }: WriteContext): BureauTold {
  return { command: 'register', status: 'refused', at: now.toISOString(), reference: null };
}

function commandOf({ command }: CommandRow): 'register' | 'remove' {
  return command === 'remove' ? 'remove' : 'register';
}
