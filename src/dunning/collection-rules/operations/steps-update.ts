import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { deactivateWithoutSteps } from '../detail.ts';
import { selectSteps } from '../queries.ts';
import { requireStep, stepOf, storedConditions } from '../resource.ts';
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
import { changeStep, followChange, nextPosition, requireFitting } from '../steps.ts';

export const updateStep = operation({
  name: 'dunning_collection_rule_steps_update',
  title: 'Update step of a collection rule',
  summary: 'Change a step; charges that have had it do not get it again, and past moments never fire.',
  effect: 'write',
  scope: 'dunning.collection_rules',
  hints: { idempotent: true },
  input: {
    id: id('the step'),
    offset_days: offsetArgument().optional(),
    day_kind: dayKindArgument().optional(),
    time: timeArgument().optional(),
    action: actionArgument().optional(),
    channel: channelArgument().nullable().optional(),
    template_id: templateArgument().nullable().optional(),
    conditions: conditionsArgument().optional().describe('Replaces all conditions.'),
    active: z.boolean().optional(),
  },
  output: stepSchema,
  async run(input, context) {
    const { rule, step: before } = await requireStep(context, input.id);
    const others = await selectSteps(context.db, context.organizationId, [rule.id]);
    const moved = {
      offset_days: input.offset_days ?? before.offset_days,
      day_kind: input.day_kind ?? before.day_kind,
    };
    const isSameDay = moved.offset_days === before.offset_days && moved.day_kind === before.day_kind;
    const changed = await requireFitting(
      context,
      {
        ...before,
        ...moved,
        position: isSameDay ? before.position : nextPosition(others, moved),
        time_of_day: input.time === undefined ? before.time_of_day : `${input.time}:00`,
        action: input.action ?? before.action,
        ...channelAndTemplate(input, before),
        conditions: input.conditions === undefined ? before.conditions : storedConditions(input.conditions),
        active: input.active ?? before.active,
      },
      others,
    );
    const after = (await changeStep(context, before, changed))!;
    await followChange(context, rule, before, after);
    await deactivateWithoutSteps(context, rule);
    return stepOf(after);
  },
});

/** A new template brings its channel; an action of another kind keeps neither. */
function channelAndTemplate(
  input: {
    action?: string | undefined;
    channel?: string | null | undefined;
    template_id?: string | null | undefined;
  },
  before: { action: string; channel: string | null; template_id: string | null },
): { channel: string | null; template_id: string | null } {
  const isOther = input.action !== undefined && input.action !== before.action;
  const hasNewTemplate = typeof input.template_id === 'string' && input.template_id !== before.template_id;
  const kept = isOther ? { channel: null, template_id: null } : before;
  return {
    channel: input.channel === undefined ? (hasNewTemplate ? null : kept.channel) : input.channel,
    template_id: input.template_id === undefined ? kept.template_id : input.template_id,
  };
}
