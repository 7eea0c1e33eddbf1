import { z } from 'zod';
import { moneyOrZero, moneyOut, text } from '../../core/fields.ts';
import { chargesArgument, chargesSchema } from '../../finance/debts/index.ts';
import { cleanText } from '../../finance/schema.ts';
import { channels, STATES } from '../contact-law/index.ts';

const orders = ['interest_fine_principal', 'fine_interest_principal', 'interest_principal_fine'] as const;
const removals = ['first_installment', 'full_payment', 'accept'] as const;

const CAP_MAX = 10;

const whole = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const timeError = 'a time of day as HH:MM, 00:00 to 23:59';
const time = z.string({ error: timeError }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: timeError });
const hours = z.strictObject({ from: time, to: time });

const statesError = 'states as two capital letters, each once';
const states = z
  .array(z.enum(STATES as [string, ...string[]], { error: statesError }), { error: statesError })
  .min(1, { error: statesError })
  .max(STATES.length, { error: statesError });

const windows = z
  .array(
    z.strictObject({
      states,
      weekdays: hours.nullable().optional().describe('Monday to Friday; null: closed.'),
      saturday: hours.nullable().optional().describe('Null: closed.'),
    }),
    { error: `a list of at most ${STATES.length} windows` },
  )
  .max(STATES.length, { error: `at most ${STATES.length} windows` });

const noticeDays = z
  .array(z.strictObject({ states, days: whole(1, 120) }), { error: `a list of at most ${STATES.length}` })
  .max(STATES.length, { error: `at most ${STATES.length}` });

export const creditorFields = {
  legal_name: cleanText(200).nullable().optional(),
  document_number: text(30).nullable().optional().describe('CPF or CNPJ.'),
  address: cleanText(300).nullable().optional().describe('On one line.'),
  phone: cleanText(30).nullable().optional(),
  email: z
    .email({ error: 'an e-mail address' })
    .max(254, { error: 'an e-mail address' })
    .nullable()
    .optional(),
};

/** What may be changed of the settings. */
export const settingsFields = {
  creditor: z
    .strictObject(creditorFields)
    .optional()
    .describe('Who the debts are owed to, as letters and messages say it.'),
  default_terms: chargesArgument
    .nullable()
    .optional()
    .describe('Of new charges that say nothing of their own; null: none.'),
  payment_allocation: z.enum(orders).optional().describe('Where a partial payment goes first.'),
  interest_from: z
    .enum(['original', 'adjusted'])
    .optional()
    .describe('Late interest counts from the due date as written, or from the next business day.'),
  contact_windows: windows
    .optional()
    .describe("Replaces all. Within the law's hours only; states left out keep them."),
  email_in_contact_windows: z.boolean().optional().describe('E-mail keeps to the hours too.'),
  daily_cap_per_person: whole(1, CAP_MAX).optional().describe('Messages a debtor may get in a day.'),
  agreement_default_after_days: whole(0, 365)
    .optional()
    .describe('Days an installment may be late before its agreement breaks.'),
  promise_grace_business_days: whole(0, 30).optional().describe('Business days a promise may be late.'),
  legal: z
    .strictObject({
      prior_notice_days: noticeDays.optional().describe("Replaces all. Never fewer than the law's."),
      min_days_overdue: whole(1, 365).optional(),
      min_amount: moneyOrZero().optional(),
      removal_business_days: whole(1, 5).optional().describe('Days in which a report is removed once paid.'),
      remove_bureau_on: z.enum(removals).optional().describe('What of an agreement ends a report.'),
    })
    .optional()
    .describe('What credit-bureau reports and protests are held to.'),
};

const capFields = {
  email: whole(0, CAP_MAX).nullable().optional(),
  sms: whole(0, CAP_MAX).nullable().optional(),
  whatsapp: whole(0, CAP_MAX).nullable().optional(),
  phone: whole(0, CAP_MAX).nullable().optional(),
  letter: whole(0, CAP_MAX).nullable().optional(),
};

