import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { MONTHS_DEFAULT, MONTHS_MAX } from './rules.ts';

export const monthsArgument = z
  .int()
  .min(1)
  .max(MONTHS_MAX)
  .default(MONTHS_DEFAULT)
  .describe('Months back, the current one included.');

/** What every answer begins with: the day it was made and its unit. */
const heading = { as_of: z.string().describe('The day it was computed.'), currency: z.literal('BRL') };

const windowOut = {
  months: z.int(),
  from: z.string(),
  to: z.string().describe('Today: the current month is not over.'),
};

const percentOut = () => z.string().nullable().describe('Percent; null of nothing.');

const recovered = { amount: moneyOut(), payments: z.int() };

const meanDays = z
  .object({
    days: z.string().nullable(),
    principal: moneyOut().describe('The weight.'),
  })
  .describe('From due date to payment, weighted by principal; null without payments.');

export const recoverySchema = z
  .object({
    ...heading,
    filter: z.object({ ...windowOut, person_id: z.string().nullable() }),
    recovered: z
      .object(recovered)
      .describe(
        'Principal, fine and interest paid after the adjusted due date, on charges and installments.',
      ),
    still_overdue: z
      .object({ amount: moneyOut(), charges: z.int(), installments: z.int() })
      .describe('Open principal of overdue charges, and overdue installments, today.'),
    recovery_rate: z
      .object({
        percent: percentOut(),
        recovered: moneyOut(),
        recovered_and_overdue: moneyOut(),
      })
      .describe('recovered / (recovered + still overdue).'),
    average_days_overdue: meanDays,
    average_steps: z
      .object({ steps: z.string().nullable(), steps_total: z.int(), first_payments: z.int() })
      .describe('Steps of collection rules done before the first payment of a charge.'),
    by_month: z.array(
      z.object({
        month: z.string(),
        is_partial: z.boolean().describe('The current month.'),
        ...recovered,
        average_days_overdue: meanDays,
      }),
    ),
    by_method: z.array(z.object({ method: z.string(), ...recovered, percent: percentOut() })),
    by_channel: z
      .array(z.object({ channel: z.string(), ...recovered, percent: percentOut() }))
      .describe('Of the last message delivered in the 7 days before the payment, else "none".'),
  })
  .meta({
    id: 'recovery_metrics',
    description: 'What was recovered of overdue debts, and what is still overdue.',
  });

const sums = {
  charges: z.int(),
  open_principal: moneyOut(),
  amount_due: moneyOut().describe('Today, with fine, interest and discount.'),
};

const part = z.object(sums);

export const overviewSchema = z
  .object({
    ...heading,
    filter: z.object({ person_id: z.string().nullable() }),
    open: part.describe('Pending and overdue.'),
    not_yet_due: part,
    overdue: part.describe('Past the adjusted due date.'),
    in_agreement: z.object({
      charges: z.int(),
      open_principal: moneyOut(),
      agreements: z.int().describe('Accepted or active.'),
      installments_open: moneyOut(),
      installments_overdue: moneyOut().describe('Of those open.'),
    }),
    disputed: part.describe('Of those open.'),
    in_legal_action: z
      .object({ ...sums, negativations: z.int(), protests: z.int() })
      .describe('Of those open; asked for, under way, reported or protested.'),
  })
  .meta({ id: 'portfolio_metrics', description: 'The portfolio today.' });

const agingSums = {
  not_yet_due: part,
  overdue: part,
  total: part,
  bands: z.array(z.object({ from_days: z.int(), to_days: z.int().nullable(), ...sums })),
};

export const groupings = ['person', 'collection_rule', 'person_kind', 'state'] as const;

export const agingSchema = z
  .object({
    ...heading,
    filter: z.object({ bands: z.array(z.int()), group_by: z.enum(groupings).nullable() }),
    ...agingSums,
    groups: z
      .array(
        z.object({
          key: z.string().nullable().describe('Id or value; null where there is none.'),
          name: z.string().nullable(),
          ...agingSums,
        }),
      )
      .describe('Largest open principal first; empty without `group_by`.'),
    groups_count: z.int().describe('Of all groups, also those not shown.'),
  })
  .meta({
    id: 'dunning_aging',
    description: 'Open charges by days from the due date; those in agreements left out.',
  });

const messages = {
  sent: z.int(),
  delivered: z.int(),
  read: z.int(),
  failed: z.int().describe('Failed or came back.'),
  delivery_rate: percentOut().describe('delivered / sent, percent.'),
  read_rate: percentOut().describe('read / delivered, percent.'),
};

const after = {
  payments: z.int().describe('Recovered ones of the months, within 7 days of a message delivered.'),
  amount: moneyOut(),
  payment_rate: percentOut().describe('payments / delivered, percent.'),
};

export const channelsSchema = z
  .object({
    ...heading,
    filter: z.object(windowOut),
    channels: z.array(z.object({ channel: z.string(), ...messages, ...after })),
    without_message: z.object(recovered).describe('Recovered without a message delivered before.'),
  })
  .meta({ id: 'channel_metrics', description: 'Messages sent in the months, and what was paid after them.' });

const stepFigures = {
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
  scheduled: z.int(),
  messages: z.object(messages),
  ...after,
};

export const rulesSchema = z
  .object({
    ...heading,
    filter: z.object({ ...windowOut, rule_id: z.string().nullable() }),
    rules: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          ...stepFigures,
          steps: z.array(
            z.object({
              id: z.string(),
              offset_days: z.int(),
              action: z.string(),
              channel: z.string().nullable(),
              ...stepFigures,
            }),
          ),
        }),
      )
      .describe('Most steps first, each with its steps in order.'),
    rules_count: z.int().describe('Of all rules with steps in the months, also those not shown.'),
  })
  .meta({
    id: 'rule_metrics',
    description: 'What the steps of collection rules did, and what was paid after them.',
  });
