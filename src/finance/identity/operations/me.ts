import { operation } from '../../../core/operation.ts';
import { workspacesOf } from '../rules.ts';
import { connectionSchema } from '../schema.ts';

export const me = operation({
  name: 'finance_me',
  title: 'Who am I',
  summary: 'Person, organization, access level, scopes and workspaces of this connection.',
  effect: 'read',
  scope: null,
  tenant: 'none',
  input: {},
  output: connectionSchema,
  async run(_input, { caller, scopes }) {
    return {
      person: caller.user,
      organization: { id: caller.organization.id, name: caller.organization.name },
      access: caller.access,
      scopes: [...scopes].filter((scope) => scope.startsWith('finance.')).sort(),
      workspaces: workspacesOf(caller),
      default_workspace_id: caller.defaultWorkspaceId,
      token_expires_at: caller.tokenExpiresAt,
    };
  },
});
