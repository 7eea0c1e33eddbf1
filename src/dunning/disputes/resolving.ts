/** What a decision on a dispute does to its charge. */

import { failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import {
  abateCharge,
  type ChargeRow,
  closeCharge,
  historiesOf,
  releaseCharges,
  replayOf,
  requireCharge,
  setDisputed,
} from '../charges/index.ts';
import { type DisputeRow, updateDispute } from './queries.ts';
import { addComment, disputeOf, requireDispute } from './resource.ts';
import { adjustedCentsOf, isLive, requireTransition } from './rules.ts';
import type { DisputeStatus } from './schema.ts';

export interface Decision {
  readonly status: DisputeStatus;
  readonly resolution?: string | undefined;
  readonly adjusted_amount?: Cents | undefined;
  readonly note?: string | undefined;
}

/** On the charge that is called off, for people. */
const UPHELD_REASON = 'Contestação procedente';

/** What the charge will be worth, or null when the decision leaves it alone. Fails when it cannot be taken. */
export function planResolution(dispute: DisputeRow, charge: ChargeRow, decision: Decision): Cents | null {
  requireTransition(dispute.status as DisputeStatus, decision.status);
  const isFinal = !isLive(decision.status);
  if (isFinal && decision.resolution === undefined) failArgument('resolution', 'what was decided and why');
  const worth = charge.amount_cents - charge.abatement_cents;
  return adjustedCentsOf(decision.status, worth, dispute.disputed_cents, decision.adjusted_amount);
}

/** What of the money that was paid the charge will not need any more. */
export async function refundOf(context: Context, charge: ChargeRow, adjusted: Cents | null): Promise<Cents> {
  if (adjusted === null || charge.status === 'canceled') return 0;
  const { entries, ways } = (await historiesOf(context, [charge])).get(charge.id)!;
  const abated = { ...charge, abatement_cents: charge.amount_cents - adjusted };
  return replayOf(abated, entries, ways).allocations.reduce((sum, { excess }) => sum + excess, 0);
}

/** Takes the decision: the caller holds the charge and the dispute locked. */
export async function resolve(
  context: WriteContext,
  dispute: DisputeRow,
  charge: ChargeRow,
  decision: Decision,
): Promise<DisputeRow> {
  const adjusted = planResolution(dispute, charge, decision);
  const isFinal = !isLive(decision.status);
  await updateDispute(
    context.db,
    {
      ...dispute,
      status: decision.status,
      resolution: decision.resolution ?? dispute.resolution,
      adjusted_cents: adjusted,
      resolved_by: isFinal ? context.caller.user.id : null,
      resolved_at: isFinal ? context.now.toISOString() : null,
    },
    context.now,
  );
  if (decision.note !== undefined) await addComment(context, dispute.id, decision.note);
  if (isFinal) await closeOn(context, dispute, charge, adjusted);
  const after = await requireDispute(context, dispute.id);
  context.changed('dispute', dispute.id, disputeOf(dispute), disputeOf(after));
  return after;
}

async function closeOn(
  context: WriteContext,
  dispute: DisputeRow,
  charge: ChargeRow,
  adjusted: Cents | null,
): Promise<void> {
  await setDisputed(context, charge, false);
  const undisputed = await requireCharge(context, charge.id);
  await adjust(context, undisputed, adjusted);
  await releaseCharges(context, { reason: 'dispute', sourceId: dispute.id });
}

/** A charge that is called off already stays so. What was paid beyond the new worth is to be given back. */
async function adjust(context: WriteContext, charge: ChargeRow, adjusted: Cents | null): Promise<void> {
  if (adjusted === null || charge.status === 'canceled') return;
  const isAnythingPaid = charge.ledger !== null;
  if (adjusted === 0 && !isAnythingPaid) await closeCharge(context, charge, UPHELD_REASON);
  else await abateCharge(context, charge, charge.amount_cents - adjusted);
}
