import type { Context, WriteContext } from '../../core/operation.ts';
import { cancelDebt, requireCancelableDebt } from '../debt-records/index.ts';
import { requireNoLiveOrder } from './orders.ts';
import { type PayableRow, payableKind } from './resource.ts';

/**
 * The payable that can be called off now, locked after its company when the caller is writing. Fails with `not_found`,
 * `invalid_state` (a partly paid one included: its settlements are undone first; and one with a live order) or
 * `books_closed`.
 */
export async function requireCancelable(context: Context, id: string): Promise<PayableRow> {
  const payable = await requireCancelableDebt(context, payableKind, id);
  await requireNoLiveOrder(context, id);
  return payable;
}

/** Calls off a payable that the caller holds locked, and gives it as it is then. Fails as `requireCancelable` does. */
export async function cancelPayable(
  context: WriteContext,
  payable: PayableRow,
  reason: string,
): Promise<PayableRow> {
  await requireNoLiveOrder(context, payable.id);
  return cancelDebt(context, payableKind, payable, reason);
}
