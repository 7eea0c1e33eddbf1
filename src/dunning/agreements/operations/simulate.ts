import { z } from 'zod';
import { addDays } from '../../../core/dates.ts';
import { failArgument } from '../../../core/errors.ts';
import { date, id, moneyOrZero, moneyOut } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireCampaign } from '../../campaigns/index.ts';
import { debtOf } from '../proposing.ts';
import { chargeIdsArgument, downPayment, installmentCount } from '../schema.ts';
import { optionsOf, shownDebt, shownSchedule } from '../simulating.ts';

const DAYS_AHEAD_MAX = 366;

export const simulateAgreement = operation({
  name: 'dunning_agreements_simulate',
  title: 'Simulate agreement',
  summary: 'What charges come to, and how they could be paid in up to so many installments. Nothing is kept.',
  effect: 'read',
  scope: 'dunning.agreements',
  input: {
    charge_ids: chargeIdsArgument(),
    as_of: date().optional().describe('The day to reckon for, from today on; default: today.'),
    discount: moneyOrZero()
      .optional()
      .describe('Off the debt; with a campaign at most, and by default, what it allows.'),
    down_payment: downPayment().optional(),
    valid_until: date().optional().describe('Last day to accept it; default: `as_of`.'),
    installments: installmentCount().describe('Monthly ones at most, without the down payment.'),
    first_due_date: date().describe('Of the first monthly one.'),
    campaign_id: id('the campaign that gives the discount').optional(),
  },
  output: z.object({
    as_of: z.string(),
    original_total: moneyOut(),
    charges: z.array(
      z.object({ charge_id: z.string(), principal: moneyOut(), interest: moneyOut(), fine: moneyOut() }),
    ),
    options: z
      .array(
        z.object({
          installments: z.int(),
          discount: moneyOut(),
          negotiated_total: moneyOut(),
          installment: moneyOut().describe('The largest of the monthly ones.'),
          last_due_date: z.string(),
        }),
      )
      .describe('For one installment, two, and so on.'),
    schedule: z
      .array(z.object({ number: z.int(), due_date: z.string(), amount: moneyOut() }))
      .describe('Of the last option.'),
    currency: z.literal('BRL'),
  }),
  async run(input, context) {
    const { as_of: on = context.today } = input;
    const last = addDays(context.today, DAYS_AHEAD_MAX);
    if (on < context.today || on > last) failArgument('as_of', `a date from ${context.today} to ${last}`);
    const debt = await debtOf(context, input.charge_ids, { on });
    const campaign =
      input.campaign_id === undefined ? null : await requireCampaign(context, input.campaign_id);
    const options = optionsOf({ ...input, on, debt, campaign }, context.today);
    return { as_of: on, ...shownDebt(debt), ...shownSchedule(options), currency: 'BRL' as const };
  },
});
