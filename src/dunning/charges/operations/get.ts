import { date, id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { chargeDetail } from '../detail.ts';
import { chargeDetailSchema } from '../detail-schema.ts';
import { requireCharge } from '../resource.ts';

export const getCharge = operation({
  name: 'dunning_charges_get',
  title: 'Get charge',
  summary:
    'One charge: amounts as of a date, payments, rule position, holds, agreement, dispute, legal action.',
  effect: 'read',
  scope: 'dunning.charges',
  input: {
    id: id('the charge'),
    as_of: date().optional().describe('The date the amounts are for; default today.'),
  },
  output: chargeDetailSchema,
  async run(input, context) {
    const row = await requireCharge(context, input.id);
    return chargeDetail(context, row, input.as_of ?? context.today);
  },
});
