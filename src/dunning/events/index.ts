/** The audit chain of the organization as people read it. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { listEvents } from './operations/list.ts';

export const operations = [listEvents];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
