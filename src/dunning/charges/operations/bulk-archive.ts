import { operation } from '../../../core/operation.ts';
import { bulkOutput, changeMany, idsOf, planFacts, whichArguments } from '../bulk.ts';
import { isClosed } from '../rules.ts';
import { archiveCharge } from '../update.ts';

export const archiveCharges = operation({
  name: 'dunning_charges_bulk_archive',
  title: 'Archive charges',
  titlePortuguese: 'Arquivar várias cobranças',
  summary: 'Hide many paid or canceled charges from lists; those refused come back in `failed`.',
  effect: 'destructive',
  scope: 'dunning.charges',
  hints: { idempotent: true },
  dryRun: true,
  input: whichArguments,
  output: bulkOutput,
  async question(input, context) {
    const meant = await idsOf(context, input);
    return planFacts(context, meant, ({ status }) => (isClosed(status) ? null : 'invalid_state'));
  },
  async run({ ids, filter }, context) {
    return changeMany(context, await idsOf(context, { ids, filter }), archiveCharge);
  },
});
