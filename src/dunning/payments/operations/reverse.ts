import { outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { reversalFacts } from '../facts.ts';
import { paidSchema } from '../paid.ts';
import { paidOf } from '../resource.ts';
import { type Reversible, requireReversible, reversePayment as reverse } from '../reverse.ts';
import { requireRecordedHere } from '../rules.ts';

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
    const found = await requireOwn(context, input.id);
    return [...(await reversalFacts(context, found)), outside('reason', 'Motivo', 'Reason', input.reason)];
  },
  async run(input, context) {
    await requireOwn(context, input.id);
    return paidOf(context, await reverse(context, input, input.reason));
  },
});

async function requireOwn(context: Context, id: string): Promise<Reversible> {
  const found = await requireReversible(context, id);
  requireRecordedHere(found.payment);
  return found;
}
