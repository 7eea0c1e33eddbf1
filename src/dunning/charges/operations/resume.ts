import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { amountsOf } from '../amounts.ts';
import { chargeOf } from '../resource.ts';
import { chargeSchema } from '../schema.ts';
import { resumeCharge as resume } from '../update.ts';

export const resumeCharge = operation({
  name: 'dunning_charges_resume',
  title: 'Resume charge',
  summary: 'End a pause. Only steps still to come run; other reasons to wait stay.',
  effect: 'write',
  scope: 'dunning.charges',
  hints: { idempotent: true },
  input: { id: id('the charge') },
  output: chargeSchema,
  async run(input, context) {
    const row = await resume(context, input.id);
    return chargeOf(row, await amountsOf(context, row));
  },
});
