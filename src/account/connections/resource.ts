import { summaryOf } from '../schema.ts';
import type { ConnectionRow } from './queries.ts';
import type { Connection } from './schema.ts';

export function connectionOf(row: ConnectionRow): Connection {
  return {
    id: row.id,
    person: { id: row.user_id, name: row.user_name },
    client_name: row.client_name,
    client_host: row.client_host,
    is_verified: row.is_verified,
    product: row.product,
    access: row.access,
    workspace: summaryOf(row.workspace_id, row.workspace_name),
    state: row.is_live ? 'live' : 'ended',
    created_at: row.created_at,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    revoked_at: row.revoked_at,
    revoked_by: summaryOf(row.revoked_by, row.revoked_by_name),
  };
}
