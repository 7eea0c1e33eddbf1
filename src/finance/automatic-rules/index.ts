/** Patterns of text that classify new entries; `classifierOf` serves the slices that make them. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { applyRulesToPast } from './operations/apply.ts';
import { createRule } from './operations/create.ts';
import { deleteRule } from './operations/delete.ts';
import { getRule } from './operations/get.ts';
import { listRules } from './operations/list.ts';
import { updateRule } from './operations/update.ts';

export { type Classifier, classifierOf } from './classifier.ts';
export type { Classification } from './rules.ts';

export const operations = [listRules, getRule, createRule, updateRule, deleteRule, applyRulesToPast];

export const resources: ResourceDefinition[] = [];
