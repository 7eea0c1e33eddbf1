import { z } from 'zod';
import { moneyOut, moneyText } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requirePerson } from '../../people/index.ts';
import { endingFacts } from '../facts.ts';
import { kinds, requireRightTo } from '../kinds.ts';
import { changeRecurrence, findOpenEntries, recurrenceOf, requireRecurrence } from '../resource.ts';
import { requireNotEnded, type Template } from '../rules.ts';
import { type RecurrenceKind, recurrenceId, recurrenceSchema } from '../schema.ts';

/** For people, on each entry that is canceled. */
const CANCELED_REASON = 'Recorrência encerrada';

export const endRecurrence = operation({
  name: 'finance_recurrences_end',
  title: 'End recurrence',
  titlePortuguese: 'Encerrar recorrência',
  summary: 'Stop a recurrence for good and, if asked to, cancel its open entries that are due after today.',
  effect: 'destructive',
  scope: 'finance.recurrences',
  input: {
    id: recurrenceId(),
    cancel_open: z
      .boolean()
      .default(false)
      .describe('Cancel what it registered that is due after today, without settlement, order or charge.'),
  },
  output: z.object({
    recurrence: recurrenceSchema,
    canceled: z.object({ ids: z.array(z.string()), total: moneyOut() }),
  }),
  async question(input, context) {
    const row = await prepareEnd(input, context);
    const person = await requirePerson(context, (row.template as Template).personId);
    const canceled = input.cancel_open ? await findOpenEntries(context, row) : null;
    return endingFacts(row, person.name, canceled);
  },
  async run(input, context) {
    const before = await prepareEnd(input, context);
    const { ids, cents } = input.cancel_open ? await findOpenEntries(context, before) : { ids: [], cents: 0 };
    for (const id of ids) await kinds[before.kind as RecurrenceKind].cancel(context, id, CANCELED_REASON);
    const recurrence =
      before.status === 'ended'
        ? before
        : await changeRecurrence(context, before, {
            ...before,
            status: 'ended',
            end_reason: 'stopped',
            next_on: null,
            held_by: null,
          });
    return { recurrence: recurrenceOf(recurrence, context), canceled: { ids, total: moneyText(cents) } };
  },
});

/** One that has run its course may still have entries to cancel. */
async function prepareEnd(input: { id: string; cancel_open: boolean }, context: Context) {
  const row = await requireRecurrence(context, input.id);
  requireRightTo(context, row.kind);
  if (!input.cancel_open) requireNotEnded(row.status);
  return row;
}
