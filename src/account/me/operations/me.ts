import { fail } from '../../../core/errors.ts';
import { operation } from '../../../core/operation.ts';
import { selectMemberships } from '../../../identity/queries.ts';
import { meSchema } from '../schema.ts';

export const me = operation({
  name: 'account_me',
  title: 'Who am I',
  summary: 'The person signed in, the organization, the roles, and what they allow where.',
  effect: 'read',
  scope: null,
  input: {},
  output: meSchema,
  async run(_input, { db, caller, organizationId }) {
    const session = caller.session ?? fail('session_required');
    const roles = await selectMemberships(db, organizationId, caller.user.id);
    return {
      person: caller.user,
      organization: {
        id: caller.organization.id,
        name: caller.organization.name,
        time_zone: caller.organization.timeZone,
      },
      roles: roles.map(({ workspace_id, role }) => ({ workspace_id, role })),
      scopes: [...caller.organizationScopes].sort(),
      workspaces: [...caller.workspaces.values()].map(({ id, name, timeZone, scopes }) => ({
        id,
        name,
        time_zone: timeZone,
        scopes: [...scopes].sort(),
      })),
      session: {
        id: session.id,
        verified_at: session.verifiedAt,
        verified_with: session.verifiedWith,
      },
    };
  },
});
