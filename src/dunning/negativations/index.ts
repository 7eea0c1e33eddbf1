/** Reports of debts to credit bureaus, from the request to the removal. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { cancelNegativation } from './operations/cancel.ts';
import { checkNegativation } from './operations/check.ts';
import { createNegativation } from './operations/create.ts';
import { listNegativationEvents } from './operations/events-list.ts';
import { getNegativation } from './operations/get.ts';
import { listNegativations } from './operations/list.ts';
import { updateNegativation } from './operations/update.ts';

export { followNegativation } from './following.ts';
export { jobs } from './jobs.ts';
export { prompts } from './prompts.ts';
export { type NegativationRow, negativationOf, requireNegativation } from './resource.ts';
export { type Negativation, negativationSchema } from './schema.ts';

export const operations = [
  listNegativations,
  getNegativation,
  checkNegativation,
  createNegativation,
  updateNegativation,
  cancelNegativation,
  listNegativationEvents,
];

export const resources: ResourceDefinition[] = [];
