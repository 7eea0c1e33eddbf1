/** What follows when a charge or its receivable changes: no tools, jobs only. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';

export { jobs } from './jobs.ts';

export const operations = [];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
