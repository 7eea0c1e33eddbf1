import type { WriteContext } from '../../core/operation.ts';
import { queueCancel } from '../bank-commands/index.ts';
import type { ChargeRow } from './queries.ts';
import { requireCharge, storeCharge } from './resource.ts';
import { chargeSubject } from './subject.ts';

/** Calls off a live charge that the caller holds locked: at once if it never left, else as soon as the bank says so. */
export async function cancelCharge(
  context: WriteContext,
  charge: ChargeRow,
  reason: string,
): Promise<ChargeRow> {
  const asked = { ...charge, cancel_requested_at: context.now.toISOString(), cancel_reason: reason };
  const outcome = await queueCancel(context, chargeSubject, asked);
  return outcome === 'asked' ? storeCharge(context, charge, asked) : requireCharge(context, charge.id);
}
