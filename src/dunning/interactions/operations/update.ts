import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { updateInteraction as updateRow } from '../queries.ts';
import { interactionOf, requireChargesOf, requireInteraction, requirePast } from '../resource.ts';
import { interactionArguments, interactionSchema } from '../schema.ts';

export const updateInteraction = operation({
  name: 'dunning_interactions_update',
  title: 'Correct interaction',
  summary: 'Correct what was logged about a contact.',
  effect: 'write',
  scope: 'dunning.people',
  hints: { idempotent: true },
  input: {
    id: id('the interaction'),
    charge_ids: interactionArguments.charge_ids.optional(),
    kind: interactionArguments.kind.optional(),
    direction: interactionArguments.direction.optional(),
    outcome: interactionArguments.outcome.optional(),
    summary: interactionArguments.summary.optional(),
    occurred_at: interactionArguments.occurred_at.optional(),
  },
  output: interactionSchema,
  async run({ id: interactionId, ...changes }, context) {
    const before = await requireInteraction(context, interactionId);
    if (changes.charge_ids !== undefined) {
      await requireChargesOf(context, before.person_id, changes.charge_ids);
    }
    if (changes.occurred_at !== undefined) requirePast(context, changes.occurred_at);
    await updateRow(context.db, { ...before, ...changes }, context.now);
    const after = interactionOf(await requireInteraction(context, interactionId));
    context.changed('interaction', interactionId, interactionOf(before), after);
    return after;
  },
});
