import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../schema.ts';
import { insertCategory } from '../queries.ts';
import { categoryOf, requireCategory, requireFreeName, requireParent } from '../resource.ts';
import { kindUnder, requirePlaceUnder } from '../rules.ts';
import { categoryKind, categorySchema } from '../schema.ts';

export const createCategory = operation({
  name: 'finance_categories_create',
  title: 'Create category',
  summary: 'Add a category at the top or under another one, whose kind it takes. At most three levels.',
  effect: 'write',
  scope: 'finance.categories',
  input: {
    name: cleanText(120),
    kind: categoryKind.optional().describe('Needed without `parent_id`.'),
    parent_id: id('the category above').optional(),
    code: cleanText(30).optional(),
    statement_group: cleanText(60).optional().describe('Line of the income statement.'),
  },
  output: categorySchema,
  async run(input, context) {
    const parent = input.parent_id === undefined ? null : await requireParent(context, input.parent_id);
    const kind = kindUnder(parent, input.kind);
    requirePlaceUnder(parent, { id: null, kind, height: 1, active: true });
    const parentId = input.parent_id ?? null;
    await requireFreeName(context, { parentId, kind, name: input.name }, null);
    const id = context.newId();
    await insertCategory(context.db, {
      workspace_id: context.workspaceId,
      id,
      name: input.name,
      kind,
      parent_id: parentId,
      code: input.code ?? null,
      statement_group: input.statement_group ?? null,
      active: true,
      created_by: context.caller.user.id,
      created_at: context.now.toISOString(),
    });
    const category = categoryOf(await requireCategory(context, id, 'none'));
    context.changed('category', id, null, category);
    return category;
  },
});
