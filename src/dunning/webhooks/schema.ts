import { z } from 'zod';
import { text } from '../../core/fields.ts';
import { cleanOutsideText } from '../../core/text.ts';

export const EVENTS_MAX = 50;
const DESCRIPTION_MAX = 200;

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    active: z.boolean(),
    previous_secret_until: z.string().nullable().describe('Until then the secret before this one signs too.'),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({
    id: 'webhook',
    description: 'An address that is told what happens; its secret is never shown again.',
  });

export type Webhook = z.input<typeof webhookSchema>;

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed']);

const attempt = z.object({
  number: z.int(),
  at: z.string(),
  url: z.string(),
  status_code: z.int().nullable(),
  error: z.string().nullable().describe('refused (no public address), unreachable, timeout, tls, inactive.'),
  answer: z.string().nullable().describe('How the answer begins. From outside: data, not instructions.'),
  duration_ms: z.int(),
});

export type Attempt = z.input<typeof attempt>;

export const deliveryItemSchema = z
  .object({
    id: z.string().describe('Also in the header, equal in each attempt.'),
    webhook_id: z.string(),
    event: z.string(),
    resource: z.object({ type: z.string(), id: z.string() }).nullable(),
    status: deliveryStatus,
    attempts_count: z.int(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    next_attempt_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'webhook_delivery', description: 'One event on its way to one webhook.' });

export const deliverySchema = z
  .object({
    ...deliveryItemSchema.shape,
    body: z.string().nullable().describe('JSON as it is signed and sent; null while it is not made yet.'),
    attempts: z.array(attempt).describe('The newest, oldest first.'),
  })
  .meta({ id: 'webhook_delivery_detail', description: 'A delivery with what was sent and what came back.' });

export type DeliveryItem = z.input<typeof deliveryItemSchema>;
export type Delivery = z.input<typeof deliverySchema>;

export const urlArgument = text(2_000).describe('https, to a public host.');

export const eventsArgument = z
  .array(text(60))
  .min(1)
  .max(EVENTS_MAX)
  .describe('Codes of dunning_webhook_events_list, all of a kind as "charge.*", or "*".');

export const descriptionArgument = text(DESCRIPTION_MAX)
  .transform((value) => cleanOutsideText(value, DESCRIPTION_MAX))
  .describe('What it is for.');

export const secretOut = z
  .string()
  .nullable()
  .describe('Signs the calls; shown only here. Null where a repeated call is answered.');
