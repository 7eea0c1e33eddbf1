import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { amountsOf } from '../amounts.ts';
import { chargeFacts, chargeOf } from '../resource.ts';
import { chargeSchema } from '../schema.ts';
import { archiveCharge as archive, requireArchivable } from '../update.ts';

export const archiveCharge = operation({
  name: 'dunning_charges_archive',
  title: 'Archive charge',
  titlePortuguese: 'Arquivar cobrança',
  summary: 'Hide a paid or canceled charge from lists; its history stays.',
  effect: 'destructive',
  scope: 'dunning.charges',
  hints: { idempotent: true },
  input: { id: id('the charge') },
  output: chargeSchema,
  async question(input, context) {
    const row = await requireArchivable(context, input.id);
    return chargeFacts(row, await amountsOf(context, row));
  },
  async run(input, context) {
    const row = await archive(context, input.id);
    return chargeOf(row, await amountsOf(context, row));
  },
});
