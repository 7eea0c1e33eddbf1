/** What was said with debtors. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { createInteraction } from './operations/create.ts';
import { deleteInteraction } from './operations/delete.ts';
import { getInteraction } from './operations/get.ts';
import { listInteractions } from './operations/list.ts';
import { updateInteraction } from './operations/update.ts';

export const operations = [
  listInteractions,
  getInteraction,
  createInteraction,
  updateInteraction,
  deleteInteraction,
];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
