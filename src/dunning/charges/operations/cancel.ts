import { outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { amountsOf } from '../amounts.ts';
import { cancelCharge as cancel, requireCancelable } from '../decisions.ts';
import { chargeFacts, chargeOf, requireCharge } from '../resource.ts';
import { chargeSchema } from '../schema.ts';

export const cancelCharge = operation({
  name: 'dunning_charges_cancel',
  title: 'Cancel charge',
  titlePortuguese: 'Cancelar cobrança',
  summary: 'Call one charge off for good. Payments that stand have to be reversed first.',
  effect: 'destructive',
  scope: 'dunning.charges',
  input: { id: id('the charge'), reason: cleanText(300) },
  output: chargeSchema,
  async question(input, context) {
    const row = await requireCharge(context, input.id);
    await requireCancelable(context, row);
    return [
      ...chargeFacts(row, await amountsOf(context, row)),
      outside('reason', 'Motivo', 'Reason', input.reason),
    ];
  },
  async run(input, context) {
    const row = await cancel(context, await requireCharge(context, input.id), input.reason);
    return chargeOf(row, await amountsOf(context, row));
  },
});
