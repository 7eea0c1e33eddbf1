import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation, type WriteContext } from '../../../core/operation.ts';
import { cleanText } from '../../schema.ts';
import {
  type CostCenterRow,
  selectActiveChildren,
  selectHeight,
  updateCostCenter as updateRow,
} from '../queries.ts';
import {
  costCenterOf,
  requireCostCenter,
  requireCostCenterToChange,
  requireFreeName,
  requireParent,
} from '../resource.ts';
import { requirePlaceUnder } from '../rules.ts';
import { costCenterSchema } from '../schema.ts';

export const updateCostCenter = operation({
  name: 'finance_cost_centers_update',
  title: 'Update cost center',
  summary: 'Rename, move, code or deactivate a cost center.',
  effect: 'write',
  scope: 'finance.cost_centers',
  hints: { idempotent: true },
  input: {
    id: id('the cost center'),
    name: cleanText(120).optional(),
    code: cleanText(30).nullable().optional(),
    parent_id: id('the cost center above').nullable().optional().describe('null moves it to the top.'),
    active: z.boolean().optional(),
  },
  output: costCenterSchema,
  async run({ id, ...changes }, context) {
    const before = await requireCostCenterToChange(context, id);
    const row = { ...before, ...changes };
    await requireTreeWith(context, before, row);
    await updateRow(context.db, row, context.now);
    const after = costCenterOf(await requireCostCenter(context, id));
    context.changed('cost_center', id, costCenterOf(before), after);
    return after;
  },
});

/** Refuses what would break the tree; looks only at what the change touches. */
async function requireTreeWith(
  context: WriteContext,
  before: CostCenterRow,
  after: CostCenterRow,
): Promise<void> {
  const { db, workspaceId } = context;
  const { id, parent_id: parentId, name, active } = after;
  const isMoved = parentId !== before.parent_id;
  if (parentId !== null && (isMoved || (active && !before.active))) {
    const parent = await requireParent(context, parentId);
    requirePlaceUnder(parent, { id, height: await selectHeight(db, workspaceId, id), active });
  }
  if (isMoved || name !== before.name) await requireFreeName(context, { parentId, name }, id);
  if (before.active && !active) {
    const by = await selectActiveChildren(db, workspaceId, id);
    if (by.length > 0) fail('in_use', { by });
  }
}
