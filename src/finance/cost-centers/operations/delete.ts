import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { selectReferences } from '../../../db/references.ts';
import { type CostCenterRow, deleteCostCenter as deleteRow, selectSharesOf } from '../queries.ts';
import { costCenterOf, requireCostCenter } from '../resource.ts';

export const deleteCostCenter = operation({
  name: 'finance_cost_centers_delete',
  title: 'Delete cost center',
  titlePortuguese: 'Excluir centro de custo',
  summary: 'Remove a cost center that no amount is shared to and has none below it; others are deactivated.',
  effect: 'destructive',
  scope: 'finance.cost_centers',
  input: { id: id('the cost center') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await prepareDelete(input.id, context);
    return [
      outside('name', 'Centro de custo', 'Cost center', row.name),
      row.code === null ? ours('code', 'Código', 'Code', '-') : outside('code', 'Código', 'Code', row.code),
    ];
  },
  async run(input, context) {
    const row = await prepareDelete(input.id, context);
    await deleteRow(context.db, context.workspaceId, row.id);
    context.changed('cost_center', row.id, costCenterOf(row), null);
    return { id: row.id, deleted: true as const };
  },
});

/** The lock on the row makes whoever wants to share an amount to it wait, and then not find it. */
async function prepareDelete(costCenterId: string, context: Context): Promise<CostCenterRow> {
  const { db, workspaceId } = context;
  const row = await requireCostCenter(context, costCenterId);
  const keys = await selectReferences(db, 'cost_centers', workspaceId, row.id);
  const by = keys.length > 0 ? keys : await selectSharesOf(db, workspaceId, row.id);
  if (by.length > 0) fail('in_use', { by });
  return row;
}
