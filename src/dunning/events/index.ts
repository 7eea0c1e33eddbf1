/** The audit chain of the organization as people read it. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { listEvents } from './operations/list.ts';
import { verifyEvents } from './operations/verify.ts';

export const operations = [listEvents, verifyEvents];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
