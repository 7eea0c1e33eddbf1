import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type ChargeRow = Tables['charges'];

/** Every charge of a receivable, oldest first. */
export function selectChargesOf(db: Db, workspaceId: string, receivableId: string): Promise<ChargeRow[]> {
  return db.rows<ChargeRow>(sql`
    select * from charges where workspace_id = ${workspaceId} and receivable_id = ${receivableId} order by id`);
}

/** The charge that can still be paid; at most one, which a unique index holds. */
export function selectLiveCharge(
  db: Db,
  workspaceId: string,
  receivableId: string,
): Promise<ChargeRow | undefined> {
  return db.row<ChargeRow>(sql`
    select * from charges
     where workspace_id = ${workspaceId} and receivable_id = ${receivableId} and status in ('generating', 'open')`);
}
