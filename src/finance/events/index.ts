/** The audit chain as people read it. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { listEvents } from './operations/list.ts';

export const operations = [listEvents];

export const resources: ResourceDefinition[] = [];
