import { z } from 'zod';
import { cleanText } from '../../core/fields.ts';
import { roleNames } from '../../identity/roles.ts';
import { workspaceOrAll } from '../schema.ts';

const ROLES_MAX = 100;

const givenRole = z
  .strictObject({
    workspace_id: workspaceOrAll().describe('Where the role counts; null: in the whole organization.'),
    role: z.enum(roleNames),
  })
  .refine(({ workspace_id, role }) => role !== 'owner' || workspace_id === null, {
    path: ['workspace_id'],
    error: 'null for an owner: who owns, owns the whole organization',
  });

export type GivenRole = z.output<typeof givenRole>;

/** All the roles that a person is to have, in place of those before. */
export const rolesArgument = z
  .array(givenRole)
  .min(1)
  .max(ROLES_MAX)
  .refine((roles) => new Set(roles.map((each) => each.workspace_id)).size === roles.length, {
    error: 'one role for each workspace',
  })
  .describe(
    'All the roles the person is to have: one for the whole organization, or one for each workspace.',
  );

const emailError = 'an e-mail address such as name@example.com';

export const emailArgument = z
  .string({ error: emailError })
  .trim()
  .toLowerCase()
  .max(254, { error: emailError })
  .pipe(z.email({ error: emailError }));

export const nameArgument = cleanText(120);

export const personSchema = z.object({
  id: z.string(),
  name: z.string().nullable().describe('Null until the person has accepted.'),
  email: z.string(),
  status: z.enum(['active', 'invited']),
  roles: z.array(
    z.object({
      workspace_id: z.string().nullable().describe('Null: the whole organization.'),
      workspace_name: z.string().nullable(),
      role: z.enum(roleNames),
    }),
  ),
  joined_at: z.string(),
  last_seen_at: z.string().nullable().describe('In the console.'),
  invitation_expires_at: z.string().nullable().describe('Of an invitation that was not accepted yet.'),
});

export type Person = z.output<typeof personSchema>;
