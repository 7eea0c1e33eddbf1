import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { chargeDetailOf, requireCharge } from '../resource.ts';
import { chargeDetailSchema } from '../schema.ts';

export const getCharge = operation({
  name: 'finance_charges_get',
  title: 'Get charge',
  summary: 'One charge: typed line, barcode, Pix code, PDF, messages to the customer, payments made twice.',
  effect: 'read',
  scope: 'finance.charges',
  input: { id: id('the charge') },
  output: chargeDetailSchema,
  async run(input, context) {
    return chargeDetailOf(context, await requireCharge(context, input.id));
  },
});
