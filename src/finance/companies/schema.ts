import { z } from 'zod';
import { address } from '../schema.ts';

export const companySchema = z
  .object({
    id: z.string(),
    document_number: z.string().describe('CNPJ, 14 characters.'),
    legal_name: z.string(),
    trade_name: z.string().nullable(),
    parent_id: z.string().nullable().describe('The head office, for a branch.'),
    state_registration: z.string().nullable(),
    address: address.nullable(),
    books_closed_until: z
      .string()
      .nullable()
      .describe('Nothing dated up to this day may be created, changed or undone.'),
    active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'company', description: 'A company of the workspace: head office or branch.' });

export type Company = z.infer<typeof companySchema>;
