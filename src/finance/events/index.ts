/** The audit chain as people read it; `eventsPage` serves the chain of an organization too. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { listEvents } from './operations/list.ts';

export { eventsPage } from './resource.ts';
export { eventSchema } from './schema.ts';

export const operations = [listEvents];

export const resources: ResourceDefinition[] = [];
