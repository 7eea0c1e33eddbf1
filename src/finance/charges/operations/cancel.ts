import { id, text } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { cancelCharge as cancelAtBank } from '../canceling.ts';
import { cancelFact, chargeFacts } from '../facts.ts';
import type { ChargeRow } from '../queries.ts';
import { chargeOf, requireCharge } from '../resource.ts';
import { requireCancelable } from '../rules.ts';
import { chargeSchema } from '../schema.ts';

export const cancelCharge = operation({
  name: 'finance_charges_cancel',
  title: 'Cancel charge',
  titlePortuguese: 'Cancelar cobrança no banco',
  summary: 'Ask the bank to cancel a charge not yet paid; final once `status` is canceled.',
  effect: 'destructive',
  scope: 'finance.charges',
  hints: { openWorld: true },
  input: { id: id('the charge'), reason: text(500) },
  output: chargeSchema,
  async question(input, context) {
    const charge = await prepareCancel(input.id, context);
    return [...(await chargeFacts(context, charge)), await cancelFact(context, charge)];
  },
  async run(input, context) {
    const charge = await prepareCancel(input.id, context);
    return chargeOf(await cancelAtBank(context, charge, input.reason), context.today);
  },
});

async function prepareCancel(chargeId: string, context: Context): Promise<ChargeRow> {
  const charge = await requireCharge(context, chargeId);
  requireCancelable(charge);
  return charge;
}
