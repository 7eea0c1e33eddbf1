import { operation } from '../../../core/operation.ts';
import { notifyIdentityChanged } from '../../../identity/queries.ts';
import { updateOrganization as updateRow } from '../queries.ts';
import { nameArgument, organizationSchema } from '../schema.ts';

export const updateOrganization = operation({
  name: 'account_organization_update',
  title: 'Rename organization',
  summary: 'Change the name of the organization.',
  effect: 'write',
  scope: 'account.settings',
  needsFreshSession: true,
  hints: { idempotent: true },
  input: { name: nameArgument },
  output: organizationSchema,
  async run({ name }, { db, organizationId, caller, changed }) {
    await updateRow(db, organizationId, name);
    await notifyIdentityChanged(db);
    changed('organization', organizationId, { name: caller.organization.name }, { name });
    return { id: organizationId, name };
  },
});
