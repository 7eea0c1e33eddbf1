import { z } from 'zod';
import { id, money, moneyOut, text } from '../../core/fields.ts';
import { cleanOutsideText } from '../../core/text.ts';

/** Steps of one rule. */
export const STEPS_MAX = 60;
/** Calendar or business days; the end of the scale is what the database holds. */
export const OFFSET_MIN = -365;
export const OFFSET_MAX = 1_825;
const TAGS_MAX = 20;

export const dayKinds = ['calendar', 'business'] as const;
export const stepActions = ['message', 'task', 'suggest_negativation', 'suggest_protest'] as const;
export const stepChannels = ['email', 'sms', 'whatsapp', 'letter', 'phone'] as const;
export const executionStatuses = ['scheduled', 'done', 'skipped', 'failed'] as const;
export const personKinds = ['natural', 'legal'] as const;

export type DayKind = (typeof dayKinds)[number];
export type StepAction = (typeof stepActions)[number];
export type StepChannel = (typeof stepChannels)[number];

const offsetError = `a whole number from ${OFFSET_MIN} to ${OFFSET_MAX}`;
const timeError = 'a time of day as HH:MM';

const shortText = (max: number) =>
  text(max)
    .transform((value) => cleanOutsideText(value, max))
    .refine((value) => value !== '', { error: `text of 1 to ${max} characters` });

export const ruleNameArgument = () => shortText(120);
export const descriptionArgument = () => shortText(1_000).describe('What the rule is for.');
export const noteArgument = () => shortText(300);

export const conditionsArgument = () =>
  z
    .strictObject({
      amount_min: money().optional(),
      amount_max: money().optional(),
      person_kind: z.enum(personKinds).optional(),
      tags: z
        .array(shortText(60))
        .min(1, { error: 'at least one tag' })
        .max(TAGS_MAX, { error: `at most ${TAGS_MAX} tags` })
        .optional()
        .describe('The charge or the debtor has one of them.'),
    })
    .meta({ id: 'collection_conditions', description: 'Which charges it is for; all of them by default.' });

export type ConditionsInput = z.output<ReturnType<typeof conditionsArgument>>;

export const offsetArgument = () =>
  z
    .int({ error: offsetError })
    .min(OFFSET_MIN, { error: offsetError })
    .max(OFFSET_MAX, { error: offsetError })
    .describe(
      'Days from the due date, negative before it; after it they count from the next business day of the due date.',
    );
export const dayKindArgument = () => z.enum(dayKinds).describe('Which days the offset counts.');
export const timeArgument = () =>
  z
    .string({ error: timeError })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: timeError })
    .describe("HH:MM in the debtor's state; moved to when contact is allowed.");
export const actionArgument = () =>
  z.enum(stepActions).describe('Suggestions and tasks only appear in dunning_step_executions_list.');
export const channelArgument = () =>
  z.enum(stepChannels).describe("Default: the template's; `phone` for tasks only.");
export const templateArgument = () =>
  id('the template').describe('Required for messages, and only for them.');

const shownConditions = z.object({
  amount_min: moneyOut().nullable(),
  amount_max: moneyOut().nullable(),
  person_kind: z.enum(personKinds).nullable(),
  tags: z.array(z.string()),
});

export const ruleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    conditions: shownConditions,
    is_default: z.boolean().describe('Suggested for new charges; applied to none by itself.'),
    status: z.enum(['active', 'inactive', 'archived']),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'collection_rule', description: 'Which message or task comes when.' });

export const ruleDetailSchema = ruleSchema.extend({
  steps: z.int().describe('Steps in use.'),
  charges: z.int().describe('Charges it works on now.'),
});

export const stepSchema = z
  .object({
    id: z.string(),
    rule_id: z.string(),
    position: z.int().describe('Among the steps of the same day.'),
    offset_days: z.int(),
    day_kind: z.enum(dayKinds),
    time: z.string(),
    action: z.enum(stepActions),
    channel: z.enum(stepChannels).nullable(),
    template_id: z.string().nullable(),
    conditions: shownConditions,
    active: z.boolean(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'collection_step', description: 'One step of a collection rule.' });

export const executionSchema = z
  .object({
    id: z.string(),
    charge_id: z.string(),
    person_id: z.string(),
    rule_id: z.string(),
    step_id: z.string(),
    cycle: z.int().describe('Counts up when the charge opens again.'),
    action: z.enum(stepActions),
    channel: z.enum(stepChannels).nullable(),
    date: z.string().describe('The day the step falls on.'),
    due_at: z.string().describe('When it may run.'),
    status: z.enum(executionStatuses),
    skipped_reason: z.string().nullable().describe('Why it did not run; `manual`: a person skipped it.'),
    note: z.string().nullable().describe('What that person wrote.'),
    notification_id: z.string().nullable(),
    done_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'step_execution', description: 'One step of a rule, for one charge.' });

export type Rule = z.input<typeof ruleSchema>;
export type RuleDetail = z.input<typeof ruleDetailSchema>;
export type Step = z.input<typeof stepSchema>;
export type Execution = z.input<typeof executionSchema>;
