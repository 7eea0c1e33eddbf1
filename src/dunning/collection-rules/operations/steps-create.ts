import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { insertStep, selectStep, selectSteps } from '../queries.ts';
import { requireLiveRule, stepOf, storedConditions } from '../resource.ts';
import {
  actionArgument,
  channelArgument,
  conditionsArgument,
  dayKindArgument,
  offsetArgument,
  stepSchema,
  templateArgument,
  timeArgument,
} from '../schema.ts';
import { nextPosition, requireFitting, requireRoom } from '../steps.ts';
import { PLAN_TASK } from '../tasks.ts';

export const createStep = operation({
  name: 'dunning_collection_rule_steps_create',
  title: 'Create step of a collection rule',
  summary: 'Add a step to a rule: a message, a task, or the suggestion of a legal action.',
  effect: 'write',
  scope: 'dunning.collection_rules',
  input: {
    rule_id: id('the rule'),
    offset_days: offsetArgument(),
    day_kind: dayKindArgument(),
    time: timeArgument(),
    action: actionArgument(),
    channel: channelArgument().optional(),
    template_id: templateArgument().optional(),
    conditions: conditionsArgument().optional().describe('Which charges it is for. Default: all.'),
    active: z.boolean().default(true),
  },
  output: stepSchema,
  async run(input, context) {
    const { db, organizationId, now } = context;
    const rule = await requireLiveRule(context, input.rule_id);
    const others = await selectSteps(db, organizationId, [rule.id]);
    requireRoom(others);
    const stepId = context.newId();
    const draft = {
      organization_id: organizationId,
      id: stepId,
      rule_id: rule.id,
      position: nextPosition(others, input),
      offset_days: input.offset_days,
      day_kind: input.day_kind,
      time_of_day: input.time,
      action: input.action,
      channel: input.channel ?? null,
      template_id: input.template_id ?? null,
      conditions: storedConditions(input.conditions),
      active: input.active,
      created_by: context.caller.user.id,
    };
    await insertStep(db, await requireFitting(context, draft, others), now);
    const step = stepOf((await selectStep(db, organizationId, stepId))!);
    context.changed('step', stepId, null, step);
    if (rule.active && step.active) {
      context.enqueue({ task: PLAN_TASK, payload: { organizationId, ruleId: rule.id } });
    }
    return step;
  },
});
