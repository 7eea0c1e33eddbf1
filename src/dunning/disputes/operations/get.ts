import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { disputeOf, requireDispute } from '../resource.ts';
import { disputeSchema } from '../schema.ts';

export const getDispute = operation({
  name: 'dunning_disputes_get',
  title: 'Get dispute',
  summary: 'One dispute.',
  effect: 'read',
  scope: 'dunning.disputes',
  input: { id: id('the dispute') },
  output: disputeSchema,
  async run(input, context) {
    return disputeOf(await requireDispute(context, input.id));
  },
});
