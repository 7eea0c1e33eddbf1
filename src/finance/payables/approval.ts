import { fail } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { PayableRow } from './queries.ts';
import { recordedPayable, requirePayable } from './resource.ts';
import { requireStatus } from './rules.ts';
import { updatePayable } from './write-queries.ts';

/** The payable whose approval waits for a decision. Fails with `not_found` or `invalid_state`. */
export async function requirePendingApproval(context: WriteContext, id: string): Promise<PayableRow> {
  const payable = await requirePayable(context, id);
  requireStatus(payable.status, ['open', 'partially_paid']);
  if (payable.approval_status !== 'pending') {
    fail('invalid_state', { from: payable.approval_status, allowed: ['pending'] });
  }
  return payable;
}

/** Writes down who decided what, and when. */
export async function decideApproval(
  context: WriteContext,
  payable: PayableRow,
  decision: 'approved' | 'rejected',
  reason: string | null,
): Promise<PayableRow> {
  const decided = {
    ...payable,
    approval_status: decision,
    approval_by: context.caller.user.id,
    approval_at: context.now.toISOString(),
    approval_reason: reason,
  };
  await updatePayable(context.db, decided, context.now);
  const after = await requirePayable(context, payable.id);
  context.changed('payable', payable.id, recordedPayable(payable, context), recordedPayable(after, context));
  return after;
}
