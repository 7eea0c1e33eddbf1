import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { paymentOf, paymentSchema } from '../../charges/index.ts';
import { requirePayment } from '../resource.ts';

export const getPayment = operation({
  name: 'dunning_payments_get',
  title: 'Get payment',
  summary: 'One payment: what it paid, and the message it is attributed to.',
  effect: 'read',
  scope: 'dunning.charges',
  input: { id: id('the payment') },
  output: paymentSchema,
  run: async (input, context) => paymentOf(await requirePayment(context, input.id)),
});
