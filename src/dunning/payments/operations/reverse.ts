import { outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { reversalFacts } from '../facts.ts';
import { paidSchema } from '../paid.ts';
import { paidOf } from '../resource.ts';
import { requireReversible, reversePayment as reverse } from '../reverse.ts';

export const reversePayment = operation({
  name: 'dunning_payments_reverse',
  title: 'Reverse payment',
  titlePortuguese: 'Estornar pagamento',
  summary: 'Take a payment back, after a chargeback or a mistake; what it paid is open again.',
  effect: 'destructive',
  scope: 'dunning.charges',
  input: { id: id('the payment'), reason: cleanText(300) },
  output: paidSchema,
  async question(input, context) {
    const found = await requireReversible(context, input.id);
    return [...(await reversalFacts(context, found)), outside('reason', 'Motivo', 'Reason', input.reason)];
  },
  run: async (input, context) => paidOf(context, await reverse(context, input, input.reason)),
});
