/** Reconciliation: lines of statements tied to what they paid, suggested, made and undone. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { createReconciliations } from './operations/bulk-create.ts';
import { createReconciliation } from './operations/create.ts';
import { deleteReconciliation } from './operations/delete.ts';
import { getReconciliation } from './operations/get.ts';
import { listReconciliations } from './operations/list.ts';
import { suggestReconciliations } from './operations/suggest.ts';

export const operations = [
  listReconciliations,
  getReconciliation,
  suggestReconciliations,
  createReconciliation,
  createReconciliations,
  deleteReconciliation,
];

export const resources: ResourceDefinition[] = [];
