import { operation } from '../../../core/operation.ts';
import { openEntriesOf, recurrenceOf, requireRecurrence } from '../resource.ts';
import { nextDates } from '../rules.ts';
import { recurrenceDetailSchema, recurrenceId } from '../schema.ts';

const DATES_SHOWN_MAX = 12;

export const getRecurrence = operation({
  name: 'finance_recurrences_get',
  title: 'Get recurrence',
  summary: 'One recurrence with its next dates and what it has registered that is still to come.',
  effect: 'read',
  scope: 'finance.recurrences',
  input: { id: recurrenceId() },
  output: recurrenceDetailSchema,
  async run(input, context) {
    const row = await requireRecurrence(context, input.id);
    return {
      ...recurrenceOf(row, context),
      next_dates: row.status === 'ended' ? [] : nextDates(row, row.next_number, DATES_SHOWN_MAX),
      open_entries: await openEntriesOf(context, row),
      currency: 'BRL' as const,
    };
  },
});
