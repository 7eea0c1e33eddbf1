import { z } from 'zod';
import { date, id, money, moneyOrZero, moneyOut } from '../../core/fields.ts';

/** Charges of one agreement. */
export const CHARGES_MAX = 100;
export const INSTALLMENTS_MAX = 120;

export const agreementStatuses = [
  'proposed',
  'accepted',
  'active',
  'completed',
  'rejected',
  'expired',
  'canceled',
  'broken',
] as const;
export const installmentStatuses = ['open', 'paid', 'canceled'] as const;
export const enders = ['debtor', 'creditor', 'time'] as const;

export type AgreementStatus = (typeof agreementStatuses)[number];
export type InstallmentStatus = (typeof installmentStatuses)[number];
export type Ender = (typeof enders)[number];

const chargesError = `1 to ${CHARGES_MAX} charges`;
const installmentsError = `1 to ${INSTALLMENTS_MAX} installments`;

export const chargeIdsArgument = () =>
  z
    .array(id('a charge'))
    .min(1, { error: chargesError })
    .max(CHARGES_MAX, { error: chargesError })
    .describe('Charges of one debtor, pending or overdue.');

export const installmentCount = () =>
  z
    .int({ error: installmentsError })
    .min(1, { error: installmentsError })
    .max(INSTALLMENTS_MAX, { error: installmentsError });

export const downPayment = () => money().describe('Due on `valid_until`, so accepting in time pays in time.');

/** The figures of a proposal. */
export const proposalArguments = {
  negotiated_total: money().describe(
    'What the debtor is to pay in all; the rest of the debt of today is discount.',
  ),
  discount: moneyOrZero().optional().describe('Checked against the debt of today, where the person saw it.'),
  installments: z
    .array(z.strictObject({ due_date: date(), amount: money() }))
    .min(1, { error: installmentsError })
    .max(INSTALLMENTS_MAX, { error: installmentsError })
    .optional()
    .describe('In order of their dates; or `plan`.'),
  plan: z
    .strictObject({
      down_payment: downPayment().optional(),
      installments: installmentCount().describe('Monthly ones, without the down payment.'),
      first_due_date: date().describe('Of the first monthly one.'),
    })
    .optional()
    .describe('Equal monthly installments; or `installments`.'),
};

export const validUntil = () =>
  date().describe(
    'Last day to accept it; not after the first installment. One due on that very day is a down payment.',
  );

export const agreementId = () => id('the agreement');

const record = {
  id: z.string(),
  person: z.object({ id: z.string(), name: z.string() }),
  status: z.enum(agreementStatuses),
  as_of: z.string().describe('The day the debt was reckoned for.'),
  original_total: moneyOut(),
  discount: moneyOut(),
  negotiated_total: moneyOut(),
  paid_total: moneyOut(),
  installments: z.int(),
  next_due_date: z.string().nullable().describe('Of the first open installment.'),
  valid_until: z.string(),
  default_after_days: z.int().describe('It breaks when an installment is later than this.'),
  campaign_id: z.string().nullable(),
  notes: z.string().nullable(),
  sent_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  accepted_by: z.string().nullable(),
  evidence: z.string().nullable(),
  ended_at: z.string().nullable(),
  ended_by: z.enum(enders).nullable(),
  ended_reason: z.string().nullable(),
  currency: z.literal('BRL'),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

export const agreementSchema = z
  .object(record)
  .meta({ id: 'agreement', description: 'A way to pay charges of one debtor.' });

export type Agreement = z.input<typeof agreementSchema>;

const installmentRecord = {
  id: z.string(),
  agreement_id: z.string(),
  number: z.int(),
  due_date: z.string(),
  amount: moneyOut(),
  paid: moneyOut(),
  open: moneyOut(),
  status: z.enum(installmentStatuses),
  paid_on: z.string().nullable(),
  days_late: z.int().describe('As of today; 0 up to the next business day.'),
  version: z.int().describe('Of the agreement.'),
};

export const installmentSchema = z
  .object(installmentRecord)
  .meta({ id: 'agreement_installment', description: 'One installment.' });

export type Installment = z.input<typeof installmentSchema>;

export const paidInstallmentSchema = z
  .object({
    ...installmentRecord,
    payments: z
      .array(z.object({ id: z.string(), paid_on: z.string(), amount: moneyOut(), status: z.string() }))
      .describe('Made for it; what was above it went to the next ones.'),
  })
  .meta({ id: 'paid_installment', description: 'An installment with its payments.' });

export const agreementChargeSchema = z
  .object({
    charge_id: z.string(),
    description: z.string(),
    document_number: z.string().nullable(),
    due_date: z.string(),
    principal: moneyOut(),
    interest: moneyOut(),
    fine: moneyOut(),
    discount: moneyOut(),
    negotiated: moneyOut(),
  })
  .meta({
    id: 'agreement_charge',
    description: 'A charge as it was on `as_of`, with its part of the discount.',
  });

export type AgreementCharge = z.input<typeof agreementChargeSchema>;

export const agreementDetailSchema = z
  .object({
    ...record,
    charges: z.array(agreementChargeSchema),
    schedule: z.array(installmentSchema),
  })
  .meta({ id: 'agreement_detail', description: 'An agreement with its charges and installments.' });

export type AgreementView = z.input<typeof agreementDetailSchema>;
