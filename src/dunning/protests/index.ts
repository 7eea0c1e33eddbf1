/** Titles handed to notary offices to be protested, from the request to the cancellation. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { cancelProtest } from './operations/cancel.ts';
import { checkProtest } from './operations/check.ts';
import { createProtest } from './operations/create.ts';
import { listProtestEvents } from './operations/events-list.ts';
import { getProtest } from './operations/get.ts';
import { listProtests } from './operations/list.ts';
import { updateProtest } from './operations/update.ts';

export { followProtest } from './following.ts';
export { jobs } from './jobs.ts';
export { type ProtestRow, protestOf, requireProtest } from './resource.ts';
export { type Protest, protestSchema } from './schema.ts';

export const operations = [
  listProtests,
  getProtest,
  checkProtest,
  createProtest,
  updateProtest,
  cancelProtest,
  listProtestEvents,
];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
