import { z } from 'zod';
import { roleNames } from '../../identity/roles.ts';

export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  locale: z.enum(['pt-BR', 'en']),
});

export const meSchema = z.object({
  person: userSchema,
  organization: z.object({ id: z.string(), name: z.string(), time_zone: z.string() }),
  roles: z.array(
    z.object({
      workspace_id: z.string().nullable().describe('Null: the whole organization.'),
      role: z.enum(roleNames),
    }),
  ),
  scopes: z.array(z.string()).describe('What you may do in the organization as a whole.'),
  workspaces: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      time_zone: z.string(),
      scopes: z.array(z.string()).describe('What you may do in the workspace.'),
    }),
  ),
  session: z.object({
    id: z.string(),
    verified_at: z.string().describe('When you last proved that it is you.'),
    verified_with: z.enum(['password', 'passkey']),
  }),
});

export const organizationSchema = z.object({
  id: z.string(),
  name: z.string(),
  is_this_one: z.boolean().describe('Whether the session is in it.'),
});
