import { z } from 'zod';
import { civilDateAt } from '../../../core/dates.ts';
import { onDate, ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { deleteInteraction as deleteRow } from '../queries.ts';
import { interactionOf, requireInteraction } from '../resource.ts';

export const deleteInteraction = operation({
  name: 'dunning_interactions_delete',
  title: 'Delete interaction',
  titlePortuguese: 'Apagar interação',
  summary: 'Remove one logged contact.',
  effect: 'destructive',
  scope: 'dunning.people',
  input: { id: id('the interaction') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await requireInteraction(context, input.id);
    return [
      outside('person', 'Devedor', 'Debtor', row.person_name),
      ours('kind', 'Tipo', 'Kind', row.kind),
      onDate('on', 'Data', 'Date', civilDateAt(new Date(row.occurred_at), context.timeZone)),
      outside('summary', 'Resumo', 'Summary', row.summary),
    ];
  },
  async run(input, context) {
    const row = await requireInteraction(context, input.id);
    await deleteRow(context.db, context.organizationId, input.id);
    context.changed('interaction', input.id, interactionOf(row), null);
    return { id: input.id, deleted: true as const };
  },
});
