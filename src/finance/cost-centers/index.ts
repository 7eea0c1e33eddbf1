/** Cost centers; `checkedCostCenters` serves the slices whose amounts are shared out to them. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { createCostCenter } from './operations/create.ts';
import { deleteCostCenter } from './operations/delete.ts';
import { getCostCenter } from './operations/get.ts';
import { listCostCenters } from './operations/list.ts';
import { updateCostCenter } from './operations/update.ts';

export { checkedCostCenters, requireActiveCostCenter } from './resource.ts';
export { wholeShareOf } from './rules.ts';
export type { CostCenterShare } from './schema.ts';

export const operations = [
  listCostCenters,
  getCostCenter,
  createCostCenter,
  updateCostCenter,
  deleteCostCenter,
];

export const resources: ResourceDefinition[] = [];
