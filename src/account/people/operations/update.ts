import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { selectOrganizationForUpdate } from '../queries.ts';
import {
  personOf,
  requireMayGive,
  requireOwnerLeft,
  requireOwnWorkspaces,
  requirePerson,
  rolesForAudit,
  writeRoles,
} from '../resource.ts';
import { personSchema, rolesArgument } from '../schema.ts';

export const updatePerson = operation({
  name: 'account_people_update',
  title: 'Change roles',
  summary: 'Give a person other roles. Their clients may do what the new roles allow from the next call on.',
  effect: 'write',
  scope: 'account.people',
  needsFreshSession: true,
  hints: { idempotent: true },
  input: { id: id('the person'), roles: rolesArgument },
  output: personSchema,
  async run(input, context) {
    const { db, organizationId } = context;
    requireMayGive(context, input.roles);
    await requireOwnWorkspaces(context, input.roles);
    await selectOrganizationForUpdate(db, organizationId);
    const before = await requirePerson(db, organizationId, input.id);
    requireMayGive(context, before.roles);
    await requireOwnerLeft(context, before, input.roles);
    await writeRoles(context, before.id, input.roles, before.joined_at);
    context.changed('person', before.id, rolesForAudit(before.roles), rolesForAudit(input.roles));
    return personOf(await requirePerson(db, organizationId, before.id));
  },
});
