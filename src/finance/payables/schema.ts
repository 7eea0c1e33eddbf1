import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { detailFields, itemFields, recordFields, settlementFields } from '../debts/index.ts';
import { paymentDetailsSchema } from './payment-details.ts';

export const payableStatuses = ['draft', 'open', 'partially_paid', 'paid', 'canceled'] as const;
export const approvalStatuses = ['not_required', 'pending', 'approved', 'rejected'] as const;

export type PayableStatus = (typeof payableStatuses)[number];
export type ApprovalStatus = (typeof approvalStatuses)[number];

const shared = {
  ...itemFields,
  person: itemFields.person.describe('The supplier.'),
  status: z.enum(payableStatuses),
  approval_status: z.enum(approvalStatuses),
  needs_review: z.boolean().describe('Its fiscal document was canceled.'),
  bank_details_changed_recently: z.boolean().describe("The supplier's, in the last 7 days."),
};

export const payableItemSchema = z
  .object(shared)
  .meta({ id: 'payable_item', description: 'A bill as lists show it.' });

export type PayableItem = z.input<typeof payableItemSchema>;

const record = {
  ...shared,
  ...recordFields,
  payment_details: paymentDetailsSchema.nullable(),
  approval: z.object({
    by: z.string().nullable(),
    at: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  fiscal_document_id: z.string().nullable(),
  dda_boleto_id: z.string().nullable(),
};

export const payableSchema = z
  .object(record)
  .meta({ id: 'payable', description: 'A bill to pay: one document or one installment of it.' });

export type Payable = z.input<typeof payableSchema>;

export const settlementSchema = z
  .object({
    ...settlementFields,
    payment_id: z.string().nullable().describe('The payment order behind it, if any.'),
    receipt_attachment_id: z.string().nullable(),
  })
  .meta({ id: 'settlement', description: 'A payment of a bill, in its parts.' });

export type Settlement = z.input<typeof settlementSchema>;

export const payableDetailSchema = z
  .object({
    ...record,
    ...detailFields,
    settlements: z.array(settlementSchema),
    payments: z.array(
      z.object({
        id: z.string(),
        account_id: z.string(),
        kind: z.string(),
        amount: moneyOut(),
        scheduled_for: z.string(),
        status: z.string(),
        registration_status: z.string(),
        created_at: z.string(),
      }),
    ),
  })
  .meta({
    id: 'payable_detail',
    description: 'A bill with amounts as of a date, settlements, files and orders.',
  });

/** What settling and unsettling answer. */
export const settledSchema = z.object({ payable: payableSchema, settlement: settlementSchema });
