import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { removalDeadline } from '../../contact-law/index.ts';
import { cancelFacts } from '../facts.ts';
import { stop } from '../following.ts';
import { negativationOf, requireWithCharge } from '../resource.ts';
import { requireStatus } from '../rules.ts';
import { negativationSchema } from '../schema.ts';

const cancelable = ['pending', 'approved', 'notice_sent', 'registered'] as const;

export const cancelNegativation = operation({
  name: 'dunning_negativations_cancel',
  title: 'Cancel credit-bureau report',
  titlePortuguese: 'Cancelar a negativação',
  summary: 'Call off a report before its registration, or ask the bureau to remove one it shows.',
  effect: 'destructive',
  scope: 'dunning.legal',
  hints: { openWorld: true },
  input: { id: id('the report'), reason: cleanText(500) },
  output: negativationSchema,
  async question(input, context) {
    const { row } = await requireWithCharge(context, input.id);
    requireStatus(row, cancelable);
    return cancelFacts(row);
  },
  async run(input, context) {
    const { row, charge } = await requireWithCharge(context, input.id);
    requireStatus(row, cancelable);
    const deadline = removalDeadline(context.today);
    return negativationOf(
      await stop(context, row, charge, { reason: 'requested', deadline, note: input.reason }),
    );
  },
});
