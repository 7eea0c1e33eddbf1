import { z } from 'zod';
import { personSummarySchema, workspaceSummarySchema } from '../schema.ts';

export const connectionSchema = z.object({
  id: z.string(),
  person: personSummarySchema,
  client_name: z.string().describe('As the client calls itself.'),
  client_host: z.string(),
  is_verified: z.boolean().describe('Whether the host vouches for the name.'),
  product: z.enum(['finance', 'dunning']),
  access: z.enum(['read', 'write']),
  workspace: workspaceSummarySchema.describe('Null: every workspace the person reaches.'),
  state: z.enum(['live', 'ended']),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  revoked_by: personSummarySchema.nullable(),
});

export type Connection = z.output<typeof connectionSchema>;
