import { date, id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { amountsOf } from '../amounts.ts';
import { chargeOf } from '../resource.ts';
import { chargeSchema } from '../schema.ts';
import { pauseCharge as pause } from '../update.ts';

export const pauseCharge = operation({
  name: 'dunning_charges_pause',
  title: 'Pause charge',
  summary: 'Stop collecting a charge until a day or until it is resumed: no message, no step.',
  effect: 'write',
  scope: 'dunning.charges',
  hints: { idempotent: true },
  input: {
    id: id('the charge'),
    until: date().optional().describe('The last day of the pause; default: until resumed.'),
    reason: cleanText(300),
  },
  output: chargeSchema,
  async run({ id: chargeId, until, reason }, context) {
    const row = await pause(context, chargeId, { until, note: reason });
    return chargeOf(row, await amountsOf(context, row));
  },
});
