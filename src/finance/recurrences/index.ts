/** What registers payables and receivables again and again. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { createRecurrence } from './operations/create.ts';
import { endRecurrence } from './operations/end.ts';
import { getRecurrence } from './operations/get.ts';
import { listRecurrences } from './operations/list.ts';
import { updateRecurrence } from './operations/update.ts';

export { jobs } from './jobs.ts';

export const operations = [listRecurrences, getRecurrence, createRecurrence, updateRecurrence, endRecurrence];

export const resources: ResourceDefinition[] = [];
