import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requirePerson } from '../../people/index.ts';
import { insertInteraction } from '../queries.ts';
import { interactionOf, requireChargesOf, requireInteraction, requirePast } from '../resource.ts';
import { interactionArguments, interactionSchema } from '../schema.ts';

const { charge_ids, occurred_at, ...others } = interactionArguments;

export const createInteraction = operation({
  name: 'dunning_interactions_create',
  title: 'Log interaction',
  summary: 'Record a call, reply, visit or note. Sends nothing.',
  effect: 'write',
  scope: 'dunning.people',
  input: {
    person_id: id('the debtor'),
    charge_ids: charge_ids.optional(),
    ...others,
    occurred_at: occurred_at.optional(),
  },
  output: interactionSchema,
  async run(input, context) {
    const { db, organizationId, now } = context;
    await requirePerson(context, input.person_id);
    const chargeIds = [...new Set(input.charge_ids ?? [])];
    await requireChargesOf(context, input.person_id, chargeIds);
    const occurredAt = input.occurred_at ?? now.toISOString();
    requirePast(context, occurredAt);
    const interactionId = context.newId();
    await insertInteraction(
      db,
      {
        organization_id: organizationId,
        id: interactionId,
        person_id: input.person_id,
        charge_ids: chargeIds,
        kind: input.kind,
        direction: input.direction,
        outcome: input.outcome,
        summary: input.summary,
        occurred_at: occurredAt,
        created_by: context.caller.user.id,
      },
      now,
    );
    const interaction = interactionOf(await requireInteraction(context, interactionId));
    context.changed('interaction', interactionId, null, interaction);
    return interaction;
  },
});
