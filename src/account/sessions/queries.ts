import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import { sql } from '../../db/sql.ts';

export interface SessionRow {
  id: string;
  user_agent: string;
  verified_with: 'password' | 'passkey';
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  ended_at: string | null;
}

export const newestFirst = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } })[
  '-created_at'
]!;

/** The live sessions of a person in an organization; those that a browser has left alone since `seenAfter` are over. */
export function selectSessions(
  db: Db,
  organizationId: string,
  userId: string,
  page: { sort: ListSort; position: Position | null; limit: number },
  at: { now: Date; seenAfter: Date },
): Promise<SessionRow[]> {
  return db.rows<SessionRow>(sql`
    select id, user_agent, verified_with, created_at, last_seen_at, expires_at, ended_at from sessions
     where organization_id = ${organizationId} and user_id = ${userId}
       and ended_at is null and expires_at > ${at.now} and last_seen_at > ${at.seenAfter}
           ${after(page.sort, page.position)} ${orderAndLimit(page.sort, page.limit)}`);
}

export function selectSession(
  db: Db,
  organizationId: string,
  userId: string,
  id: string,
): Promise<SessionRow | undefined> {
  return db.row<SessionRow>(sql`
    select id, user_agent, verified_with, created_at, last_seen_at, expires_at, ended_at from sessions
     where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}`);
}
