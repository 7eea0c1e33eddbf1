import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { revokeAllOf } from '../../../identity/connections.ts';
import { deleteOpenInvitations } from '../../../identity/sign-in-queries.ts';
import { selectOrganizationForUpdate, updateSessionsEnded } from '../queries.ts';
import { requireMayGive, requireOwnerLeft, requirePerson, rolesForAudit, writeRoles } from '../resource.ts';

export const removePerson = operation({
  name: 'account_people_remove',
  title: 'Remove person',
  summary:
    'Take a person out of the organization: signed out, with every token and connection revoked. An invitation is taken back.',
  effect: 'write',
  scope: 'account.people',
  needsFreshSession: true,
  input: { id: id('the person') },
  output: z.object({ id: z.string(), removed: z.literal(true) }),
  async run(input, context) {
    const { db, organizationId, caller, now } = context;
    await selectOrganizationForUpdate(db, organizationId);
    const before = await requirePerson(db, organizationId, input.id);
    requireMayGive(context, before.roles);
    await requireOwnerLeft(context, before, []);
    await writeRoles(context, before.id, [], now);
    for (const kind of ['invited', 'command_line'] as const) {
      await deleteOpenInvitations(db, organizationId, before.id, kind);
    }
    await updateSessionsEnded(db, organizationId, before.id, now);
    await revokeAllOf(db, organizationId, before.id, caller.user.id, now);
    context.changed('person', before.id, rolesForAudit(before.roles), null);
    return { id: before.id, removed: true as const };
  },
});
