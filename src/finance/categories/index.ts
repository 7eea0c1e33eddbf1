/** The chart of accounts; `requireLeafCategory` serves the slices whose entries are classified. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { createCategory } from './operations/create.ts';
import { deleteCategory } from './operations/delete.ts';
import { getCategory } from './operations/get.ts';
import { listCategories } from './operations/list.ts';
import { updateCategory } from './operations/update.ts';

export { requireLeafCategory } from './resource.ts';

export const operations = [listCategories, getCategory, createCategory, updateCategory, deleteCategory];

export const resources: ResourceDefinition[] = [];
