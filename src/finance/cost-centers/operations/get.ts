import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { costCenterOf, requireCostCenter } from '../resource.ts';
import { costCenterSchema } from '../schema.ts';

export const getCostCenter = operation({
  name: 'finance_cost_centers_get',
  title: 'Get cost center',
  summary: 'One cost center.',
  effect: 'read',
  scope: 'finance.cost_centers',
  input: { id: id('the cost center') },
  output: costCenterSchema,
  async run(input, context) {
    return costCenterOf(await requireCostCenter(context, input.id));
  },
});
