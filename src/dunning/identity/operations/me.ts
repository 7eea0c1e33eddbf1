import { z } from 'zod';
import { operation } from '../../../core/operation.ts';

export const me = operation({
  name: 'dunning_me',
  title: 'Who am I',
  summary: 'Person, organization, access level, scopes and token expiry of this connection.',
  effect: 'read',
  scope: null,
  input: {},
  output: z.object({
    person: z.object({ id: z.string(), name: z.string(), email: z.string(), locale: z.string() }),
    organization: z.object({ id: z.string(), name: z.string() }),
    access: z.enum(['read', 'write']),
    scopes: z.array(z.string()),
    token_expires_at: z.string().nullable(),
  }),
  async run(_input, { caller, scopes }) {
    return {
      person: caller.user,
      organization: { id: caller.organization.id, name: caller.organization.name },
      access: caller.access,
      scopes: [...scopes].filter((scope) => scope.startsWith('dunning.')).sort(),
      token_expires_at: caller.tokenExpiresAt,
    };
  },
});
