import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { changeArguments } from '../../debts/index.ts';
import { payableWords } from '../arguments.ts';
import { paymentDetailsArgument } from '../payment-details.ts';
import { payableOf } from '../resource.ts';
import { payableSchema } from '../schema.ts';
import { changePayable } from '../update.ts';

export const updatePayable = operation({
  name: 'finance_payables_update',
  title: 'Update payable',
  summary:
    'Change an open bill, or plan its payment. A changed amount, supplier or payment detail is approved anew.',
  effect: 'write',
  scope: 'finance.payables',
  hints: { idempotent: true },
  input: {
    id: id('the payable'),
    ...changeArguments(payableWords),
    payment_details: paymentDetailsArgument.nullable().optional(),
    allow_duplicate_of: id(payableWords.lookalike).optional(),
  },
  output: payableSchema,
  async run({ id: payableId, allow_duplicate_of: allowed, ...given }, context) {
    return payableOf(await changePayable(context, payableId, given, allowed), context);
  },
});