/** What may be changed of the notification preferences. */
export const preferenceFields = {
  channels: z
    .array(z.enum(channels), { error: `any of ${channels.join(', ')}` })
    .max(channels.length, { error: 'each channel once' })
    .optional()
    .describe('Channels in use; replaces all.'),
  sender_name: cleanText(60).nullable().optional().describe('Name that messages come from.'),
  reply_to: z
    .email({ error: 'an e-mail address' })
    .max(254, { error: 'an e-mail address' })
    .nullable()
    .optional()
    .describe('Where answers to e-mail go.'),
  language: z.enum(['pt-BR', 'en']).optional().describe('Of messages, unless the debtor has another.'),
  channel_caps: z
    .strictObject(capFields)
    .optional()
    .describe('Messages a day on one channel, within the cap per person; null: no other cap.'),
  quiet_hours: hours
    .nullable()
    .optional()
    .describe('From an evening hour to a morning one: nothing but letters is sent; null: none.'),
};

const hoursOut = z.object({ from: z.string(), to: z.string() });

export const settingsSchema = z
  .object({
    time_zone: z.string(),
    creditor: z.object({
      legal_name: z.string().nullable(),
      document_number: z.string().nullable(),
      address: z.string().nullable(),
      phone: z.string().nullable(),
      email: z.string().nullable(),
    }),
    default_terms: chargesSchema.nullable(),
    warnings: z
      .array(z.enum(['fine_above_consumer_limit', 'interest_above_one_percent_a_month']))
      .describe(
        'Of the default terms: consumers may not be charged the fine; courts may reduce the interest.',
      ),
    payment_allocation: z.enum(orders),
    interest_from: z.enum(['original', 'adjusted']),
    contact_windows: z
      .array(
        z.object({
          states: z.array(z.string()),
          weekdays: hoursOut.nullable(),
          saturday: hoursOut.nullable(),
        }),
      )
      .describe('In force, in the time of the state; never on Sundays and bank holidays.'),
    email_in_contact_windows: z.boolean(),
    daily_cap_per_person: z.int(),
    agreement_default_after_days: z.int(),
    promise_grace_business_days: z.int(),
    legal: z.object({
      prior_notice_days: z
        .array(z.object({ states: z.array(z.string()), days: z.int() }))
        .describe('In force.'),
      min_days_overdue: z.int(),
      min_amount: moneyOut(),
      removal_business_days: z.int(),
      remove_bureau_on: z.enum(removals),
    }),
    policy_version: z.string().describe('Of the law and these settings, as each contact records it.'),
    updated_by: z.string().nullable(),
    updated_at: z.string().nullable(),
    version: z.int().nullable(),
  })
  .meta({ id: 'dunning_settings', description: 'What collection is held to.' });

export const preferencesSchema = z
  .object({
    channels: z.array(z.enum(channels)),
    sender_name: z.string().nullable(),
    reply_to: z.string().nullable(),
    language: z.enum(['pt-BR', 'en']),
    daily_cap_per_person: z.int(),
    channel_caps: z.object({
      email: z.int().nullable(),
      sms: z.int().nullable(),
      whatsapp: z.int().nullable(),
      phone: z.int().nullable(),
      letter: z.int().nullable(),
    }),
    quiet_hours: hoursOut.nullable(),
    policy_version: z.string(),
    updated_at: z.string().nullable(),
    version: z.int().nullable(),
  })
  .meta({ id: 'notification_preferences', description: 'How messages go out.' });

export type SettingsRecord = z.input<typeof settingsSchema>;
export type PreferencesRecord = z.input<typeof preferencesSchema>;
export type SettingsInput = z.output<z.ZodObject<typeof settingsFields>>;
export type PreferencesInput = z.output<z.ZodObject<typeof preferenceFields>>;
