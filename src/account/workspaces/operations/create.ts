import { fail } from '../../../core/errors.ts';
import { operation } from '../../../core/operation.ts';
import { notifyIdentityChanged } from '../../../identity/queries.ts';
import { timeZone } from '../../schema.ts';
import { insertWorkspace, selectWorkspaceCount, selectWorkspaceForUpdate } from '../queries.ts';
import { nameArgument, workspaceSchema } from '../schema.ts';

const PER_ORGANIZATION_MAX = 200;

export const createWorkspace = operation({
  name: 'account_workspaces_create',
  title: 'Create workspace',
  summary: 'Open another set of books. Whoever has a role in the whole organization reaches it at once.',
  effect: 'write',
  scope: 'account.settings',
  needsFreshSession: true,
  input: { name: nameArgument, time_zone: timeZone().default('America/Sao_Paulo') },
  output: workspaceSchema,
  async run(input, { db, organizationId, newId, now, changed }) {
    const count = await selectWorkspaceCount(db, organizationId);
    if (count >= PER_ORGANIZATION_MAX) {
      fail('invalid_state', { from: `${count} workspaces`, allowed: [`fewer than ${PER_ORGANIZATION_MAX}`] });
    }
    const { name, time_zone } = input;
    const id = newId();
    await insertWorkspace(db, organizationId, { id, name, time_zone, created_at: now.toISOString() });
    await notifyIdentityChanged(db);
    changed('workspace', id, null, { name, time_zone });
    return (await selectWorkspaceForUpdate(db, organizationId, id))!;
  },
});
