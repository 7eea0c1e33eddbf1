import { z } from 'zod';
import { date, id, money, moneyOut, percent, text } from '../../core/fields.ts';

const DAYS_MAX = 3_650;
const INSTALLMENTS_MAX = 120;
const TIERS_MAX = 20;
const TAGS_MAX = 20;

/** `charges` are fine and interest together. */
export const discountBases = ['charges', 'principal'] as const;
export const campaignStatuses = ['scheduled', 'active', 'ended'] as const;

export type DiscountBase = (typeof discountBases)[number];
export type CampaignStatus = (typeof campaignStatuses)[number];

const days = () => {
  const error = `a whole number of days from 0 to ${DAYS_MAX}`;
  return z.int({ error }).min(0, { error }).max(DAYS_MAX, { error });
};

const count = () => {
  const error = `a whole number from 1 to ${INSTALLMENTS_MAX}`;
  return z.int({ error }).min(1, { error }).max(INSTALLMENTS_MAX, { error });
};

const tagsError = `1 to ${TAGS_MAX} tags`;

export const conditionsArgument = z
  .strictObject({
    days_overdue_from: days().default(1).describe('0 takes in charges not due yet.'),
    days_overdue_to: days().optional(),
    amount_min: money().optional().describe('Of the open principal.'),
    amount_max: money().optional(),
    tags: z
      .array(text(50))
      .min(1, { error: tagsError })
      .max(TAGS_MAX, { error: tagsError })
      .optional()
      .describe('Any of them.'),
  })
  .describe('Which charges may have the discount.');

const tiersError = `1 to ${TIERS_MAX} tiers`;

export const tiersArgument = z
  .array(
    z.strictObject({
      installments_up_to: count().describe('Installments, a down payment included.'),
      discount_percent: percent().refine((value) => value > 0 && value <= 1_000_000, {
        error: 'a percentage above 0, up to 100',
      }),
      applies_to: z.enum(discountBases).describe('`charges`: fine and interest; or the principal.'),
    }),
  )
  .min(1, { error: tiersError })
  .max(TIERS_MAX, { error: tiersError })
  .describe(
    'What an agreement may have off at most, by its number of installments; one tier of each kind adds up.',
  );

export const periodArguments = {
  starts_on: date().describe('First day; from today on.'),
  ends_on: date().describe('Last day.'),
};

export const campaignId = () => id('the discount campaign');

const conditions = z.object({
  days_overdue_from: z.int(),
  days_overdue_to: z.int().nullable(),
  amount_min: moneyOut().nullable(),
  amount_max: moneyOut().nullable(),
  tags: z.array(z.string()),
});

const tiers = z.array(
  z.object({
    installments_up_to: z.int(),
    discount_percent: z.string(),
    applies_to: z.enum(discountBases),
  }),
);

const record = {
  id: z.string(),
  name: z.string(),
  notes: z.string().nullable(),
  starts_on: z.string(),
  ends_on: z.string(),
  conditions,
  tiers,
  status: z.enum(campaignStatuses),
  ended_at: z.string().nullable().describe('When it was ended before its last day.'),
  ended_reason: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

export const campaignSchema = z
  .object(record)
  .meta({ id: 'campaign', description: 'A discount that agreements may give for a while.' });

export type Campaign = z.input<typeof campaignSchema>;

export const campaignDetailSchema = z
  .object({
    ...record,
    results: z
      .object({
        proposed: z.int(),
        live: z.int().describe('Accepted, not at their end.'),
        completed: z.int(),
        broken: z.int(),
        refused: z.int().describe('Rejected, expired or canceled.'),
        original_total: moneyOut().describe('Debt in the agreements accepted.'),
        discount_total: moneyOut().describe('Discount of those live or completed.'),
        paid_total: moneyOut().describe('Paid on their installments so far.'),
      })
      .describe('What came of its agreements.'),
    currency: z.literal('BRL'),
  })
  .meta({ id: 'campaign_detail', description: 'A campaign with what came of it.' });

/** What may be had, were everybody to make an agreement. */
export const reachSchema = z.object({
  charges: z.int(),
  people: z.int(),
  principal: moneyOut(),
  fine_and_interest: moneyOut().describe('As of today.'),
  options: z
    .array(z.object({ installments_up_to: z.int(), discount: moneyOut(), left: moneyOut() }))
    .describe('What it would cost at most, if all of them took so many installments.'),
  largest: z
    .array(
      z.object({
        charge_id: z.string(),
        person: z.object({ id: z.string(), name: z.string() }),
        open_principal: moneyOut(),
        due_date: z.string(),
      }),
    )
    .describe('The ten largest.'),
  currency: z.literal('BRL'),
});
