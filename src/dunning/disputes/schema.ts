import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const disputeReasons = [
  'not_recognized',
  'already_paid',
  'wrong_amount',
  'not_delivered',
  'quality',
  'fraud',
  'other',
] as const;
export const disputeStatuses = [
  'open',
  'under_review',
  'upheld',
  'partially_upheld',
  'dismissed',
  'withdrawn',
] as const;
export const liveStatuses = ['open', 'under_review'] as const;

export type DisputeStatus = (typeof disputeStatuses)[number];

export const disputeSchema = z
  .object({
    id: z.string(),
    charge_id: z.string(),
    person_id: z.string(),
    person_name: z.string(),
    charge_description: z.string(),
    charge_amount: moneyOut().describe('Face value of the charge.'),
    reason: z.enum(disputeReasons),
    description: z.string(),
    disputed_amount: moneyOut().nullable(),
    status: z.enum(disputeStatuses),
    resolution: z.string().nullable(),
    adjusted_amount: moneyOut().nullable().describe('What the charge is worth since it was resolved.'),
    resolved_by: z.string().nullable(),
    resolved_at: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'dispute', description: 'A charge that its debtor contests.' });

export type Dispute = z.infer<typeof disputeSchema>;

export const commentSchema = z
  .object({
    id: z.string(),
    dispute_id: z.string(),
    body: z.string(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'dispute_comment', description: 'A note of the team on a dispute.' });

export type DisputeComment = z.infer<typeof commentSchema>;
