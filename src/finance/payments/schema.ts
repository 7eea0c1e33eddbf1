import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const paymentStatus = z.enum([
  'pending',
  'awaiting_approval',
  'awaiting_funds',
  'scheduled',
  'processing',
  'confirmed',
  'canceled',
  'rejected',
  'failed',
]);

export const paymentKind = z.enum(['boleto', 'utility', 'pix_key', 'pix_code', 'ted']);

export const paymentSchema = z
  .object({
    id: z.string(),
    payable_id: z.string(),
    account_id: z.string().describe('The account that pays.'),
    kind: paymentKind,
    amount: moneyOut(),
    currency: z.literal('BRL'),
    details: z.record(z.string(), z.unknown()).describe('What is paid, as it was confirmed.'),
    scheduled_for: z.string(),
    status: paymentStatus.describe('The payable is settled only at `confirmed`.'),
    registration_status: z
      .enum(['pending', 'requested', 'confirmed', 'rejected', 'failed', 'unknown'])
      .describe('Whether the bank has taken the order; `unknown` = it may have, and is being asked.'),
    bank_reference: z.string().nullable(),
    bank_authentication: z.string().nullable(),
    bank_settled_on: z.string().nullable(),
    rejected_reason: z.string().nullable(),
    cancel_reason: z.string().nullable(),
    cancel_requested_at: z.string().nullable().describe('Final only when `status` is `canceled`.'),
    receipt_attachment_id: z.string().nullable(),
    next_step: z.string().nullable().describe('What to do now, where that is not plain.'),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'payment', description: 'An order to a bank to pay one payable.' });

export type Payment = z.infer<typeof paymentSchema>;

const warnings = z.array(z.object({ code: z.string(), message: z.string() }));

export const paymentCodeSchema = z
  .object({
    kind: z.enum(['boleto', 'utility']),
    barcode: z.string().describe('44 digits.'),
    typed_line: z.string(),
    bank_code: z.string().nullable().describe('Boleto: the bank that issued it, three digits.'),
    segment: z.string().nullable().describe('Utility or tax bill: what it is for.'),
    issuer_code: z
      .string()
      .nullable()
      .describe('Utility or tax bill: the issuer at FEBRABAN, or a CNPJ root.'),
    amount: moneyOut().nullable().describe('Null when the code holds none.'),
    due_date: z.string().nullable().describe('Null when the code holds none.'),
    free_field: z.string(),
    check_digits_ok: z.literal(true),
    warnings,
  })
  .meta({ id: 'payment_code', description: 'What a typed line or barcode says.' });

export const pixCodeSchema = z
  .object({
    kind: z.enum(['static', 'dynamic']),
    key: z.string().nullable(),
    key_type: z.enum(['cpf', 'cnpj', 'phone', 'email', 'random']).nullable(),
    url: z.string().nullable().describe('Where a dynamic code keeps its charge; not fetched.'),
    amount: moneyOut().nullable().describe('Null when the payer fills it in or the address tells it.'),
    merchant: z.string().nullable(),
    city: z.string().nullable(),
    txid: z.string().nullable(),
    note: z.string().nullable(),
    single_use: z.boolean(),
    crc_ok: z.literal(true),
    warnings,
  })
  .meta({ id: 'pix_code', description: 'What a Pix copy-and-paste code says.' });
