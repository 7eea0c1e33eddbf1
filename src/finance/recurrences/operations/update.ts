import { z } from 'zod';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import { paymentDetailsArgument } from '../../payables/index.ts';
import { requireRightTo } from '../kinds.ts';
import type { RecurrenceRow } from '../queries.ts';
import { at, registerDue, requireRegistrable } from '../registering.ts';
import { openEntriesOf, recurrenceOf, requireRecurrence } from '../resource.ts';
import {
  firstNumberFrom,
  requireDayFits,
  requireMoreToCome,
  requireNotEnded,
  type Template,
} from '../rules.ts';
import {
  changedRecurrenceSchema,
  countArgument,
  dayArgument,
  endDateArgument,
  nonBusinessDayArgument,
  type RecurrenceKind,
  recurrenceId,
  templateChanges,
} from '../schema.ts';
import { editedTemplate } from '../template.ts';

const changes = {
  template: z
    .strictObject({ ...templateChanges, payment_details: paymentDetailsArgument.nullable().optional() })
    .optional()
    .describe('Only what changes; null takes a value away.'),
  day: dayArgument().optional(),
  end_date: endDateArgument().nullable().optional(),
  count: countArgument().nullable().optional(),
  non_business_day: nonBusinessDayArgument().optional(),
  status: z
    .enum(['active', 'paused'])
    .optional()
    .describe('Pause it, or go on; what was missed while paused is not made up for.'),
};

export const updateRecurrence = operation({
  name: 'finance_recurrences_update',
  title: 'Update recurrence',
  summary:
    'Change a recurrence from the next occurrence on, pause or resume it. Entries registered already stay.',
  effect: 'write',
  scope: 'finance.recurrences',
  hints: { idempotent: true },
  input: { id: recurrenceId(), ...changes },
  output: changedRecurrenceSchema,
  async run({ id, ...given }, context) {
    const before = await requireRecurrence(context, id);
    requireRightTo(context, before.kind);
    requireNotEnded(before.status);
    const edited = editedRecurrence(before, given, context);
    if (given.template !== undefined) await requireRegistrable(context, edited);
    const { recurrence, registered } = await registerDue(context, before, edited, 'hold');
    return {
      recurrence: recurrenceOf(recurrence, context),
      registered,
      open_entries: await openEntriesOf(context, recurrence),
    };
  },
});

function editedRecurrence(
  before: RecurrenceRow,
  given: InputOf<typeof changes>,
  context: WriteContext,
): RecurrenceRow {
  const { template, day, end_date: endDate, count, non_business_day: nonBusinessDay, status } = given;
  requireDayFits(before, day);
  const scheduled: RecurrenceRow = {
    ...before,
    anchor_day: day ?? before.anchor_day,
    non_business_day: nonBusinessDay ?? before.non_business_day,
    // One end takes the place of the other.
    ...(endDate !== undefined && { end_date: endDate, ...(endDate !== null && { occurrences: null }) }),
    ...(count !== undefined && { occurrences: count, ...(count !== null && { end_date: null }) }),
    status: status ?? before.status,
  };
  if (endDate != null || count != null || day !== undefined)
    requireMoreToCome(scheduled, before.next_number, given);
  const isResumed = before.status === 'paused' && scheduled.status === 'active';
  const number = isResumed
    ? firstNumberFrom(scheduled, before.next_number, context.today)
    : before.next_number;
  const placed = at(scheduled, number);
  if (template === undefined) return placed;
  const kind = before.kind as RecurrenceKind;
  return {
    ...placed,
    template: editedTemplate(before.template as Template, template, kind, context.today),
    template_by: context.caller.user.id,
  };
}
