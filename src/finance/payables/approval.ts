import { fail } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import { approversFor, paymentRulesOf } from '../approval-settings/index.ts';
import { changeDebt } from '../debt-records/index.ts';
import { requireStatus } from '../debts/index.ts';
import { type PayableRow, payableKind, planCentsOf, requirePayable } from './resource.ts';

/** The payable whose approval waits for a decision. Fails with `not_found` or `invalid_state`. */
export async function requirePendingApproval(context: WriteContext, id: string): Promise<PayableRow> {
  const payable = await requirePayable(context, id);
  requireStatus(payable.status, ['open', 'partially_paid']);
  if (payable.approval_status !== 'pending') {
    fail('invalid_state', { from: payable.approval_status, allowed: ['pending'] });
  }
  return payable;
}

/**
 * Fails with `same_person_approval` or `not_an_approver` when the rules of the company keep the caller from approving
 * this payable.
 */
export async function requireApprover(context: WriteContext, payable: PayableRow): Promise<void> {
  const { id: userId } = context.caller.user;
  const rules = await paymentRulesOf(context, payable.company_id);
  if (rules.require_second_person && payable.created_by === userId) fail('same_person_approval');
  if (rules.thresholds.every(({ approvers }) => approvers === null)) return;
  const approvers = approversFor(rules, await planCentsOf(context, payable));
  if (approvers !== null && !approvers.includes(userId)) fail('not_an_approver', { approvers });
}

/** Writes down who decided what, and when. */
export function decideApproval(
  context: WriteContext,
  payable: PayableRow,
  decision: 'approved' | 'rejected',
  reason: string | null,
): Promise<PayableRow> {
  return changeDebt(context, payableKind, payable, {
    ...payable,
    approval_status: decision,
    approval_by: context.caller.user.id,
    approval_at: context.now.toISOString(),
    approval_reason: reason,
  });
}
