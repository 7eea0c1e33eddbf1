import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const documentKinds = ['nfe', 'nfse', 'cte'] as const;
export const documentStatuses = ['new', 'linked', 'ignored', 'canceled'] as const;
export const authorizationStatuses = ['authorized', 'unproven', 'denied'] as const;

export type DocumentKind = (typeof documentKinds)[number];
export type DocumentStatus = (typeof documentStatuses)[number];
export type AuthorizationStatus = (typeof authorizationStatuses)[number];

const withholdingKinds = ['iss', 'irrf', 'pis', 'cofins', 'csll', 'inss'] as const;

export type WithholdingKind = (typeof withholdingKinds)[number];

/** Something the importer noticed although the file was accepted. */
export const warningSchema = z.object({
  code: z.string(),
  message: z.string(),
  payable_ids: z.array(z.string()).optional().describe('The bills it is about.'),
});

export type Warning = z.infer<typeof warningSchema>;

const party = z.object({
  document_number: z.string().nullable(),
  name: z.string().nullable().describe('As the document says; outside text.'),
});

const record = {
  id: z.string(),
  kind: z.enum(documentKinds),
  access_key: z.string().nullable().describe('44 characters; a CNPJ inside may hold letters.'),
  number: z.string(),
  series: z.string().nullable(),
  issued_at: z.string(),
  issuer: party,
  recipient: party,
  company_id: z
    .string()
    .nullable()
    .describe('Our company that received it; null when none of ours is named.'),
  person_id: z.string().nullable().describe('The issuer among the people, once known.'),
  total: moneyOut(),
  net: moneyOut().describe('What is to be paid, withheld taxes deducted.'),
  withholdings: z.array(z.object({ kind: z.enum(withholdingKinds), amount: moneyOut() })),
  installments: z.array(
    z.object({ number: z.string(), due_date: z.string().nullable(), amount: moneyOut() }),
  ),
  authorization: z.object({
    protocol: z.string().nullable(),
    status: z.enum(authorizationStatuses).describe('`unproven`: the file holds no proof of authorisation.'),
    signature_verified: z.literal(false).describe('The digital signature is not checked here.'),
  }),
  status: z.enum(documentStatuses),
  notes: z.string().nullable(),
  warnings: z.array(warningSchema).describe('What was noticed when it was imported.'),
  xml_attachment_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

export const fiscalDocumentSchema = z
  .object(record)
  .meta({ id: 'fiscal_document', description: 'A received fiscal document.' });

export const fiscalDocumentDetailSchema = z
  .object({
    ...record,
    payables: z.array(
      z.object({
        id: z.string(),
        description: z.string(),
        amount: moneyOut(),
        due_date: z.string(),
        status: z.string(),
        needs_review: z.boolean(),
      }),
    ),
    attachments: z.array(z.object({ id: z.string(), file_name: z.string(), content_type: z.string() })),
  })
  .meta({ id: 'fiscal_document_detail', description: 'A fiscal document with its bills and files.' });

export type FiscalDocument = z.infer<typeof fiscalDocumentSchema>;
export type FiscalDocumentDetail = z.infer<typeof fiscalDocumentDetailSchema>;
