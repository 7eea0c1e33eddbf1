import { z } from 'zod';
import { id } from '../../core/fields.ts';
import { cleanText } from '../schema.ts';

export const RULES_MAX = 500;

export const ruleMatches = ['contains', 'equals'] as const;
export const ruleScopes = ['transactions', 'documents', 'all'] as const;
export const paymentMethods = ['boleto', 'pix', 'ted', 'cash', 'card', 'debit', 'other'] as const;

const positionError = `a whole number from 1 to ${RULES_MAX}`;

export const patternArgument = () =>
  cleanText(200).describe('Part of the description, or all of it; letter case and accents do not matter.');
export const matchArgument = () => z.enum(ruleMatches).describe('How the pattern is compared.');
export const scopeArgument = () =>
  z.enum(ruleScopes).describe('Entries of accounts, payables and receivables, or both.');
export const positionArgument = () =>
  z
    .int({ error: positionError })
    .min(1, { error: positionError })
    .max(RULES_MAX, { error: positionError })
    .describe('Place in the order, from 1; the first rule that matches wins. Those behind it move.');

/** What a rule gives, each of them at will. */
export const setFields = {
  category_id: id('a category without children').optional(),
  person_id: id('the supplier or customer').optional().describe('For entries of accounts.'),
  cost_center_id: id('the cost center that takes all of it').optional(),
  payment_method: z.enum(paymentMethods).optional().describe('How it is usually paid.'),
  notes: cleanText(1_000).optional().describe('For entries of accounts.'),
};

export const ruleSchema = z
  .object({
    id: z.string(),
    position: z.int(),
    pattern: z.string(),
    match: z.enum(ruleMatches),
    scope: z.enum(ruleScopes),
    set: z.object({
      category_id: z.string().nullable(),
      person_id: z.string().nullable(),
      cost_center_id: z.string().nullable(),
      payment_method: z.enum(paymentMethods).nullable(),
      notes: z.string().nullable(),
    }),
    active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'automatic_rule', description: 'A pattern of text that classifies new entries.' });

export type Rule = z.input<typeof ruleSchema>;

export const classifiedSchema = z
  .object({
    kind: z.enum(['financial_transaction', 'payable', 'receivable']),
    id: z.string(),
    rule_id: z.string(),
    date: z.string().describe('Of the entry; of a document, when it is due.'),
    description: z.string(),
    set: z.object({
      category_id: z.string().optional(),
      person_id: z.string().optional(),
      cost_center_id: z.string().optional(),
      notes: z.string().optional(),
    }),
  })
  .meta({ id: 'automatic_rule_change', description: 'What a rule gives to an entry that had none.' });

export type Classified = z.input<typeof classifiedSchema>;
