import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { chargesSchema } from '../debts/index.ts';

export const statuses = ['pending', 'linked', 'rejected', 'paid'] as const;
export const externalStatuses = ['open', 'overdue', 'paid', 'canceled', 'written_off', 'blocked'] as const;
export const rejectionStatuses = ['requested', 'confirmed', 'refused'] as const;

export type DdaBoletoStatus = (typeof statuses)[number];
export type ExternalStatus = (typeof externalStatuses)[number];
export type RejectionStatus = (typeof rejectionStatuses)[number];

const record = {
  id: z.string(),
  company_id: z.string().describe('The company it is against.'),
  account_id: z.string().nullable().describe('The account whose bank announced it.'),
  barcode: z.string(),
  typed_line: z.string(),
  beneficiary: z.object({
    name: z.string().describe('As the bank says; outside text.'),
    document_number: z.string(),
  }),
  payer_document: z.string(),
  document_number: z.string().nullable(),
  nominal_amount: moneyOut().describe('Face value.'),
  amount: moneyOut().describe('What the bank asked for when it was last read.'),
  min_amount: moneyOut().nullable(),
  max_amount: moneyOut().nullable(),
  allows_partial: z.boolean(),
  issue_date: z.string().nullable(),
  due_date: z.string(),
  charges: chargesSchema.nullable().describe('Null: the bank does not say.'),
  status: z.enum(statuses).describe('Ours: paid when the linked bill is.'),
  external_status: z.enum(externalStatuses).describe("The bank's, independent of ours."),
  payable_id: z.string().nullable(),
  reject_reason: z.string().nullable(),
  rejection_status: z.enum(rejectionStatuses).nullable().describe('What became of telling the bank.'),
  rejection_refused_reason: z.string().nullable().describe("The bank's words; outside text."),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

export const ddaBoletoSchema = z
  .object(record)
  .meta({ id: 'dda_boleto', description: 'A boleto against a company that a bank announced (DDA).' });

export const ddaBoletoDetailSchema = z
  .object({
    ...record,
    probable_payables: z
      .array(
        z.object({
          id: z.string(),
          description: z.string(),
          amount: moneyOut(),
          due_date: z.string(),
          status: z.string(),
          reason: z.enum(['same_barcode', 'same_amount', 'near_amount']),
        }),
      )
      .describe('Bills it may be, likeliest first; none once it is linked or rejected.'),
  })
  .meta({ id: 'dda_boleto_detail', description: 'An announced boleto with the bills it may be.' });

export type DdaBoleto = z.infer<typeof ddaBoletoSchema>;
export type DdaBoletoDetail = z.infer<typeof ddaBoletoDetailSchema>;
