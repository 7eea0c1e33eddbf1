/** Who may give which role. */

import { type Role, roleScopes } from '../../identity/roles.ts';

interface PlacedRole {
  readonly workspace_id: string | null;
  readonly role: Role;
}

/** The scopes of the roles that are not among those held. */
export function missingScopes(
  held: ReadonlySet<string>,
  roles: readonly { readonly role: Role }[],
): string[] {
  const needed = new Set(roles.flatMap(({ role }) => [...roleScopes[role]]));
  return [...needed].filter((scope) => !held.has(scope)).sort();
}

/** Whether somebody with these roles owns the organization. */
export function isOwner(roles: readonly PlacedRole[]): boolean {
  return roles.some(({ role, workspace_id: workspaceId }) => role === 'owner' && workspaceId === null);
}
