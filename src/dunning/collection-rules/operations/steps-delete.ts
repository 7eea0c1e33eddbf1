import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { deactivateWithoutSteps } from '../detail.ts';
import { skipPlannedOfStep } from '../execution-queries.ts';
import { ruleFacts, stepFacts } from '../facts.ts';
import { requireStep } from '../resource.ts';
import { changeStep } from '../steps.ts';

export const deleteStep = operation({
  name: 'dunning_collection_rule_steps_delete',
  title: 'Delete step of a collection rule',
  titlePortuguese: 'Excluir etapa da régua',
  summary: 'Remove a step; what is planned of it does not run, what ran stays on record.',
  effect: 'destructive',
  scope: 'dunning.collection_rules',
  input: { id: id('the step') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const { rule, step } = await requireStep(context, input.id);
    return [...ruleFacts(rule), ...(await stepFacts(context, step))];
  },
  async run(input, context) {
    const { rule, step } = await requireStep(context, input.id);
    const { db, organizationId, now } = context;
    await changeStep(context, step, { ...step, active: false, deleted_at: now.toISOString() });
    await skipPlannedOfStep(db, organizationId, step.id, now);
    await deactivateWithoutSteps(context, rule);
    return { id: step.id, deleted: true as const };
  },
});
