import { z } from 'zod';

export const workspaceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    time_zone: z.string(),
    is_default: z.boolean().describe('Used when a call names no workspace.'),
  })
  .meta({ id: 'workspace', description: 'A workspace the person reaches.' });

export const connectionSchema = z
  .object({
    person: z.object({ id: z.string(), name: z.string(), email: z.string(), locale: z.string() }),
    organization: z.object({ id: z.string(), name: z.string() }),
    access: z.enum(['read', 'write']),
    scopes: z.array(z.string()),
    workspaces: z.array(workspaceSchema),
    default_workspace_id: z.string().nullable(),
    token_expires_at: z.string().nullable(),
  })
  .meta({ id: 'connection', description: 'Who this connection is and what it may do.' });

export const schemaEntrySchema = z
  .object({ name: z.string(), description: z.string() })
  .meta({ id: 'schema_entry', description: 'One name of the schema catalogue.' });
