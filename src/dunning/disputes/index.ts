/** Charges that a debtor contests: their rules wait and nobody reports them until somebody decides. */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { createComment } from './operations/comments-create.ts';
import { listComments } from './operations/comments-list.ts';
import { createDispute } from './operations/create.ts';
import { getDispute } from './operations/get.ts';
import { listDisputes } from './operations/list.ts';
import { updateDispute } from './operations/update.ts';
import { suggestDisputeIds } from './resource.ts';

const disputeCompletion: Completion = {
  kind: 'records',
  operation: 'dunning_disputes_list',
  suggest: suggestDisputeIds,
};

export const operations = [
  listDisputes,
  getDispute,
  createDispute,
  updateDispute,
  listComments,
  createComment,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/disputes/{id}',
    name: 'dispute',
    title: 'Dispute',
    description: 'One dispute.',
    mimeType: 'application/json',
    operation: 'dunning_disputes_get',
    variable: 'uuid',
    completion: disputeCompletion,
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [];
