import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { chargesSchema } from './charges.ts';
import { paymentDetailsSchema } from './payment-details.ts';

export const payableStatuses = ['draft', 'open', 'partially_paid', 'paid', 'canceled'] as const;
export const approvalStatuses = ['not_required', 'pending', 'approved', 'rejected'] as const;
export const settlementMethods = ['boleto', 'pix', 'ted', 'cash', 'card', 'debit', 'other'] as const;
export const withholdingKinds = ['iss', 'irrf', 'pis', 'cofins', 'csll', 'inss', 'other'] as const;

export type PayableStatus = (typeof payableStatuses)[number];
export type ApprovalStatus = (typeof approvalStatuses)[number];
export type SettlementMethod = (typeof settlementMethods)[number];

const shared = {
  id: z.string(),
  company_id: z.string(),
  person: z.object({ id: z.string(), name: z.string() }).describe('The supplier.'),
  description: z.string(),
  document_number: z.string().nullable(),
  amount: moneyOut().describe('Face value.'),
  open_amount: moneyOut().describe('Principal still open.'),
  amount_due: moneyOut().describe('What paying it off today takes: fine, interest and discount included.'),
  due_date: z.string(),
  planned_date: z.string().nullable(),
  status: z.enum(payableStatuses),
  overdue: z.boolean(),
  approval_status: z.enum(approvalStatuses),
  installment: z.object({ number: z.int(), total: z.int() }).nullable(),
  category_id: z.string().nullable(),
  needs_review: z.boolean().describe('Its fiscal document was canceled.'),
  bank_details_changed_recently: z.boolean().describe("The supplier's, in the last 7 days."),
  created_at: z.string(),
  updated_at: z.string(),
};

export const payableItemSchema = z
  .object(shared)
  .meta({ id: 'payable_item', description: 'A bill as lists show it.' });

export type PayableItem = z.input<typeof payableItemSchema>;

const record = {
  ...shared,
  series: z.string().nullable(),
  issue_date: z.string().nullable(),
  adjusted_due_date: z
    .string()
    .describe('The due date or the next business day; overdue from the day after.'),
  competence_month: z.string(),
  planned_account_id: z.string().nullable(),
  installment_group_id: z.string().nullable(),
  abatement: moneyOut(),
  withholdings: z.array(z.object({ kind: z.string(), amount: moneyOut() })),
  cost_centers: z.array(z.object({ id: z.string(), percent: z.string() })),
  charges: chargesSchema.nullable(),
  payment_details: paymentDetailsSchema.nullable(),
  approval: z.object({
    by: z.string().nullable(),
    at: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  canceled_reason: z.string().nullable(),
  fiscal_document_id: z.string().nullable(),
  created_by: z.string(),
  version: z.int(),
};

export const payableSchema = z
  .object(record)
  .meta({ id: 'payable', description: 'A bill to pay: one document or one installment of it.' });

export type Payable = z.input<typeof payableSchema>;

export const settlementSchema = z
  .object({
    id: z.string(),
    account_id: z.string(),
    transaction_id: z.string().nullable(),
    payment_id: z.string().nullable().describe('The payment order behind it, if any.'),
    paid_at: z.string(),
    amount: moneyOut().describe('Money moved: principal - discount + interest + fine.'),
    principal: moneyOut(),
    discount: moneyOut(),
    interest: moneyOut(),
    fine: moneyOut(),
    method: z.enum(settlementMethods),
    receipt_attachment_id: z.string().nullable(),
    status: z.enum(['effective', 'reversed']),
    reversed_reason: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'settlement', description: 'A payment of a bill, in its parts.' });

export type Settlement = z.input<typeof settlementSchema>;

export const payableDetailSchema = z
  .object({
    ...record,
    currency: z.literal('BRL'),
    as_of: z.string(),
    amounts: z
      .object({
        amount: moneyOut(),
        open_principal: moneyOut(),
        discount: moneyOut(),
        fine: moneyOut(),
        interest: moneyOut(),
        paid: moneyOut(),
        amount_due: moneyOut(),
        days_late: z.int(),
      })
      .describe('On the date `as_of`.'),
    settlements: z.array(settlementSchema),
    attachments: z.array(z.object({ id: z.string(), file_name: z.string(), content_type: z.string() })),
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
