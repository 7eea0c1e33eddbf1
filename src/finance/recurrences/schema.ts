import { z } from 'zod';
import { date, id, moneyOut } from '../../core/fields.ts';
import {
  changeArguments,
  chargesArgument,
  chargesSchema,
  type DebtWords,
  newArguments,
} from '../debts/index.ts';

/** Occurrences are registered this long before they are due, in days. */
export const HORIZON_DAYS = 60;

export const recurrenceKinds = ['payable', 'receivable'] as const;
export const frequencies = ['weekly', 'monthly', 'yearly'] as const;
export const nonBusinessDays = ['keep', 'next', 'previous'] as const;
export const recurrenceStatuses = ['active', 'paused', 'ended'] as const;

export type RecurrenceKind = (typeof recurrenceKinds)[number];
export type Frequency = (typeof frequencies)[number];
export type NonBusinessDay = (typeof nonBusinessDays)[number];

const COUNT_MAX = 600;
const countError = `a whole number from 1 to ${COUNT_MAX}`;
const dayError = 'a day of the month from 1 to 31';

const words: DebtWords = {
  company: 'the company that owes or is owed',
  person: 'the supplier or customer',
  category: 'a category without children, of expense for payables and income for receivables',
  plannedAccount: 'the account it is meant to move',
  lookalike: 'the record that looks alike and is another one',
  description: 'What is paid or charged for.',
  competence: 'Month it belongs to.',
  withholdings: 'Taxes withheld.',
  plannedDate: 'When it is meant to be paid.',
  installments: 'Splits the amount.',
  search: 'Description.',
};

/** A discount has a date of its own, so nothing that repeats can have one. */
const recurringCharges = chargesArgument
  .omit({ discounts: true })
  .meta({ id: 'recurring_charges_input', description: 'Fine and interest; values in reais or percent.' });

const {
  company_id,
  person_id,
  description,
  amount,
  document_number,
  category_id,
  cost_centers,
  withholdings,
  abatement,
  planned_account_id,
} = newArguments(words);

/** What each occurrence is made of. */
export const templateFields = {
  company_id,
  person_id,
  description,
  amount: amount.describe('Face value of each occurrence.'),
  document_number: document_number.describe(
    'Contract or document; the third occurrence gets "/3" behind it.',
  ),
  category_id,
  cost_centers,
  withholdings,
  abatement,
  charges: recurringCharges.optional(),
  planned_account_id,
};

const changing = changeArguments(words);

/** What may change of it. */
export const templateChanges = {
  company_id: company_id.optional(),
  person_id: changing.person_id,
  description: changing.description,
  amount: changing.amount,
  document_number: changing.document_number,
  category_id: changing.category_id,
  cost_centers: changing.cost_centers,
  withholdings: changing.withholdings,
  abatement: changing.abatement,
  charges: recurringCharges.nullable().optional(),
  planned_account_id: changing.planned_account_id,
};

export const dayArgument = () =>
  z
    .int({ error: dayError })
    .min(1, { error: dayError })
    .max(31, { error: dayError })
    .describe('Day of the month; shorter months use their last day. Not for weekly ones.');

export const countArgument = () =>
  z
    .int({ error: countError })
    .min(1, { error: countError })
    .max(COUNT_MAX, { error: countError })
    .describe('Occurrences in all; or `end_date`.');

export const endDateArgument = () =>
  date().describe('No occurrence after it; or `count`. Neither: until ended.');

export const nonBusinessDayArgument = () =>
  z
    .enum(nonBusinessDays)
    .describe(
      'When a date is a weekend or bank holiday: keep it, or move it to the next or previous business day.',
    );

export const recurrenceId = () => id('the recurrence');

const record = {
  id: z.string(),
  kind: z.enum(recurrenceKinds),
  template: z.object({
    company_id: z.string(),
    person_id: z.string(),
    description: z.string(),
    amount: moneyOut(),
    document_number: z.string().nullable(),
    category_id: z.string().nullable(),
    cost_centers: z.array(z.object({ id: z.string(), percent: z.string() })),
    withholdings: z.array(z.object({ kind: z.string(), amount: moneyOut() })),
    abatement: moneyOut(),
    charges: chargesSchema.nullable(),
    payment_details: z.record(z.string(), z.unknown()).nullable(),
    planned_account_id: z.string().nullable(),
  }),
  frequency: z.enum(frequencies),
  day: z.int().nullable().describe('null for weekly ones.'),
  start_date: z.string(),
  end_date: z.string().nullable(),
  count: z.int().nullable(),
  non_business_day: z.enum(nonBusinessDays),
  status: z.enum(recurrenceStatuses),
  end_reason: z.enum(['completed', 'stopped']).nullable(),
  next_number: z.int().nullable().describe('Of the next occurrence to be registered, from 1.'),
  next_date: z.string().nullable().describe('Of that occurrence, before it is moved to a business day.'),
  held_by: z
    .string()
    .nullable()
    .describe('The error code that keeps it from being registered, tried every day.'),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

export const recurrenceSchema = z
  .object(record)
  .meta({ id: 'recurrence', description: 'What registers a payable or a receivable again and again.' });

export type Recurrence = z.input<typeof recurrenceSchema>;

export const openEntriesSchema = z
  .object({ count: z.int(), total: moneyOut() })
  .describe('Registered already, due after today, open, without settlement, order or charge.');

export const recurrenceDetailSchema = z
  .object({
    ...record,
    next_dates: z
      .array(z.object({ number: z.int(), date: z.string(), due_date: z.string() }))
      .describe('Not registered yet; at most twelve.'),
    open_entries: openEntriesSchema,
    currency: z.literal('BRL'),
  })
  .meta({ id: 'recurrence_detail', description: 'A recurrence with its next dates.' });

/** What creating and updating answer. */
export const changedRecurrenceSchema = z.object({
  recurrence: recurrenceSchema,
  registered: z
    .array(z.object({ id: z.string(), number: z.int(), due_date: z.string(), amount: moneyOut() }))
    .describe(`Occurrences due within ${HORIZON_DAYS} days, registered now.`),
  open_entries: openEntriesSchema,
});
