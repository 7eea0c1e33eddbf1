import { z } from 'zod';
import { text } from '../../core/fields.ts';

export const messageChannels = ['email', 'sms', 'whatsapp', 'letter'] as const;
export const messageStatuses = [
  'scheduled',
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'bounced',
  'canceled',
  'skipped',
] as const;
export const messageTriggers = ['rule', 'manual', 'resend', 'agreement', 'prior_notice'] as const;

export type MessageStatus = (typeof messageStatuses)[number];
export type MessageTrigger = (typeof messageTriggers)[number];

export const BODY_MAX = 10_000;
export const SUBJECT_MAX = 200;
export const CHARGES_MAX = 50;

export const channelArgument = z.enum(messageChannels, { error: 'email, sms, whatsapp or letter' });

/** A text instead of a template. */
export const ownText = {
  subject: text(SUBJECT_MAX).optional().describe('With `body`, for e-mails: it tells nothing of the debt.'),
  body: text(BODY_MAX).optional().describe('Text instead of a template; may name its variables.'),
};

/** What every list and every change shows; the text itself is in the detail. */
export const notificationSchema = z
  .object({
    id: z.string(),
    person: z.object({ id: z.string(), name: z.string() }),
    charge_ids: z.array(z.string()),
    agreement_id: z.string().nullable(),
    negativation_id: z.string().nullable(),
    channel: channelArgument,
    contact_id: z.string().nullable().describe('Chosen when it is sent, if nobody chose before.'),
    template_id: z.string().nullable(),
    template_version: z.int().nullable(),
    trigger: z.enum(messageTriggers),
    resent_from: z.string().nullable(),
    scheduled_for: z.string(),
    status: z
      .enum(messageStatuses)
      .describe('`sent` = the carrier took it, which proves nothing; `delivered` = it arrived.'),
    status_reason: z.string().nullable(),
    provider: z.string().nullable(),
    policy_version: z.string().nullable().describe('The contact rules that allowed it.'),
    sent_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    read_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'notification', description: 'A message to a debtor.' });

export const notificationDetailSchema = z
  .object({
    ...notificationSchema.shape,
    to: z.string().nullable().describe('E-mail address or number, partly hidden.'),
    rendered: z
      .object({ subject: z.string().nullable(), body: z.string() })
      .nullable()
      .describe('The text as it was sent; null before.'),
    trail: z
      .array(
        z.object({
          at: z.string(),
          status: z.string(),
          detail: z.string().nullable().describe('As the carrier said it: data.'),
        }),
      )
      .describe('What happened, oldest first; late reports are kept and move nothing back.'),
  })
  .meta({ id: 'notification_detail', description: 'A message with its text and its delivery trail.' });

export type Notification = z.infer<typeof notificationSchema>;
export type NotificationDetail = z.infer<typeof notificationDetailSchema>;
