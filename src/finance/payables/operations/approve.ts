import { fail } from '../../../core/errors.ts';
import { id, moneyOrZero, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decideApproval, requirePendingApproval } from '../approval.ts';
import { amountDueOf, payableOf } from '../resource.ts';
import { approvalRulesOf } from '../rules.ts';
import { payableSchema } from '../schema.ts';
import { selectWorkspaceSettings } from '../write-queries.ts';

export const approvePayable = operation({
  name: 'finance_payables_approve',
  title: 'Approve payable',
  summary: 'Approve a bill for payment. Send `expected_amount` when a person has seen a figure.',
  effect: 'write',
  scope: 'finance.payables',
  alsoScopes: ['finance.payables.approve'],
  input: {
    id: id('the payable'),
    expected_amount: moneyOrZero().optional().describe('The `amount_due` that was seen.'),
  },
  output: payableSchema,
  async run(input, context) {
    const { db, organizationId, workspaceId, caller, today } = context;
    const payable = await requirePendingApproval(context, input.id);
    const rules = approvalRulesOf(await selectWorkspaceSettings(db, organizationId, workspaceId));
    if (rules.isSecondPersonNeeded && payable.created_by === caller.user.id) fail('same_person_approval');
    const amountDue = amountDueOf(payable, today);
    if (input.expected_amount !== undefined && input.expected_amount !== amountDue) {
      fail('amount_changed', { expected: moneyText(input.expected_amount), actual: moneyText(amountDue) });
    }
    return payableOf(await decideApproval(context, payable, 'approved', null), context);
  },
});
