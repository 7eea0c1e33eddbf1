import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const protestStatuses = [
  'pending',
  'approved',
  'sent',
  'protocoled',
  'notified',
  'protested',
  'cancellation_authorized',
  'canceled',
  'rejected',
  'returned',
  'paid_at_notary',
  'withdrawn',
  'suspended',
] as const;

export const protestSchema = z
  .object({
    id: z.string(),
    charge_id: z.string(),
    person: z.object({ id: z.string(), name: z.string() }),
    title_kind: z.string(),
    amount: moneyOut().describe('Frozen when it was asked for.'),
    currency: z.literal('BRL'),
    debt_due_date: z.string(),
    document: z
      .object({ name: z.string(), content_type: z.string(), sha256: z.string() })
      .nullable()
      .describe('Proof of the debt; its name comes from outside.'),
    status: z.enum(protestStatuses),
    status_reason: z.string().nullable().describe('A code: why it ended, or what was asked of the office.'),
    requested_by: z.string(),
    approved_by: z.string().nullable(),
    decided_at: z.string().nullable(),
    decision_note: z.string().nullable(),
    notary: z
      .object({ name: z.string(), city: z.string(), state: z.string() })
      .nullable()
      .describe('The office that got the title.'),
    protocol: z.string().nullable(),
    protocoled_on: z.string().nullable(),
    notified_on: z.string().nullable(),
    notice_kind: z.enum(['letter', 'electronic', 'edict']).nullable(),
    deadline_on: z.string().nullable().describe('The last day to pay before the protest.'),
    protested_on: z.string().nullable(),
    costs: z.object({ amount: moneyOut(), paid_by: z.enum(['debtor', 'creditor']) }).nullable(),
    notary_reference: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'protest', description: 'A title handed to a notary office to be protested.' });

export type Protest = z.infer<typeof protestSchema>;
