import { fail, failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Db } from '../../core/ports.ts';
import { notifyIdentityChanged } from '../../identity/queries.ts';
import {
  deleteMemberships,
  insertMemberships,
  type PersonRow,
  selectOtherOwners,
  selectOwnWorkspaceIds,
  selectPerson,
} from './queries.ts';
import { isOwner, missingScopes } from './rules.ts';
import type { GivenRole, Person } from './schema.ts';

export function personOf(row: PersonRow): Person {
  const isInvited = row.invitation_expires_at !== null;
  return {
    id: row.id,
    name: isInvited ? null : row.name,
    email: row.email,
    status: isInvited ? 'invited' : 'active',
    roles: row.roles,
    joined_at: row.joined_at,
    last_seen_at: row.last_seen_at,
    invitation_expires_at: row.invitation_expires_at,
  };
}

/** Fails with `not_found` for anybody who is not of the organization, whether or not they exist elsewhere. */
export async function requirePerson(db: Db, organizationId: string, id: string): Promise<PersonRow> {
  return (await selectPerson(db, organizationId, id)) ?? fail('not_found', { kind: 'person' });
}

/**
 * Whether the caller may give or take these roles: nobody gives, or takes from others, a right that they do not hold, so
 * only owners make and unmake owners, and nobody raises themselves. Fails with `forbidden`.
 */
export function requireMayGive({ scopes }: Context, roles: readonly Pick<GivenRole, 'role'>[]): void {
  const missing = missingScopes(scopes, roles);
  if (missing.length > 0) fail('forbidden', { required: missing });
}

/** Fails with `invalid_argument` at the first workspace that is not of the organization. */
export async function requireOwnWorkspaces(
  { db, organizationId }: Context,
  roles: readonly GivenRole[],
): Promise<void> {
  const ids = roles.flatMap(({ workspace_id: id }) => (id === null ? [] : [id]));
  const own = await selectOwnWorkspaceIds(db, organizationId, ids);
  const index = roles.findIndex(({ workspace_id: id }) => id !== null && !own.has(id));
  if (index !== -1) failArgument(`roles.${index}.workspace_id`, 'a workspace of the organization');
}

/** Fails with `last_owner` where the organization would be left without one. The organization is locked by then. */
export async function requireOwnerLeft(
  { db, organizationId }: Context,
  row: PersonRow,
  rolesAfter: readonly GivenRole[],
): Promise<void> {
  if (!isOwner(row.roles) || isOwner(rolesAfter)) return;
  if ((await selectOtherOwners(db, organizationId, row.id)) === 0) fail('last_owner');
}

/** Writes all the roles of a person anew; tokens, connections and sessions go by them from the next call on. */
export async function writeRoles(
  { db, organizationId }: WriteContext,
  userId: string,
  roles: readonly GivenRole[],
  since: Date | string,
): Promise<void> {
  await deleteMemberships(db, organizationId, userId);
  if (roles.length > 0) await insertMemberships(db, { organizationId, userId, since }, roles);
  await notifyIdentityChanged(db);
}

/** Roles as the audit chain keeps them. */
export function rolesForAudit(roles: readonly GivenRole[]): { roles: GivenRole[] } {
  return { roles: roles.map(({ workspace_id, role }) => ({ workspace_id, role })) };
}
