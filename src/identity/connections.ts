/** Ending what clients were let in by, so that the next call of any of their tokens is refused. */

import type { Db } from '../core/ports.ts';
import { sql } from '../db/sql.ts';

/**
 * Revokes a connection with all its tokens, makes the authorization server forget its grant, and tells every process,
 * all in one statement. False when there is none of this id, or it was revoked before.
 */
export async function revokeConnection(db: Db, id: string, by: string | null, now: Date): Promise<boolean> {
  return (await updateConnectionsRevoked(db, { id }, by, now)) > 0;
}

/** The same for every connection of a person in an organization, and for the tokens made by hand. */
export async function revokeAllOf(
  db: Db,
  organizationId: string,
  userId: string,
  by: string | null,
  now: Date,
): Promise<void> {
  await updateConnectionsRevoked(db, { organizationId, userId }, by, now);
  await updateTokensOfPersonRevoked(db, organizationId, userId, now);
}

type Which = { readonly id: string } | { readonly organizationId: string; readonly userId: string };

/** Gives how many connections were revoked. The grant is found by its id in clear or, as the key of its own record, hashed. */
function updateConnectionsRevoked(db: Db, which: Which, by: string | null, now: Date): Promise<number> {
  const condition =
    'id' in which
      ? sql`id = ${which.id}`
      : sql`organization_id = ${which.organizationId} and user_id = ${which.userId}`;
  return db
    .rows(sql`
    with ended as (
      update connections set revoked_at = ${now}, revoked_by = ${by}
       where ${condition} and revoked_at is null
      returning id, grant_id
    ), tokens_ended as (
      update tokens set revoked_at = ${now} from ended
       where tokens.connection_id = ended.id and tokens.revoked_at is null
    ), forgotten as (
      delete from oauth_records using ended
       where oauth_records.grant_id = ended.grant_id
          or oauth_records.model = 'Grant' and oauth_records.id_hash = sha256(convert_to(ended.grant_id, 'UTF8'))
    )
    select pg_notify('kobana_identity', '') from ended`)
    .then((rows) => rows.length);
}

function updateTokensOfPersonRevoked(
  db: Db,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update tokens set revoked_at = ${now}
     where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null`);
}
