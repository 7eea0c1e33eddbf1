import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { type StepRow, selectSteps } from '../queries.ts';
import { requireLiveRule, stepOf } from '../resource.ts';
import { STEPS_MAX, stepSchema } from '../schema.ts';
import { changeStep } from '../steps.ts';

export const reorderSteps = operation({
  name: 'dunning_collection_rule_steps_reorder',
  title: 'Reorder steps of a day',
  summary: 'Order the steps of a rule that share a day; those of the same time run in this order.',
  effect: 'write',
  scope: 'dunning.collection_rules',
  hints: { idempotent: true },
  input: {
    rule_id: id('the rule'),
    ids: z
      .array(id('the step'), { error: `a list of 1 to ${STEPS_MAX} ids` })
      .min(1, { error: 'at least one id' })
      .max(STEPS_MAX, { error: `at most ${STEPS_MAX} ids` })
      .describe('All steps of one day, in their new order.'),
  },
  output: z.object({ items: z.array(stepSchema) }),
  async run(input, context) {
    const { db, organizationId } = context;
    const rule = await requireLiveRule(context, input.rule_id);
    const day = stepsOfDay(await selectSteps(db, organizationId, [rule.id]), input.ids);
    for (const [position, step] of day.entries()) {
      if (step.position !== position) await changeStep(context, step, { ...step, position });
    }
    const order = new Map(input.ids.map((stepId, position) => [stepId, position]));
    const after = await selectSteps(db, organizationId, [rule.id]);
    const items = after
      .filter((step) => order.has(step.id))
      .sort((left, right) => order.get(left.id)! - order.get(right.id)!);
    return { items: items.map(stepOf) };
  },
});

/** The steps in the order asked for. Fails with `invalid_argument` unless they are all the steps of one day. */
function stepsOfDay(steps: readonly StepRow[], ids: readonly string[]): StepRow[] {
  const first = steps.find((step) => step.id === ids[0]);
  const day = steps.filter(
    (step) => step.offset_days === first?.offset_days && step.day_kind === first.day_kind,
  );
  const asked = ids.map((stepId) => day.find((step) => step.id === stepId));
  const known = asked.filter((step) => step !== undefined);
  if (new Set(known).size !== day.length || known.length !== ids.length) {
    failArgument('ids', 'every step of one day of the rule, each once');
  }
  return known;
}
