import { z } from 'zod';
import { personSummarySchema, workspaceSummarySchema } from '../schema.ts';

export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  person: personSummarySchema,
  product: z.enum(['finance', 'dunning']),
  access: z.enum(['read', 'write']),
  workspace: workspaceSummarySchema.describe('Null: every workspace the person reaches.'),
  is_for_programs: z.boolean(),
  state: z.enum(['live', 'ended']),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});

export type TokenRecord = z.output<typeof tokenSchema>;
