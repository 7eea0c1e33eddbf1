/** The audit chain as people read it; `eventsPage` serves the chain of an organization too. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { listEvents } from './operations/list.ts';
import { verifyEvents } from './operations/verify.ts';

export { chainReportOf, eventsPage } from './resource.ts';
export { chainReportSchema, eventSchema } from './schema.ts';

export const operations = [listEvents, verifyEvents];

export const resources: ResourceDefinition[] = [];
