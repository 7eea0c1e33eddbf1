import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type RuleRow = Tables['automatic_rules'];

export const ruleSorts = sortsOf({
  position: { column: 'position', keyForm: 'integer' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export interface RuleFilter extends TimeFilters {
  scope?: string | undefined;
  active?: boolean | undefined;
}

export function selectRules(
  db: Db,
  workspaceId: string,
  filter: RuleFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<RuleRow[]> {
  return db.rows<RuleRow>(sql`
    select * from automatic_rules
     where workspace_id = ${workspaceId}
       ${all(
         filter.scope !== undefined && sql`scope = ${filter.scope}`,
         filter.active !== undefined && sql`active = ${filter.active}`,
       )}
       ${timeFilters(filter, 'automatic_rules')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

export function selectRule(db: Db, workspaceId: string, id: string): Promise<RuleRow | undefined> {
  return db.row<RuleRow>(sql`
    select * from automatic_rules where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One change of the order at a time per workspace. */
export async function lockRules(db: Db, workspaceId: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`automatic_rules/${workspaceId}`}, 0))`);
}

/** All rules in their order. */
export function selectOrder(db: Db, workspaceId: string): Promise<{ id: string; position: number }[]> {
  return db.rows(sql`
    select id, position from automatic_rules where workspace_id = ${workspaceId} order by position`);
}

/** Puts the rules in this order, positions from 1. Two may share one until the end of the transaction. */
export function updateOrder(db: Db, workspaceId: string, ids: readonly string[]): Promise<number> {
  return db.run(sql`
    update automatic_rules rule set position = placed.position
      from unnest(${ids}::uuid[]) with ordinality as placed (id, position)
     where rule.workspace_id = ${workspaceId} and rule.id = placed.id and rule.position <> placed.position`);
}

export function insertRule(
  db: Db,
  rule: Omit<RuleRow, 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into automatic_rules (workspace_id, id, pattern, search_pattern, match, scope, category_id, person_id,
                                 cost_center_id, payment_method, notes, position, active, created_by, created_at,
                                 updated_at)
    values (${rule.workspace_id}, ${rule.id}, ${rule.pattern}, ${rule.search_pattern}, ${rule.match}, ${rule.scope},
            ${rule.category_id}, ${rule.person_id}, ${rule.cost_center_id}, ${rule.payment_method}, ${rule.notes},
            ${rule.position}, ${rule.active}, ${rule.created_by}, ${now}, ${now})`);
}

export function updateRule(db: Db, rule: RuleRow, now: Date): Promise<number> {
  return db.run(sql`
    update automatic_rules
       set pattern = ${rule.pattern}, search_pattern = ${rule.search_pattern}, match = ${rule.match},
           scope = ${rule.scope}, category_id = ${rule.category_id}, person_id = ${rule.person_id},
           cost_center_id = ${rule.cost_center_id}, payment_method = ${rule.payment_method}, notes = ${rule.notes},
           active = ${rule.active}, updated_at = ${now}, version = version + 1
     where workspace_id = ${rule.workspace_id} and id = ${rule.id}`);
}

export function deleteRule(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from automatic_rules where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Active rules for a scope, the first to win first. */
export function selectRulesInForce(
  db: Db,
  workspaceId: string,
  scope: 'transactions' | 'documents',
): Promise<RuleRow[]> {
  return db.rows<RuleRow>(sql`
    select * from automatic_rules
     where workspace_id = ${workspaceId} and active and scope in (${scope}, 'all')
     order by position`);
}

/** Active categories among these. `lock` keeps each as it is, so that it stays a leaf until the transaction ends. */
export function selectActiveCategories(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  lock: boolean,
): Promise<{ id: string; kind: string }[]> {
  return db.rows(sql`
    select id, kind from categories
     where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and active
     order by id ${raw(lock ? 'for share' : '')}`);
}

/** Whether there is such a category at all. */
export async function selectCategoryExists(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db.row(sql`select 1 from categories where workspace_id = ${workspaceId} and id = ${id}`);
  return row !== undefined;
}

/** Those among these categories that have others below them; a statement of its own, to see what the lock waited for. */
export function selectParents(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  return db.rows(sql`
    select distinct parent_id as id from categories
     where workspace_id = ${workspaceId} and parent_id = any(${ids}::uuid[])`);
}

/** People and cost centers among these that are no longer in use. */
export function selectInactive(
  db: Db,
  workspaceId: string,
  personIds: readonly string[],
  costCenterIds: readonly string[],
): Promise<{ id: string }[]> {
  return db.rows(sql`
    select id from people
     where workspace_id = ${workspaceId} and id = any(${personIds}::uuid[]) and not active
    union all
    select id from cost_centers
     where workspace_id = ${workspaceId} and id = any(${costCenterIds}::uuid[]) and not active`);
}
