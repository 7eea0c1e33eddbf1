import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  plainText,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import { LEVELS_MAX } from './rules.ts';

const SHOWN_MAX = 5;

export type CostCenterRow = Tables['cost_centers'];

export const costCenterSorts = sortsOf({
  name: { column: 'name', keyForm: 'text' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export interface CostCenterFilter extends TimeFilters {
  search?: string | undefined;
  active?: boolean | undefined;
}

export function selectCostCenters(
  db: Db,
  workspaceId: string,
  filter: CostCenterFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<CostCenterRow[]> {
  return db.rows<CostCenterRow>(sql`
    select * from cost_centers
     where workspace_id = ${workspaceId}
       ${all(
         filter.active !== undefined && sql`active = ${filter.active}`,
         filter.search !== undefined &&
           sql`${plainText("name || ' ' || coalesce(code, '')")} like ${filter.search}`,
       )}
       ${timeFilters(filter, 'cost_centers')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectCostCenter(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<CostCenterRow | undefined> {
  return db.row<CostCenterRow>(sql`
    select * from cost_centers where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

/** In the order of their ids, so that two writers that lock the same ones cannot wait for each other. */
export function selectCostCentersByIds(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  lock: boolean,
): Promise<CostCenterRow[]> {
  return db.rows<CostCenterRow>(sql`
    select * from cost_centers
     where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
     order by id ${raw(lock ? 'for share' : '')}`);
}

/** Some of the active cost centers right below. */
export function selectActiveChildren(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    select 'cost_center' as kind, id from cost_centers
     where workspace_id = ${workspaceId} and parent_id = ${id} and active
     order by id limit ${SHOWN_MAX}`);
}

/** The ids above a cost center, nearest first. */
export async function selectAncestors(db: Db, workspaceId: string, id: string): Promise<string[]> {
  const rows = await db.rows<{ parent_id: string }>(sql`
    with recursive above as (
      select parent_id, 1 as distance from cost_centers where workspace_id = ${workspaceId} and id = ${id}
      union all
      select cost_centers.parent_id, above.distance + 1
        from above
        join cost_centers on cost_centers.workspace_id = ${workspaceId} and cost_centers.id = above.parent_id
       where above.distance < ${LEVELS_MAX}
    )
    select parent_id from above where parent_id is not null order by distance`);
  return rows.map((row) => row.parent_id);
}

/** Levels of the cost center and what is below it: 1 when nothing is. */
export async function selectHeight(db: Db, workspaceId: string, id: string): Promise<number> {
  const row = await db.row<{ height: number }>(sql`
    with recursive below as (
      select ${id}::uuid as id, 1 as level
      union all
      select cost_centers.id, below.level + 1
        from below
        join cost_centers on cost_centers.workspace_id = ${workspaceId} and cost_centers.parent_id = below.id
       where below.level < ${LEVELS_MAX}
    )
    select max(level) as height from below`);
  return row!.height;
}

/** Another cost center of this name, whatever the case, under the same parent. */
export function selectSibling(
  db: Db,
  workspaceId: string,
  place: { parentId: string | null; name: string },
  exceptId: string | null,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select id from cost_centers
     where workspace_id = ${workspaceId} and parent_id is not distinct from ${place.parentId}::uuid
       and lower(name) = lower(${place.name}) and id is distinct from ${exceptId}::uuid
     order by id limit 1`);
}

/** One change of the tree at a time per workspace: depth, cycles and names are checked against all of it. */
export async function lockTree(db: Db, workspaceId: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`cost_centers/${workspaceId}`}, 0))`);
}

export function insertCostCenter(
  db: Db,
  costCenter: Omit<CostCenterRow, 'updated_at' | 'version'>,
): Promise<number> {
  return db.run(sql`
    insert into cost_centers (workspace_id, id, name, code, parent_id, active, created_by, created_at, updated_at)
    values (${costCenter.workspace_id}, ${costCenter.id}, ${costCenter.name}, ${costCenter.code},
            ${costCenter.parent_id}, ${costCenter.active}, ${costCenter.created_by},
            ${costCenter.created_at}, ${costCenter.created_at})`);
}

export function updateCostCenter(db: Db, costCenter: CostCenterRow, now: Date): Promise<number> {
  return db.run(sql`
    update cost_centers
       set name = ${costCenter.name}, code = ${costCenter.code}, parent_id = ${costCenter.parent_id},
           active = ${costCenter.active}, updated_at = ${now}, version = version + 1
     where workspace_id = ${costCenter.workspace_id} and id = ${costCenter.id}`);
}

export function deleteCostCenter(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from cost_centers where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Some of the records that share an amount to the cost center. Reads whole tables: deleting is rare. */
export function selectSharesOf(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ kind: string; id: string }[]> {
  const share = JSON.stringify([{ id }]);
  return db.rows(sql`
    (select 'payable' as kind, id from payables
      where workspace_id = ${workspaceId} and cost_centers @> ${share}::jsonb limit 5)
    union all
    (select 'receivable', id from receivables
      where workspace_id = ${workspaceId} and cost_centers @> ${share}::jsonb limit 5)
    union all
    (select 'financial_transaction', id from financial_transactions
      where workspace_id = ${workspaceId} and cost_centers @> ${share}::jsonb limit 5)
    union all
    (select 'recurrence', id from recurrences
      where workspace_id = ${workspaceId} and status <> 'ended' and template::text like ${`%${id}%`} limit 5)
    limit 5`);
}
