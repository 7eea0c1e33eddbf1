import { fail, failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import {
  type CostCenterRow,
  lockTree,
  selectAncestors,
  selectCostCenter,
  selectCostCentersByIds,
  selectSibling,
} from './queries.ts';
import { type ParentCostCenter, requireWholeShares } from './rules.ts';
import type { CostCenter, CostCenterShare } from './schema.ts';

/** The public record of a row. */
export function costCenterOf(row: CostCenterRow): CostCenter {
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    parent_id: row.parent_id,
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/**
 * The shares as given, once they are known to add up to 100 % over active cost centers of this workspace
 * (percentages in ten-thousandths of a percent). Fails with `not_found` or `invalid_argument`.
 */
export async function checkedCostCenters(
  context: Context,
  shares: readonly CostCenterShare[],
): Promise<readonly CostCenterShare[]> {
  requireWholeShares(shares);
  if (shares.length === 0) return shares;
  const ids = shares.map(({ id }) => id);
  const rows = await selectCostCentersByIds(context.db, context.workspaceId, ids, context.isWriting);
  const byId = new Map(rows.map((row) => [row.id, row]));
  shares.forEach(({ id }, index) => {
    const row = byId.get(id) ?? fail('not_found', { kind: 'cost_center', id });
    if (!row.active) failArgument(`cost_centers.${index}.id`, 'an active cost center');
  });
  return shares;
}

/** The cost center that is to take an amount. Fails with `not_found`, or with `invalid_argument` when it is inactive. */
export async function requireActiveCostCenter(context: Context, id: string, path: string): Promise<void> {
  const [row] = await selectCostCentersByIds(context.db, context.workspaceId, [id], context.isWriting);
  if (row === undefined) fail('not_found', { kind: 'cost_center', id });
  if (!row.active) failArgument(path, 'an active cost center');
}

/** The cost center of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireCostCenter(context: Context, id: string): Promise<CostCenterRow> {
  const row = await selectCostCenter(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'cost_center', id });
}

/** The cost center of this workspace with the whole tree locked, to be changed here. Fails with `not_found`. */
export async function requireCostCenterToChange(context: WriteContext, id: string): Promise<CostCenterRow> {
  await lockTree(context.db, context.workspaceId);
  return requireCostCenter(context, id);
}

/** The cost center under which another one is put, with the tree locked. Fails with `not_found`. */
export async function requireParent(context: WriteContext, id: string): Promise<ParentCostCenter> {
  const row = await requireCostCenterToChange(context, id);
  const above = await selectAncestors(context.db, context.workspaceId, id);
  return { active: row.active, lineage: [id, ...above] };
}

/** Refuses a name that another cost center under the same parent has. Fails with `duplicate`. */
export async function requireFreeName(
  context: WriteContext,
  place: { parentId: string | null; name: string },
  ownId: string | null,
): Promise<void> {
  await lockTree(context.db, context.workspaceId);
  const sibling = await selectSibling(context.db, context.workspaceId, place, ownId);
  if (sibling !== undefined) fail('duplicate', { of: sibling.id });
}
