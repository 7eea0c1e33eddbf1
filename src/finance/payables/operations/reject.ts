import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decideApproval, requirePendingApproval } from '../approval.ts';
import { payableOf } from '../resource.ts';
import { payableSchema } from '../schema.ts';

export const rejectPayable = operation({
  name: 'finance_payables_reject',
  title: 'Reject payable',
  summary: 'Refuse the approval of a bill, with a reason.',
  effect: 'write',
  scope: 'finance.payables',
  alsoScopes: ['finance.payables.approve'],
  input: { id: id('the payable'), reason: text(300) },
  output: payableSchema,
  async run(input, context) {
    const payable = await requirePendingApproval(context, input.id);
    return payableOf(await decideApproval(context, payable, 'rejected', input.reason), context);
  },
});
