import { z } from 'zod';
import { text } from '../../core/fields.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { cleanLines } from './rules.ts';

const BODY_MAX = 10_000;

export const templateChannels = ['email', 'sms', 'whatsapp', 'letter'] as const;
export const templateChannel = z.enum(templateChannels);
export type TemplateChannel = z.infer<typeof templateChannel>;

export const templateLanguage = z.enum(['pt-BR', 'en']);
export type TemplateLanguage = z.infer<typeof templateLanguage>;

/** Text on one line without invisible characters, and not empty after that. */
export const lineText = (max: number) =>
  text(max)
    .transform((value) => cleanOutsideText(value, max))
    .refine((value) => value !== '', { error: `text of 1 to ${max} characters` });

/** The body of a message: lines without invisible characters. */
export const bodyText = () =>
  text(BODY_MAX)
    .transform(cleanLines)
    .refine((value) => value !== '', { error: `text of 1 to ${BODY_MAX} characters` });

/** A template in a list: without its body. */
export const templateItemSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    channel: templateChannel,
    language: templateLanguage,
    subject: z.string().nullable().describe('E-mails only.'),
    text_version: z
      .int()
      .describe('Goes up when subject or body change; messages keep the one they were made of.'),
    active: z.boolean(),
    archived_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'template_item', description: 'The text of a kind of message.' });

export const templateSchema = z
  .object({ ...templateItemSchema.shape, body: z.string() })
  .meta({ id: 'template', description: 'The text of a kind of message, with its variables.' });

export type TemplateItem = z.infer<typeof templateItemSchema>;
export type Template = z.infer<typeof templateSchema>;

export const warningCode = z.enum([
  'pressure',
  'legal_measure',
  'empty_variable',
  'several_messages',
  'not_plain_letters',
  'too_long',
]);

/** What a preview points out; the message may be sent all the same. */
export const warningSchema = z
  .object({
    code: warningCode,
    field: z.enum(['subject', 'body']),
    detail: z.string().describe('The words, the variable or the count it is about.'),
  })
  .meta({ id: 'template_warning', description: 'Something to look at before sending.' });

export type Warning = z.infer<typeof warningSchema>;
