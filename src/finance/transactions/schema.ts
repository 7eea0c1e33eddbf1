import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const directions = ['credit', 'debit'] as const;
export const transactionSources = [
  'manual',
  'import',
  'payment',
  'settlement',
  'transfer',
  'adjustment',
] as const;

const record = {
  id: z.string(),
  account_id: z.string(),
  date: z.string(),
  direction: z.enum(directions),
  amount: moneyOut(),
  description: z.string().describe('On an imported line, as the bank wrote it.'),
  notes: z.string().nullable(),
  counterparty: z.object({ name: z.string().nullable(), document_number: z.string().nullable() }).nullable(),
  document_number: z.string().nullable(),
  bank_reference: z.string().nullable(),
  end_to_end_id: z.string().nullable(),
  category_id: z.string().nullable(),
  person_id: z.string().nullable(),
  cost_centers: z.array(z.object({ id: z.string(), percent: z.string() })),
  classified_by: z.enum(['person', 'rule']).nullable(),
  source: z.enum(transactionSources),
  import_id: z.string().nullable(),
  reconciled_amount: moneyOut(),
  reconciled: z.boolean().describe('All of the amount is, or it is a line linked as one side of a transfer.'),
  ignored: z.boolean().describe('Counts in no balance and no total.'),
  superseded_by: z.string().nullable().describe('The line of a statement that took its place.'),
  transfer_id: z.string().nullable().describe('The transfer between own accounts that it is a leg of.'),
  suspect: z.boolean().describe('Another line has its bank reference with other content.'),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

export const transactionSchema = z
  .object(record)
  .meta({ id: 'financial_transaction', description: 'An entry of a financial account.' });

export type Transaction = z.input<typeof transactionSchema>;

export const transactionDetailSchema = z
  .object({
    ...record,
    company_id: z.string(),
    currency: z.literal('BRL'),
    open_amount: moneyOut().describe('Not reconciled yet.'),
    reconciliations: z.array(
      z.object({
        id: z.string(),
        amount: moneyOut().describe('Of this entry.'),
        origin: z.string(),
        status: z.enum(['active', 'undone']),
        created_at: z.string(),
      }),
    ),
    supersedes: z.array(z.string()).describe('Entries of ours whose place this line took.'),
    transfer: z
      .object({
        id: z.string(),
        status: z.string(),
        from_account_id: z.string(),
        to_account_id: z.string(),
        other_transaction_id: z.string().nullable().describe('The other leg.'),
      })
      .nullable(),
  })
  .meta({
    id: 'financial_transaction_detail',
    description: 'An entry with its reconciliations, its transfer, and what took whose place.',
  });

/** Sums over entries that are not ignored. */
export const totalsShape = {
  credits: moneyOut(),
  debits: moneyOut(),
  net: moneyOut().describe('Credits - debits.'),
  count: z.int(),
};

export const groupFields = ['day', 'week', 'month', 'direction', 'category', 'person'] as const;

export type GroupField = (typeof groupFields)[number];

const namedKey = z.object({ id: z.string(), name: z.string() }).nullable();

export const groupSchema = z
  .object({
    keys: z
      .object({
        day: z.string().optional(),
        week: z.string().optional().describe('Its Monday.'),
        month: z.string().optional(),
        direction: z.enum(directions).optional(),
        category: namedKey.optional().describe('null: entries without one.'),
        person: namedKey.optional().describe('null: entries without one.'),
      })
      .describe('Those it was grouped by.'),
    ...totalsShape,
  })
  .meta({ id: 'financial_transaction_group', description: 'Sums of the entries that share the keys.' });

export type Group = z.input<typeof groupSchema>;
