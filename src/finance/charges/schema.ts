import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const chargeMethods = ['boleto', 'pix'] as const;
export const chargeStatuses = ['generating', 'open', 'overdue', 'paid', 'canceled', 'failed'] as const;

export type ChargeMethod = (typeof chargeMethods)[number];

const EMAIL_MAX = 254;
const DAYS_MAX = 365;
const emailForm = 'an e-mail address';

/** An e-mail address in its stored form; none holds a line break. */
export const email = () => z.email({ error: emailForm }).max(EMAIL_MAX, { error: emailForm }).toLowerCase();

export const methodsArgument = z
  .array(z.enum(chargeMethods, { error: 'boleto or pix' }), { error: 'a list of boleto, pix or both' })
  .min(1, { error: 'at least one of boleto, pix' })
  .max(chargeMethods.length, { error: 'each method once' })
  .refine((methods) => new Set(methods).size === methods.length, { error: 'each method once' })
  .describe('How it can be paid.');

const daysError = `whole days from 0 to ${DAYS_MAX}`;

export const validDaysArgument = z
  .int({ error: daysError })
  .min(0, { error: daysError })
  .max(DAYS_MAX, { error: daysError })
  .default(0)
  .describe('Days after the due date, or its next business day, on which it can still be paid.');

export const chargeSchema = z
  .object({
    id: z.string(),
    receivable_id: z.string(),
    person: z.object({ id: z.string(), name: z.string() }).describe('The customer.'),
    account_id: z.string().describe('The account that receives.'),
    methods: z.array(z.enum(chargeMethods)),
    amount: moneyOut(),
    currency: z.literal('BRL'),
    due_date: z.string(),
    pay_until: z.string().describe('The last day on which it can be paid.'),
    boleto: z
      .object({ our_number: z.string(), barcode: z.string(), typed_line: z.string() })
      .nullable()
      .describe('Null until the bank has issued it.'),
    pix: z
      .object({ txid: z.string(), code: z.string(), end_to_end_id: z.string().nullable() })
      .nullable()
      .describe('Null until the bank has issued it.'),
    status: z.enum(chargeStatuses),
    registration_status: z
      .enum(['pending', 'requested', 'confirmed', 'rejected', 'failed', 'unknown'])
      .describe('Whether the bank has taken it; `unknown` = it may have, and is being asked.'),
    bank_reference: z.string().nullable(),
    rejected_reason: z.string().nullable(),
    cancel_reason: z.string().nullable(),
    cancel_requested_at: z.string().nullable().describe('Final only when `status` is `canceled`.'),
    paid_on: z.string().nullable(),
    pdf_attachment_id: z.string().nullable(),
    pdf_uri: z.string().nullable().describe('Read this resource to get the PDF.'),
    next_step: z.string().nullable().describe('What to do now, where that is not plain.'),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'charge', description: 'A boleto, a Pix code or both, issued for one receivable.' });

export const deliverySchema = z.object({
  id: z.string(),
  channel: z.literal('email'),
  recipient: z.string(),
  status: z
    .enum(['queued', 'sending', 'sent', 'failed', 'unknown', 'canceled'])
    .describe(
      '`sent` = the mail server took it; `unknown` = it may have, and it is not sent again by itself.',
    ),
  failed_reason: z.string().nullable(),
  attempts: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const chargeDetailSchema = chargeSchema
  .extend({
    deliveries: z.array(deliverySchema).describe('Messages to the customer, newest first.'),
    duplicate_receipts: z
      .array(
        z.object({
          id: z.string(),
          amount: moneyOut(),
          received_on: z.string(),
          external_id: z.string().nullable(),
          transaction_id: z.string().nullable(),
          status: z.enum(['to_refund', 'refunded']),
        }),
      )
      .describe('Money received again for a charge that was paid, or when nothing was owed: to give back.'),
  })
  .meta({ id: 'charge_detail', description: 'A charge with its messages and what was paid twice.' });

export type Charge = z.infer<typeof chargeSchema>;
export type ChargeDetail = z.infer<typeof chargeDetailSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
