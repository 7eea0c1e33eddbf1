/** Rules: which message or task when, and the engine that runs them. */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { archiveRule } from './operations/archive.ts';
import { assignRule } from './operations/charges-bulk-assign-rule.ts';
import { createRule } from './operations/create.ts';
import { duplicateRule } from './operations/duplicate.ts';
import { getRule } from './operations/get.ts';
import { listRules } from './operations/list.ts';
import { simulateRule } from './operations/simulate.ts';
import { listExecutions } from './operations/step-executions-list.ts';
import { skipStepExecution } from './operations/step-executions-skip.ts';
import { createStep } from './operations/steps-create.ts';
import { deleteStep } from './operations/steps-delete.ts';
import { listSteps } from './operations/steps-list.ts';
import { reorderSteps } from './operations/steps-reorder.ts';
import { updateStep } from './operations/steps-update.ts';
import { updateRule } from './operations/update.ts';
import { suggestRuleIds } from './resource.ts';

export { jobs } from './jobs.ts';
export { planToday } from './planning.ts';
export { ruleSummary } from './resource.ts';
export { simulateSteps } from './simulation.ts';
export { DAILY_TASK, PLAN_TASK, RUN_TASK } from './tasks.ts';

const ruleCompletion: Completion = {
  kind: 'records',
  operation: 'dunning_collection_rules_list',
  suggest: suggestRuleIds,
};

export const operations = [
  listRules,
  getRule,
  createRule,
  updateRule,
  archiveRule,
  duplicateRule,
  simulateRule,
  listSteps,
  createStep,
  updateStep,
  deleteStep,
  reorderSteps,
  listExecutions,
  skipStepExecution,
  assignRule,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/collection-rules/{id}',
    name: 'collection_rule',
    title: 'Collection rule',
    description: 'One collection rule.',
    mimeType: 'application/json',
    operation: 'dunning_collection_rules_get',
    variable: 'uuid',
    completion: ruleCompletion,
    ttlMs: 0,
  },
  {
    uri: 'kobana://dunning/collection-rules/{id}/steps',
    name: 'collection_rule_steps',
    title: 'Steps of a collection rule',
    description: "The rule's steps.",
    mimeType: 'application/json',
    operation: 'dunning_collection_rule_steps_list',
    variable: 'uuid',
    argument: 'rule_id',
    completion: ruleCompletion,
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [];
