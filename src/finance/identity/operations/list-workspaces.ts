import { listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { workspacesOf } from '../rules.ts';
import { workspaceSchema } from '../schema.ts';

export const listWorkspaces = operation({
  name: 'finance_workspaces_list',
  title: 'List workspaces',
  summary: 'Workspaces the person reaches.',
  effect: 'read',
  scope: null,
  tenant: 'none',
  input: {},
  output: listOutput(workspaceSchema),
  async run(_input, { caller }) {
    return { items: workspacesOf(caller), next_cursor: null };
  },
});
