import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const bureaus = ['serasa', 'spc', 'quod', 'boavista'] as const;
export type BureauName = (typeof bureaus)[number];

export const negativationStatuses = [
  'pending',
  'approved',
  'notice_sent',
  'registered',
  'removal_requested',
  'removed',
  'rejected',
  'canceled',
  'failed',
] as const;

export const priorNoticeSchema = z.object({
  channel: z.string(),
  contact_id: z.string().nullable(),
  notification_id: z.string(),
  sent_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  evidence: z
    .enum(['posted', 'delivered', 'read'])
    .nullable()
    .describe('What proves it; `posted` is enough for a letter.'),
  waiting_days: z.int().nullable(),
  ends_on: z.string().nullable().describe('The last day of waiting.'),
  tried: z
    .array(
      z.object({
        channel: z.string(),
        contact_id: z.string().nullable(),
        notification_id: z.string(),
        outcome: z.string(),
      }),
    )
    .describe('Notices before it that did not arrive.'),
});

export const removalSchema = z.object({
  requested_at: z.string(),
  reason: z.string(),
  deadline: z.string(),
  warned_on: z.string().nullable().describe('The day on which the deadline was near and nobody had done it.'),
  done_at: z.string().nullable(),
});

export const negativationSchema = z
  .object({
    id: z.string(),
    charge_id: z.string(),
    person: z.object({ id: z.string(), name: z.string() }),
    bureau: z.enum(bureaus),
    amount: moneyOut().describe('Frozen when it was asked for.'),
    currency: z.literal('BRL'),
    debt_due_date: z.string(),
    reason: z.string().nullable(),
    status: z.enum(negativationStatuses),
    status_reason: z.string().nullable().describe('A code: why it ended, or what it waits for.'),
    requested_by: z.string(),
    approved_by: z.string().nullable(),
    decided_at: z.string().nullable(),
    decision_note: z.string().nullable(),
    prior_notice: priorNoticeSchema.nullable(),
    registered_at: z.string().nullable(),
    expires_on: z.string().describe('The last day on which the bureau may show it.'),
    removal: removalSchema.nullable(),
    bureau_reference: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'negativation', description: 'A report of a debt to a credit bureau.' });

export type Negativation = z.infer<typeof negativationSchema>;
