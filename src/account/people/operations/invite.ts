import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Locale } from '../../../core/caller.ts';
import { fail } from '../../../core/errors.ts';
import { operation } from '../../../core/operation.ts';
import type { Db } from '../../../core/ports.ts';
import { createInvitation } from '../../../identity/invitations.ts';
import { insertUserIfUnknown, selectOrganizationForUpdate, selectPerson, selectUserId } from '../queries.ts';
import {
  personOf,
  requireMayGive,
  requireOwnWorkspaces,
  requirePerson,
  rolesForAudit,
  writeRoles,
} from '../resource.ts';
import { emailArgument, nameArgument, personSchema, rolesArgument } from '../schema.ts';

export const invitePerson = operation({
  name: 'account_people_invite',
  title: 'Invite person',
  summary:
    'Invite somebody and get the link that lets them in, once. Inviting who has not accepted yet replaces roles and link.',
  effect: 'write',
  scope: 'account.people',
  needsFreshSession: true,
  onceOnly: ['invitation_path'],
  input: {
    email: emailArgument,
    name: nameArgument.describe('What the person is called, if nobody with this address is known here.'),
    locale: z.enum(['pt-BR', 'en']).default('pt-BR'),
    roles: rolesArgument,
  },
  output: personSchema.extend({
    invitation_path: z.string().nullable().describe('To be sent to the person; it works once.'),
  }),
  async run({ roles, ...person }, context) {
    const { db, organizationId, caller, now } = context;
    requireMayGive(context, roles);
    await requireOwnWorkspaces(context, roles);
    await selectOrganizationForUpdate(db, organizationId);
    const userId = await userIdOf(db, person);
    const before = await selectPerson(db, organizationId, userId);
    if (before !== undefined) {
      if (before.invitation_expires_at === null) fail('duplicate', { of: { kind: 'person', id: userId } });
      requireMayGive(context, before.roles);
    }
    // Before the roles: while it is open, they do not count.
    const invitation = { userId, organizationId, invitedBy: caller.user.id };
    const { path } = await createInvitation(db, invitation, now);
    await writeRoles(context, userId, roles, now);
    context.changed(
      'person',
      userId,
      before === undefined ? null : rolesForAudit(before.roles),
      rolesForAudit(roles),
    );
    return { ...personOf(await requirePerson(db, organizationId, userId)), invitation_path: path };
  },
});

/**
 * Whoever has the address, known from another organization or not: who invites is not told. So ids of people hold no time,
 * as other ids do: an older one would say that somebody was here before.
 */
async function userIdOf(db: Db, person: { email: string; name: string; locale: Locale }): Promise<string> {
  await insertUserIfUnknown(db, { id: randomUUID(), ...person });
  return (await selectUserId(db, person.email))!.id;
}
