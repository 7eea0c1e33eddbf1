import { fail } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { selectLivePayment } from './queries.ts';

/** Fails with `invalid_state` naming the payment order that is on its way for the payable. */
export async function requireNoLiveOrder(context: Context, payableId: string): Promise<void> {
  const order = await selectLivePayment(context.db, context.workspaceId, payableId);
  if (order === undefined) return;
  fail('invalid_state', {
    kind: 'payment',
    id: order.id,
    from: order.status,
    allowed: ['canceled', 'rejected', 'failed'],
  });
}
