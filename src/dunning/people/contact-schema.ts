import { z } from 'zod';
import { text } from '../../core/fields.ts';
import { cleanText } from '../../finance/schema.ts';
import { channels } from '../contact-law/index.ts';

export const channel = z.enum(channels);
export const consent = z.enum(['unknown', 'given', 'opted_out']);
export const validity = z.enum(['unknown', 'valid', 'bounced', 'wrong_person']);

/** Arguments that a contact is made of. */
export const contactFields = {
  channel: channel.describe('What it is used for; one number may serve several.'),
  value: text(300).describe('E-mail, number with area code, or address on one line.'),
  label: cleanText(50).nullable().optional().describe('What it is, such as "work".'),
  is_primary: z
    .boolean()
    .optional()
    .describe('The first choice of its channel; the one before is no longer.'),
  consent: consent.optional().describe('Counts for every contact of the debtor with this mailbox or number.'),
};

export const contactSchema = z
  .object({
    id: z.string(),
    person_id: z.string(),
    channel,
    value: z.string(),
    label: z.string().nullable(),
    is_primary: z.boolean(),
    consent,
    consent_changed_at: z.string().nullable(),
    validity,
    last_delivered_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'contact', description: 'A way to reach a debtor.' });

export type Contact = z.infer<typeof contactSchema>;
