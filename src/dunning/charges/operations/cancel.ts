import { moving, ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Fact, operation } from '../../../core/operation.ts';
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
    const amounts = await amountsOf(context, row);
    return [
      ...moving('amount_due', amounts.amountDue, chargeFacts(row, amounts)),
      ...legalFacts(row),
      outside('reason', 'Motivo', 'Reason', input.reason),
    ];
  },
  async run(input, context) {
    const row = await cancel(context, await requireCharge(context, input.id), input.reason);
    return chargeOf(row, await amountsOf(context, row));
  },
});

/** What else ends with the charge. */
function legalFacts({ legal_kind }: { readonly legal_kind: string | null }): Fact[] {
  if (legal_kind === null) return [];
  const text =
    legal_kind === 'protest'
      ? { 'pt-BR': 'o protesto em andamento será cancelado', en: 'the protest under way will be called off' }
      : {
          'pt-BR': 'a negativação em andamento será cancelada ou baixada',
          en: 'the report under way will be called off or removed',
        };
  return [ours('legal_action', 'Medida legal', 'Legal action', text)];
}
