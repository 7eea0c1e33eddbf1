import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, all, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import { raw, sql } from '../../db/sql.ts';

export interface TokenRow {
  id: string;
  name: string;
  user_id: string;
  user_name: string;
  product: 'finance' | 'dunning';
  access: 'read' | 'write';
  workspace_id: string | null;
  workspace_name: string | null;
  is_for_programs: boolean;
  is_live: boolean;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

const isLive = (now: Date) => sql`(t.revoked_at is null and t.expires_at > ${now})`;
const columns = raw(`
  t.id, t.name, t.user_id, u.name as user_name, t.product, t.access, t.workspace_id, w.name as workspace_name,
  t.is_for_programs, t.created_at, t.expires_at, t.last_used_at, t.revoked_at`);
/** Those made by hand; what connections hold comes and goes by itself. */
const joined = raw(`
  from tokens t
  join users u on u.id = t.user_id
  left join workspaces w on w.organization_id = t.organization_id and w.id = t.workspace_id
 where t.connection_id is null`);

export const newestFirst = sortsOf({ created_at: { column: 't.created_at', keyForm: 'instant' } })[
  '-created_at'
]!;

/** Of one person, or of everybody in the organization. */
export function selectTokens(
  db: Db,
  organizationId: string,
  filter: { userId: string | undefined; state: 'live' | 'ended' | 'all' },
  page: { sort: ListSort; position: Position | null; limit: number },
  now: Date,
): Promise<TokenRow[]> {
  const conditions = all(
    filter.userId !== undefined && sql`t.user_id = ${filter.userId}`,
    filter.state !== 'all' && sql`${isLive(now)} = ${filter.state === 'live'}`,
  );
  return db.rows<TokenRow>(sql`
    select ${columns}, ${isLive(now)} as is_live ${joined} and t.organization_id = ${organizationId} ${conditions}
           ${after(page.sort, page.position, 't.id')} ${orderAndLimit(page.sort, page.limit, 't.id')}`);
}

export function selectToken(
  db: Db,
  organizationId: string,
  id: string,
  userId: string | undefined,
  now: Date,
): Promise<TokenRow | undefined> {
  return db.row<TokenRow>(sql`
    select ${columns}, ${isLive(now)} as is_live ${joined} and t.organization_id = ${organizationId} and t.id = ${id}
           ${all(userId !== undefined && sql`t.user_id = ${userId}`)}`);
}
