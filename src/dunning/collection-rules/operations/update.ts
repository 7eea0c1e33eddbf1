import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { changeDefault, changeRule, detailOf, hasStepInUse } from '../detail.ts';
import { failState, requireLiveRule, storedConditions } from '../resource.ts';
import { conditionsArgument, descriptionArgument, ruleDetailSchema, ruleNameArgument } from '../schema.ts';
import { PLAN_TASK } from '../tasks.ts';

export const updateRule = operation({
  name: 'dunning_collection_rules_update',
  title: 'Update collection rule',
  summary:
    'Change a rule, switch it on or off, or make it the default for future charges; existing charges stay.',
  effect: 'write',
  scope: 'dunning.collection_rules',
  hints: { idempotent: true },
  input: {
    id: id('the rule'),
    name: ruleNameArgument().optional(),
    description: descriptionArgument().nullable().optional(),
    conditions: conditionsArgument().optional().describe('Replaces all conditions.'),
    is_default: z.boolean().optional().describe('Suggested for charges; touches none that exist.'),
    active: z.boolean().optional(),
  },
  output: ruleDetailSchema,
  async run(input, context) {
    const before = await requireLiveRule(context, input.id);
    const active = input.active ?? before.active;
    if (active && !before.active && !(await hasStepInUse(context, before.id))) {
      failState('without_steps', ['with_steps']);
    }
    if (input.is_default === true) await changeDefault(context, before.id);
    const after = await changeRule(context, before, {
      ...before,
      name: input.name ?? before.name,
      description: input.description === undefined ? before.description : input.description,
      conditions: input.conditions === undefined ? before.conditions : storedConditions(input.conditions),
      is_default: input.is_default ?? before.is_default,
      active,
    });
    // Of a rule that works again, what is still to come today is not lost.
    if (active && !before.active) {
      const { organizationId } = context;
      context.enqueue({ task: PLAN_TASK, payload: { organizationId, ruleId: after.id } });
    }
    return detailOf(context, after);
  },
});
