import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const promiseStatuses = ['open', 'kept', 'broken', 'canceled'] as const;
export const promiseChannels = ['phone', 'email', 'sms', 'whatsapp', 'letter', 'visit'] as const;
export type PromiseStatus = (typeof promiseStatuses)[number];

export const promiseSchema = z
  .object({
    id: z.string(),
    person_id: z.string(),
    person_name: z.string(),
    charge_ids: z.array(z.string()),
    amount: moneyOut(),
    promised_for: z.string(),
    promised_on: z.string().describe('Payments from this day on count.'),
    keep_until: z.string().describe('The last day on which it can be kept; the rule waits until then.'),
    channel: z.string().nullable(),
    status: z.enum(promiseStatuses),
    paid: moneyOut().describe('Paid on the charges since, when it was last judged.'),
    ended_at: z.string().nullable(),
    ended_reason: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'payment_promise', description: 'What a debtor promised to pay, and by when.' });

export type PaymentPromise = z.infer<typeof promiseSchema>;
