import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { debtFacts } from '../../debt-records/index.ts';
import { cancelPayable as cancel, requireCancelable } from '../cancel.ts';
import { payableKind, payableOf } from '../resource.ts';
import { payableSchema } from '../schema.ts';

export const cancelPayable = operation({
  name: 'finance_payables_cancel',
  title: 'Cancel payable',
  titlePortuguese: 'Cancelar conta a pagar',
  summary: 'Call off a bill that will not be paid; it stays visible as canceled.',
  effect: 'destructive',
  scope: 'finance.payables',
  input: { id: id('the payable'), reason: text(300) },
  output: payableSchema,
  async question(input, context) {
    return debtFacts(payableKind, await requireCancelable(context, input.id));
  },
  async run(input, context) {
    const payable = await requireCancelable(context, input.id);
    return payableOf(await cancel(context, payable, input.reason), context);
  },
});
