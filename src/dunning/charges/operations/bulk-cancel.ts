import { outside } from '../../../core/facts.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { bulkOutput, changeMany, idsOf, planFacts, whichArguments } from '../bulk.ts';
import { cancelCharge, cancelRefusalOf } from '../decisions.ts';
import { requireCharge } from '../resource.ts';

export const cancelCharges = operation({
  name: 'dunning_charges_bulk_cancel',
  title: 'Cancel charges',
  titlePortuguese: 'Cancelar várias cobranças',
  summary: 'Call many charges off for good; those refused come back in `failed`.',
  effect: 'destructive',
  scope: 'dunning.charges',
  dryRun: true,
  input: { ...whichArguments, reason: cleanText(300) },
  output: bulkOutput,
  async question({ ids, filter, reason }, context) {
    const meant = await idsOf(context, { ids, filter });
    const facts = await planFacts(context, meant, cancelRefusalOf, true);
    return [...facts, outside('reason', 'Motivo', 'Reason', reason)];
  },
  async run({ ids, filter, reason }, context) {
    const meant = await idsOf(context, { ids, filter });
    return changeMany(context, meant, async (inner, id) =>
      cancelCharge(inner, await requireCharge(inner, id), reason),
    );
  },
});
