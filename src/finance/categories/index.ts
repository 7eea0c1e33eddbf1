/** The chart of accounts; `requireLeafCategory` serves the slices whose entries are classified. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { createCategory } from './operations/create.ts';
import { listCategories } from './operations/list.ts';
import { updateCategory } from './operations/update.ts';

export { requireLeafCategory } from './resource.ts';

export const operations = [listCategories, createCategory, updateCategory];

export const resources: ResourceDefinition[] = [];
