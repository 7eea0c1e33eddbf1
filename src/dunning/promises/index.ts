/** Promises to pay: while one is open, the rules of its charges wait. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { cancelPromise } from './operations/cancel.ts';
import { createPromise } from './operations/create.ts';
import { getPromise } from './operations/get.ts';
import { listPromises } from './operations/list.ts';
import { updatePromise } from './operations/update.ts';

export { jobs } from './jobs.ts';
export { judgePromisesOf } from './judging.ts';

export const operations = [listPromises, getPromise, createPromise, updatePromise, cancelPromise];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
