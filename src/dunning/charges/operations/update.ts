import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { amountsOf } from '../amounts.ts';
import { changeArguments } from '../arguments.ts';
import { chargeOf } from '../resource.ts';
import { warnedSchema } from '../schema.ts';
import { updateChargeBy } from '../update.ts';

export const updateCharge = operation({
  name: 'dunning_charges_update',
  title: 'Update charge',
  summary: 'Change a charge still collected. Its due date does not go back over a step that has run.',
  effect: 'write',
  scope: 'dunning.charges',
  hints: { idempotent: true },
  input: { id: id('the charge'), ...changeArguments },
  output: warnedSchema,
  async run({ id: chargeId, ...given }, context) {
    const { charge, warnings } = await updateChargeBy(context, chargeId, given);
    return { ...chargeOf(charge, await amountsOf(context, charge)), warnings: [...warnings] };
  },
});
