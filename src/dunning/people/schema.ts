import { z } from 'zod';
import { moneyOut, text } from '../../core/fields.ts';
import { address, cleanText } from '../../finance/schema.ts';
import { contactSchema } from './contact-schema.ts';

const TAGS_MAX = 20;

export const personKind = z.enum(['natural', 'legal']);
export const language = z.enum(['pt-BR', 'en']);

export const tags = z
  .array(cleanText(50), { error: `a list of at most ${TAGS_MAX} words` })
  .max(TAGS_MAX, { error: `at most ${TAGS_MAX}` })
  .transform((words) => [...new Set(words)]);

const stateError = 'a state as two capital letters, such as "SP"';

/** Arguments of create; update takes the same, each optional. */
export const personFields = {
  name: cleanText(200),
  kind: personKind.optional().describe('Only without a document number, which tells it.'),
  document_number: text(30).nullable().optional().describe('CPF or CNPJ, with or without punctuation.'),
  address: address.nullable().optional(),
  state: z
    .string({ error: stateError })
    .regex(/^[A-Z]{2}$/, { error: stateError })
    .nullable()
    .optional()
    .describe('Whose contact hours apply; default: of the address.'),
  is_consumer: z.boolean().optional().describe('Default: natural persons are.'),
  do_not_contact: z.boolean().optional().describe('No message goes to this debtor at all.'),
  deceased: z.boolean().optional().describe('No message and no legal action.'),
  language: language.optional().describe('Of messages; default pt-BR.'),
  external_id: cleanText(100).nullable().optional().describe('Your own id, unique here.'),
  tags: tags.optional().describe('Replaces all.'),
};

/** What records of other kinds say of their debtor. */
export const personSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  document_number: z.string().nullable().describe('A CPF is masked.'),
});

export const personSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: personKind,
    document_number: z
      .string()
      .nullable()
      .describe('CPF (11 digits) or CNPJ (14 characters); masked in lists.'),
    address: address.nullable(),
    state: z.string().nullable(),
    is_consumer: z.boolean(),
    do_not_contact: z.boolean(),
    deceased: z.boolean(),
    language,
    external_id: z.string().nullable(),
    tags: z.array(z.string()),
    status: z.enum(['active', 'archived', 'anonymized']),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'debtor', description: 'Somebody who owes.' });

/** A line of a list. */
export const personItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: personKind,
  document_number: z.string().nullable().describe('A CPF is masked.'),
  state: z.string().nullable(),
  external_id: z.string().nullable(),
  tags: z.array(z.string()),
  do_not_contact: z.boolean(),
  deceased: z.boolean(),
  status: z.enum(['active', 'archived', 'anonymized']),
  open_amount: moneyOut().describe('Principal of the open charges, those in agreements included.'),
  open_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** The record with what is around it. */
export const personDetailSchema = personSchema.extend({
  contacts: z.array(contactSchema),
  totals: z
    .object({
      open_amount: moneyOut().describe('Principal of all open charges.'),
      open_count: z.int(),
      overdue_amount: moneyOut().describe('Of it, late and in no agreement.'),
      overdue_count: z.int(),
      in_agreement_amount: moneyOut().describe('Of it, in agreements.'),
      in_agreement_count: z.int(),
      last_payment: z.object({ paid_on: z.string(), amount: moneyOut() }).nullable(),
      live_agreements: z.int(),
      open_disputes: z.int(),
      open_promises: z.int(),
      live_legal_actions: z.int(),
    })
    .describe('Today; fine and interest are those of each charge.'),
  blocks: z
    .array(
      z.object({
        reason: z.enum(['archived', 'deceased', 'do_not_contact', 'opted_out', 'bounced', 'wrong_person']),
        contact_id: z.string().nullable().describe('Null: the whole debtor.'),
      }),
    )
    .describe('What stands against contact.'),
});

export type PersonItem = z.infer<typeof personItemSchema>;
export type PersonDetail = z.infer<typeof personDetailSchema>;
export type Person = z.infer<typeof personSchema>;
export type PersonSummary = z.infer<typeof personSummarySchema>;
export type PersonInput = z.output<z.ZodObject<typeof personFields>>;
export type Address = NonNullable<Person['address']>;
