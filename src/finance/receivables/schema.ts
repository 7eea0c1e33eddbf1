import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { detailFields, itemFields, recordFields, settlementFields } from '../debts/index.ts';

export const receivableStatuses = [
  'draft',
  'open',
  'partially_paid',
  'paid',
  'written_off',
  'canceled',
] as const;

export type ReceivableStatus = (typeof receivableStatuses)[number];

const shared = {
  ...itemFields,
  person: itemFields.person.describe('The customer.'),
  status: z.enum(receivableStatuses),
};

export const receivableItemSchema = z
  .object(shared)
  .meta({ id: 'receivable_item', description: 'A receivable as lists show it.' });

export type ReceivableItem = z.input<typeof receivableItemSchema>;

const record = {
  ...shared,
  ...recordFields,
  write_off: z
    .object({
      amount: moneyOut(),
      reason: z.string(),
      category_id: z.string(),
      date: z.string(),
      by: z.string(),
      at: z.string(),
    })
    .nullable()
    .describe('What was given up as a loss.'),
};

export const receivableSchema = z
  .object(record)
  .meta({ id: 'receivable', description: 'Money to receive: one document or one installment of it.' });

export type Receivable = z.input<typeof receivableSchema>;

export const receiptSchema = z
  .object({
    ...settlementFields,
    fee: moneyOut().describe('Kept by the bank.'),
    credited: moneyOut().describe('What reached the account: amount - fee.'),
    charge_id: z.string().nullable().describe('The charge that was paid, if any.'),
    external_id: z.string().nullable().describe('What the payment is called outside.'),
  })
  .meta({ id: 'receipt', description: 'Money received for a receivable, in its parts.' });

export type Receipt = z.input<typeof receiptSchema>;

export const receivableDetailSchema = z
  .object({
    ...record,
    ...detailFields,
    settlements: z.array(receiptSchema),
    charges_issued: z.array(
      z.object({
        id: z.string(),
        account_id: z.string(),
        methods: z.array(z.string()),
        amount: moneyOut(),
        due_date: z.string(),
        status: z.string(),
        registration_status: z.string(),
        created_at: z.string(),
      }),
    ),
  })
  .meta({
    id: 'receivable_detail',
    description: 'A receivable with amounts as of a date, receipts, files and charges.',
  });

/** What settling answers. */
export const receivedSchema = z.object({ receivable: receivableSchema, settlement: receiptSchema });
