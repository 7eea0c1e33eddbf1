import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { cancelFacts } from '../facts.ts';
import { stop } from '../following.ts';
import { protestOf, requireWithCharge } from '../resource.ts';
import { requireStatus } from '../rules.ts';
import { protestSchema } from '../schema.ts';

const cancelable = [
  'pending',
  'approved',
  'sent',
  'protocoled',
  'notified',
  'suspended',
  'protested',
] as const;

export const cancelProtest = operation({
  name: 'dunning_protests_cancel',
  title: 'Cancel protest',
  titlePortuguese: 'Cancelar o protesto',
  summary:
    'Call off or withdraw a title before the protest; consent to the cancellation of one that was made.',
  effect: 'destructive',
  scope: 'dunning.legal',
  hints: { openWorld: true },
  input: { id: id('the protest'), reason: cleanText(500) },
  output: protestSchema,
  async question(input, context) {
    const { row, charge } = await requireWithCharge(context, input.id);
    requireStatus(row, cancelable);
    return cancelFacts(row, charge);
  },
  async run(input, context) {
    const { row, charge } = await requireWithCharge(context, input.id);
    requireStatus(row, cancelable);
    return protestOf(await stop(context, row, charge, 'requested', { note: input.reason }));
  },
});
