import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const transferMethods = ['internal', 'pix', 'ted'] as const;
export const transferStatuses = ['pending', 'confirmed', 'failed', 'canceled'] as const;
export const registrationStatuses = [
  'none',
  'pending',
  'requested',
  'confirmed',
  'rejected',
  'failed',
  'unknown',
] as const;

export const transferSchema = z
  .object({
    id: z.string(),
    from_account_id: z.string(),
    to_account_id: z.string(),
    amount: moneyOut(),
    currency: z.literal('BRL'),
    date: z.string().describe('The day it is for; the entries bear the day the bank made it.'),
    method: z.enum(transferMethods),
    description: z.string().nullable(),
    origin: z
      .enum(['ordered', 'linked'])
      .describe('`linked`: two lines of statements declared one transfer.'),
    status: z.enum(transferStatuses).describe('The accounts are moved only at `confirmed`.'),
    registration_status: z
      .enum(registrationStatuses)
      .describe(
        'Whether the bank has taken it; `unknown` = it may have, and is being asked; `none` = no bank.',
      ),
    bank_reference: z.string().nullable(),
    bank_settled_on: z.string().nullable(),
    rejected_reason: z.string().nullable(),
    cancel_reason: z.string().nullable(),
    cancel_requested_at: z.string().nullable().describe('Final only when `status` is `canceled`.'),
    debit_transaction_id: z.string().nullable(),
    credit_transaction_id: z.string().nullable(),
    next_step: z.string().nullable().describe('What to do now, where that is not plain.'),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'transfer', description: 'Money moved between two accounts of the workspace.' });

export type Transfer = z.infer<typeof transferSchema>;

export const transferLegSchema = z.object({
  id: z.string(),
  account_id: z.string(),
  date: z.string(),
  amount: moneyOut(),
  description: z.string(),
  source: z.string().describe('`import` once a line of the statement is the leg.'),
});

export const transferDetailSchema = transferSchema
  .extend({ debit: transferLegSchema.nullable(), credit: transferLegSchema.nullable() })
  .meta({ id: 'transfer_detail', description: 'A transfer with its two entries.' });
