import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../schema.ts';
import { insertCostCenter } from '../queries.ts';
import { costCenterOf, requireCostCenter, requireFreeName, requireParent } from '../resource.ts';
import { requirePlaceUnder } from '../rules.ts';
import { costCenterSchema } from '../schema.ts';

export const createCostCenter = operation({
  name: 'finance_cost_centers_create',
  title: 'Create cost center',
  summary: 'Add a cost center, at the top or under another one.',
  effect: 'write',
  scope: 'finance.cost_centers',
  input: {
    name: cleanText(120),
    code: cleanText(30).optional(),
    parent_id: id('the cost center above').optional(),
  },
  output: costCenterSchema,
  async run(input, context) {
    const parent = input.parent_id === undefined ? null : await requireParent(context, input.parent_id);
    requirePlaceUnder(parent, { id: null, height: 1, active: true });
    const parentId = input.parent_id ?? null;
    await requireFreeName(context, { parentId, name: input.name }, null);
    const id = context.newId();
    await insertCostCenter(context.db, {
      workspace_id: context.workspaceId,
      id,
      name: input.name,
      code: input.code ?? null,
      parent_id: parentId,
      active: true,
      created_by: context.caller.user.id,
      created_at: context.now.toISOString(),
    });
    const costCenter = costCenterOf(await requireCostCenter(context, id));
    context.changed('cost_center', id, null, costCenter);
    return costCenter;
  },
});
