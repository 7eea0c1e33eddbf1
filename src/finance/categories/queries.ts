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
import { raw, type Sql, sql } from '../../db/sql.ts';

const SHOWN_MAX = 5;

/** A category with its place in the tree. */
export type CategoryRow = Tables['categories'] & { level: number; is_leaf: boolean };

export const categorySorts = sortsOf({
  name: { column: 'categories.name', keyForm: 'text' },
  created_at: { column: 'categories.created_at', keyForm: 'instant' },
});

export interface CategoryFilter extends TimeFilters {
  search?: string | undefined;
  kind?: string | undefined;
  parent_id?: string | undefined;
  active?: boolean | undefined;
}

export function selectCategories(
  db: Db,
  workspaceId: string,
  filter: CategoryFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<CategoryRow[]> {
  return db.rows<CategoryRow>(sql`
    ${placedCategories}
     where categories.workspace_id = ${workspaceId}
       ${all(
         filter.active !== undefined && sql`categories.active = ${filter.active}`,
         filter.kind !== undefined && sql`categories.kind = ${filter.kind}`,
         filter.parent_id !== undefined && sql`categories.parent_id = ${filter.parent_id}`,
         filter.search !== undefined &&
           sql`${plainText("categories.name || ' ' || coalesce(categories.code, '')")} like ${filter.search}`,
       )}
       ${timeFilters(filter, 'categories')}
       ${after(page.sort, page.position, 'categories.id')}
     ${orderAndLimit(page.sort, page.limit, 'categories.id')}`);
}

/** How long the row stays as it is: `share` keeps others from changing it, `update` is for changing it here. */
type Lock = 'none' | 'share' | 'update';

const lockClauses: Readonly<Record<Lock, string>> = {
  none: '',
  share: 'for share of categories',
  update: 'for update of categories',
};

/** Where the caller classifies, lock first and look at the children after: see `selectHasChildren`. */
export function selectCategory(
  db: Db,
  workspaceId: string,
  id: string,
  lock: Lock,
): Promise<CategoryRow | undefined> {
  return db.row<CategoryRow>(sql`
    ${placedCategories}
     where categories.workspace_id = ${workspaceId} and categories.id = ${id} ${raw(lockClauses[lock])}`);
}

/** A statement of its own, so that it sees what was written while the lock on the category was waited for. */
export async function selectHasChildren(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from categories where workspace_id = ${workspaceId} and parent_id = ${id} limit 1`);
  return row !== undefined;
}

/** Some of the active categories right below. */
export function selectActiveChildren(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    select 'category' as kind, id from categories
     where workspace_id = ${workspaceId} and parent_id = ${id} and active
     order by id limit ${SHOWN_MAX}`);
}

/** Levels of the category and what is below it: 1 for a leaf. */
export async function selectHeight(db: Db, workspaceId: string, id: string): Promise<number> {
  const row = await db.row<{ height: number }>(sql`
    select case when count(grandchild.id) > 0 then 3 when count(child.id) > 0 then 2 else 1 end as height
      from categories child
      left join categories grandchild
        on grandchild.workspace_id = child.workspace_id and grandchild.parent_id = child.id
     where child.workspace_id = ${workspaceId} and child.parent_id = ${id}`);
  return row!.height;
}

/** Another category of this name, whatever the case, under the same parent. */
export function selectSibling(
  db: Db,
  workspaceId: string,
  place: { parentId: string | null; kind: string; name: string },
  exceptId: string | null,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select id from categories
     where workspace_id = ${workspaceId} and parent_id is not distinct from ${place.parentId}::uuid
       and kind = ${place.kind} and lower(name) = lower(${place.name})
       and id is distinct from ${exceptId}::uuid
     order by id limit 1`);
}

/** Some of the entries that a category classifies. */
export function selectUses(db: Db, workspaceId: string, id: string): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    (select 'payable' as kind, id from payables
      where workspace_id = ${workspaceId} and category_id = ${id} limit ${SHOWN_MAX})
    union all
    (select 'receivable', id from receivables
      where workspace_id = ${workspaceId} and category_id = ${id} limit ${SHOWN_MAX})
    union all
    (select 'financial_transaction', id from financial_transactions
      where workspace_id = ${workspaceId} and category_id = ${id} limit ${SHOWN_MAX})
    limit ${SHOWN_MAX}`);
}

/** One change of the tree at a time per workspace: depth, cycles and names are checked against all of it. */
export async function lockTree(db: Db, workspaceId: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`categories/${workspaceId}`}, 0))`);
}

export type CategoryInsert = Omit<CategoryRow, 'updated_at' | 'version' | 'level' | 'is_leaf'>;

export function insertCategory(db: Db, category: CategoryInsert): Promise<number> {
  return db.run(sql`
    insert into categories (workspace_id, id, name, kind, parent_id, code, statement_group, active,
                            created_by, created_at, updated_at)
    values (${category.workspace_id}, ${category.id}, ${category.name}, ${category.kind}, ${category.parent_id},
            ${category.code}, ${category.statement_group}, ${category.active},
            ${category.created_by}, ${category.created_at}, ${category.created_at})`);
}

export function updateCategory(db: Db, category: Tables['categories'], now: Date): Promise<number> {
  return db.run(sql`
    update categories
       set name = ${category.name}, parent_id = ${category.parent_id}, code = ${category.code},
           statement_group = ${category.statement_group}, active = ${category.active},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${category.workspace_id} and id = ${category.id}`);
}

export function deleteCategory(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from categories where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Some of the recurrences that are not over and whose template names the category. */
export function selectRecurrencesOf(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    select 'recurrence' as kind, id from recurrences
     where workspace_id = ${workspaceId} and status <> 'ended' and template::text like ${`%${id}%`}
     limit ${SHOWN_MAX}`);
}

/** The names from the top to the category itself. */
export function selectPath(db: Db, workspaceId: string, id: string): Promise<{ id: string; name: string }[]> {
  return db.rows(sql`
    with recursive above as (
      select id, name, parent_id, 1 as step from categories where workspace_id = ${workspaceId} and id = ${id}
      union all
      select parent.id, parent.name, parent.parent_id, above.step + 1
        from above join categories parent on parent.workspace_id = ${workspaceId} and parent.id = above.parent_id
    )
    select id, name from above order by step desc`);
}

/** Every category with its level and whether anything is below it; three levels need two joins. */
const placedCategories: Sql = sql`
    select categories.*,
           case when categories.parent_id is null then 1 when parent.parent_id is null then 2 else 3 end as level,
           not exists (
             select 1 from categories child
              where child.workspace_id = categories.workspace_id and child.parent_id = categories.id
           ) as is_leaf
      from categories
      left join categories parent
        on parent.workspace_id = categories.workspace_id and parent.id = categories.parent_id`;
