import { fail } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { summaryOf } from '../schema.ts';
import { selectToken, type TokenRow } from './queries.ts';
import type { TokenRecord } from './schema.ts';

export function tokenOf(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    person: { id: row.user_id, name: row.user_name },
    product: row.product,
    access: row.access,
    workspace: summaryOf(row.workspace_id, row.workspace_name),
    is_for_programs: row.is_for_programs,
    state: row.is_live ? 'live' : 'ended',
    created_at: row.created_at,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    revoked_at: row.revoked_at,
  };
}

/** A token of the user, or of anybody in the organization (undefined). Fails with `not_found`. */
export async function requireToken(
  { db, organizationId, now }: Context,
  id: string,
  userId: string | undefined,
): Promise<TokenRow> {
  return (await selectToken(db, organizationId, id, userId, now)) ?? fail('not_found', { kind: 'token' });
}

/** What the audit chain keeps of a token: never the token. */
export function auditOf(row: TokenRow) {
  const {
    name,
    user_id: person_id,
    product,
    access,
    workspace_id,
    is_for_programs,
    expires_at,
    revoked_at,
  } = row;
  return { name, person_id, product, access, workspace_id, is_for_programs, expires_at, revoked_at };
}
