import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { notifyIdentityChanged } from '../../../identity/queries.ts';
import { timeZone } from '../../schema.ts';
import { selectWorkspaceForUpdate, updateWorkspace as updateRow } from '../queries.ts';
import { nameArgument, workspaceSchema } from '../schema.ts';

export const updateWorkspace = operation({
  name: 'account_workspaces_update',
  title: 'Change workspace',
  summary: 'Change the name or the time zone of a workspace.',
  effect: 'write',
  scope: 'account.settings',
  needsFreshSession: true,
  hints: { idempotent: true },
  input: { id: id('the workspace'), name: nameArgument.optional(), time_zone: timeZone().optional() },
  output: workspaceSchema,
  async run(input, { db, organizationId, changed }) {
    const before =
      (await selectWorkspaceForUpdate(db, organizationId, input.id)) ??
      fail('not_found', { kind: 'workspace' });
    const { name = before.name, time_zone = before.time_zone } = input;
    await updateRow(db, organizationId, { ...before, name, time_zone });
    await notifyIdentityChanged(db);
    changed('workspace', before.id, { name: before.name, time_zone: before.time_zone }, { name, time_zone });
    return { ...before, name, time_zone };
  },
});
