/** Calls that wait, or waited, for a person in the console: read here, decided there. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { getApproval } from './operations/get.ts';
import { listApprovals } from './operations/list.ts';

export const operations = [listApprovals, getApproval];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
