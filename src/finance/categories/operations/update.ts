import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation, type WriteContext } from '../../../core/operation.ts';
import { cleanText } from '../../schema.ts';
import {
  type CategoryRow,
  selectActiveChildren,
  selectHeight,
  updateCategory as updateRow,
} from '../queries.ts';
import {
  categoryOf,
  requireCategory,
  requireCategoryToChange,
  requireFreeName,
  requireParent,
} from '../resource.ts';
import { requirePlaceUnder } from '../rules.ts';
import { type CategoryKind, categorySchema } from '../schema.ts';

export const updateCategory = operation({
  name: 'finance_categories_update',
  title: 'Update category',
  summary: 'Rename, move, code or deactivate a category. Its kind never changes.',
  effect: 'write',
  scope: 'finance.categories',
  hints: { idempotent: true },
  input: {
    id: id('the category'),
    name: cleanText(120).optional(),
    parent_id: id('the category above').nullable().optional().describe('null moves it to the top.'),
    code: cleanText(30).nullable().optional(),
    statement_group: cleanText(60).nullable().optional(),
    active: z.boolean().optional(),
  },
  output: categorySchema,
  async run({ id, ...changes }, context) {
    const before = await requireCategoryToChange(context, id);
    const row = { ...before, ...changes };
    await requireTreeWith(context, before, row);
    await updateRow(context.db, row, context.now);
    const after = categoryOf(await requireCategory(context, id, 'none'));
    context.changed('category', id, categoryOf(before), after);
    return after;
  },
});

/** Refuses what would break the tree; looks only at what the change touches. */
async function requireTreeWith(
  context: WriteContext,
  before: CategoryRow,
  after: CategoryRow,
): Promise<void> {
  const { db, workspaceId } = context;
  const { id, parent_id: parentId, name, active } = after;
  const kind = after.kind as CategoryKind;
  const isMoved = parentId !== before.parent_id;
  if (parentId !== null && (isMoved || (active && !before.active))) {
    const parent = await requireParent(context, parentId);
    requirePlaceUnder(parent, { id, kind, height: await selectHeight(db, workspaceId, id), active });
  }
  if (isMoved || name !== before.name) await requireFreeName(context, { parentId, kind, name }, id);
  if (before.active && !active) {
    const by = await selectActiveChildren(db, workspaceId, id);
    if (by.length > 0) fail('in_use', { by });
  }
}
