import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import {
  type CategoryRow,
  lockTree,
  selectCategory,
  selectHasChildren,
  selectPath,
  selectSibling,
  selectUses,
} from './queries.ts';
import { type ParentCategory, requireClassifying } from './rules.ts';
import type { Category, CategoryKind } from './schema.ts';

/** The public record of a row. */
export function categoryOf(row: CategoryRow): Category {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as CategoryKind,
    parent_id: row.parent_id,
    level: row.level,
    is_leaf: row.is_leaf,
    code: row.code,
    statement_group: row.statement_group,
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/**
 * The category that is to classify an entry; while the caller is writing, it stays a leaf until the end. Fails
 * with `not_found`, or with `invalid_argument` when it is of another kind, inactive, or has categories below it.
 */
export async function requireLeafCategory(
  context: Context,
  id: string,
  kind: CategoryKind,
): Promise<CategoryRow> {
  const { db, workspaceId, isWriting } = context;
  const row = await requireCategory(context, id, isWriting ? 'share' : 'none');
  const isLeaf = isWriting ? !(await selectHasChildren(db, workspaceId, id)) : row.is_leaf;
  requireClassifying({ kind: row.kind, active: row.active, isLeaf }, kind);
  return row;
}

/** From the top to the category itself. */
export function pathOf(context: Context, row: CategoryRow): Promise<{ id: string; name: string }[]> {
  return selectPath(context.db, context.workspaceId, row.id);
}

/** The category of this workspace. Fails with `not_found`. */
export async function requireCategory(
  context: Context,
  id: string,
  lock: 'none' | 'share' | 'update',
): Promise<CategoryRow> {
  const row = await selectCategory(context.db, context.workspaceId, id, lock);
  return row ?? fail('not_found', { kind: 'category', id });
}

/** The category of this workspace with the whole tree locked, to be changed here. Fails with `not_found`. */
export async function requireCategoryToChange(context: WriteContext, id: string): Promise<CategoryRow> {
  await lockTree(context.db, context.workspaceId);
  return requireCategory(context, id, 'update');
}

/**
 * The category under which another one is put, with the tree locked. Fails with `not_found`, and with `in_use`
 * when it classifies entries itself: only leaves may.
 */
export async function requireParent(context: WriteContext, id: string): Promise<ParentCategory> {
  const { db, workspaceId } = context;
  await lockTree(db, workspaceId);
  const row = await requireCategory(context, id, 'update');
  const by = row.is_leaf ? await selectUses(db, workspaceId, id) : [];
  if (by.length > 0) fail('in_use', { by });
  const lineage = [row.id];
  for (let above = row.parent_id; above !== null; ) {
    lineage.push(above);
    above = (await requireCategory(context, above, 'none')).parent_id;
  }
  return { kind: row.kind as CategoryKind, active: row.active, level: row.level, lineage };
}

/** Refuses a name that another category under the same parent has. Fails with `duplicate`. */
export async function requireFreeName(
  context: WriteContext,
  place: { parentId: string | null; kind: string; name: string },
  ownId: string | null,
): Promise<void> {
  await lockTree(context.db, context.workspaceId);
  const sibling = await selectSibling(context.db, context.workspaceId, place, ownId);
  if (sibling !== undefined) fail('duplicate', { of: sibling.id });
}
