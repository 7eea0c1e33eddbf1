import { z } from 'zod';
import { date } from '../../../core/fields.ts';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import { paymentDetailsArgument } from '../../payables/index.ts';
import { requireRightTo } from '../kinds.ts';
import { insertRecurrence } from '../queries.ts';
import { registerDue, requireRegistrable } from '../registering.ts';
import { openEntriesOf, recordedRecurrence, recurrenceOf, requireRecurrence } from '../resource.ts';
import { beginningOf, requireMoreToCome } from '../rules.ts';
import {
  changedRecurrenceSchema,
  countArgument,
  dayArgument,
  endDateArgument,
  frequencies,
  nonBusinessDayArgument,
  recurrenceKinds,
  templateFields,
} from '../schema.ts';
import { templateOf } from '../template.ts';

const input = {
  kind: z.enum(recurrenceKinds),
  template: z
    .strictObject({ ...templateFields, payment_details: paymentDetailsArgument.optional() })
    .describe('What each occurrence is made of; payment details of payables only.'),
  frequency: z.enum(frequencies).describe('How often it falls due.'),
  day: dayArgument().optional(),
  start_date: date().describe(
    'The first occurrence is on it, or on the first `day` after it; from today on.',
  ),
  end_date: endDateArgument().optional(),
  count: countArgument().optional(),
  non_business_day: nonBusinessDayArgument().default('keep'),
};

export const createRecurrence = operation({
  name: 'finance_recurrences_create',
  title: 'Create recurrence',
  summary: 'Register a bill or income again and again, on the same day; occurrences appear 60 days ahead.',
  effect: 'write',
  scope: 'finance.recurrences',
  dryRun: true,
  input,
  output: changedRecurrenceSchema,
  async run(given, context) {
    requireRightTo(context, given.kind);
    const id = await insertNew(context, given);
    const before = await requireRecurrence(context, id);
    context.changed('recurrence', id, null, recordedRecurrence(before));
    await requireRegistrable(context, before);
    const { recurrence, registered } = await registerDue(context, before, before, 'raise');
    return {
      recurrence: recurrenceOf(recurrence, context),
      registered,
      open_entries: await openEntriesOf(context, recurrence),
    };
  },
});

async function insertNew(context: WriteContext, given: InputOf<typeof input>): Promise<string> {
  const beginning = beginningOf(given, context.today);
  const series = {
    ...beginning,
    frequency: given.frequency,
    end_date: given.end_date ?? null,
    occurrences: given.count ?? null,
    non_business_day: given.non_business_day,
  };
  requireMoreToCome(series, 0, given);
  const id = context.newId();
  const userId = context.caller.user.id;
  await insertRecurrence(
    context.db,
    {
      workspace_id: context.workspaceId,
      id,
      kind: given.kind,
      template: templateOf(given.template, given.kind, context.today),
      ...series,
      next_number: 0,
      next_on: series.start_date,
      held_by: null,
      status: 'active',
      end_reason: null,
      template_by: userId,
      created_by: userId,
    },
    context.now,
  );
  return id;
}
