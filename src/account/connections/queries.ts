import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, all, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import { raw, sql } from '../../db/sql.ts';

export interface ConnectionRow {
  id: string;
  user_id: string;
  user_name: string;
  client_name: string;
  client_host: string;
  is_verified: boolean;
  product: 'finance' | 'dunning';
  access: 'read' | 'write';
  workspace_id: string | null;
  workspace_name: string | null;
  is_live: boolean;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  revoked_by: string | null;
  revoked_by_name: string | null;
}

const isLive = (now: Date) => sql`(c.revoked_at is null and c.expires_at > ${now})`;
const joined = raw(`
  from connections c
  join users u on u.id = c.user_id
  left join workspaces w on w.organization_id = c.organization_id and w.id = c.workspace_id
  left join users r on r.id = c.revoked_by`);
const columns = raw(`
  c.id, c.user_id, u.name as user_name, c.client_name, c.client_host, c.is_verified, c.product, c.access,
  c.workspace_id, w.name as workspace_name, c.created_at, c.expires_at, c.last_used_at, c.revoked_at, c.revoked_by,
  r.name as revoked_by_name`);

export const newestFirst = sortsOf({ created_at: { column: 'c.created_at', keyForm: 'instant' } })[
  '-created_at'
]!;

/** Of one person, or of everybody in the organization. */
export function selectConnections(
  db: Db,
  organizationId: string,
  filter: { userId: string | undefined; state: 'live' | 'ended' | 'all' },
  page: { sort: ListSort; position: Position | null; limit: number },
  now: Date,
): Promise<ConnectionRow[]> {
  const conditions = all(
    filter.userId !== undefined && sql`c.user_id = ${filter.userId}`,
    filter.state !== 'all' && sql`${isLive(now)} = ${filter.state === 'live'}`,
  );
  return db.rows<ConnectionRow>(sql`
    select ${columns}, ${isLive(now)} as is_live ${joined}
     where c.organization_id = ${organizationId} ${conditions}
           ${after(page.sort, page.position, 'c.id')} ${orderAndLimit(page.sort, page.limit, 'c.id')}`);
}

export function selectConnection(
  db: Db,
  organizationId: string,
  id: string,
  userId: string | undefined,
  now: Date,
): Promise<ConnectionRow | undefined> {
  return db.row<ConnectionRow>(sql`
    select ${columns}, ${isLive(now)} as is_live ${joined}
     where c.organization_id = ${organizationId} and c.id = ${id}
           ${all(userId !== undefined && sql`c.user_id = ${userId}`)}`);
}
