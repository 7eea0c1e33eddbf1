import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { paymentOf, requirePayment } from '../resource.ts';
import { paymentSchema } from '../schema.ts';

export const getPayment = operation({
  name: 'finance_payments_get',
  title: 'Get payment',
  summary: 'One payment order: status at the bank, authentication, rejection reason, receipt.',
  effect: 'read',
  scope: 'finance.payments',
  input: { id: id('the payment') },
  output: paymentSchema,
  async run(input, context) {
    return paymentOf(await requirePayment(context, input.id), context.scopes);
  },
});
