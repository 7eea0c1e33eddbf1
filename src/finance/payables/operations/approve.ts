import { fail } from '../../../core/errors.ts';
import { id, moneyOrZero, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { amountDueOf } from '../../debt-records/index.ts';
import { decideApproval, requireApprover, requirePendingApproval } from '../approval.ts';
import { payableOf } from '../resource.ts';
import { payableSchema } from '../schema.ts';

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
    const payable = await requirePendingApproval(context, input.id);
    await requireApprover(context, payable);
    const amountDue = amountDueOf(payable, context.today);
    if (input.expected_amount !== undefined && input.expected_amount !== amountDue) {
      fail('amount_changed', { expected: moneyText(input.expected_amount), actual: moneyText(amountDue) });
    }
    return payableOf(await decideApproval(context, payable, 'approved', null), context);
  },
});
