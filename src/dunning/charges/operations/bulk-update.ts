import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { bulkChangeArguments } from '../arguments.ts';
import { bulkOutput, changeMany, idsOf, whichArguments } from '../bulk.ts';
import { updateChargeBy } from '../update.ts';

export const updateCharges = operation({
  name: 'dunning_charges_bulk_update',
  title: 'Update charges',
  summary: 'Make the same change to many charges still collected; those refused come back in `failed`.',
  effect: 'write',
  scope: 'dunning.charges',
  hints: { idempotent: true },
  dryRun: true,
  input: {
    ...whichArguments,
    set: z
      .strictObject(bulkChangeArguments)
      .refine((set) => Object.values(set).some((value) => value !== undefined), {
        error: 'at least one field to change',
      })
      .describe('The change; null takes a value away.'),
  },
  output: bulkOutput,
  async run({ ids, filter, set }, context) {
    const meant = await idsOf(context, { ids, filter });
    return changeMany(context, meant, (inner, id) => updateChargeBy(inner, id, set));
  },
});
