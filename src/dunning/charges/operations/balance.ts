import { date, id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { historiesOf } from '../amounts.ts';
import { balanceOf, balanceSchema } from '../balance.ts';
import { owedOn } from '../reckoning.ts';
import { requireCharge } from '../resource.ts';

export const getChargeBalance = operation({
  name: 'dunning_charges_balance',
  title: 'Charge balance',
  summary: 'What is due on a charge on a date, line by line, with the working of fine and interest.',
  effect: 'read',
  scope: 'dunning.charges',
  input: { id: id('the charge'), as_of: date().optional().describe('The date; default today.') },
  output: balanceSchema,
  async run(input, context) {
    const row = await requireCharge(context, input.id);
    const on = input.as_of ?? context.today;
    const { entries, ways } = (await historiesOf(context, [row])).get(row.id)!;
    return balanceOf(row, entries, owedOn(row, entries, on, ways), on, ways);
  },
});
