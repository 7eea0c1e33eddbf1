import { fail } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { selectLiveCharge } from './queries.ts';

/** Fails with `invalid_state` naming the charge that the customer can still pay. */
export async function requireNoLiveCharge(context: Context, receivableId: string): Promise<void> {
  const charge = await selectLiveCharge(context.db, context.workspaceId, receivableId);
  if (charge === undefined) return;
  fail('invalid_state', {
    kind: 'charge',
    id: charge.id,
    from: charge.status,
    allowed: ['paid', 'canceled', 'failed'],
  });
}
