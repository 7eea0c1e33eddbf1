import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { selectReferences } from '../../../db/references.ts';
import { type CategoryRow, deleteCategory as deleteRow, selectRecurrencesOf } from '../queries.ts';
import { categoryOf, pathOf, requireCategory } from '../resource.ts';

export const deleteCategory = operation({
  name: 'finance_categories_delete',
  title: 'Delete category',
  titlePortuguese: 'Excluir categoria',
  summary: 'Remove a category that classifies nothing and has none below it; others are deactivated.',
  effect: 'destructive',
  scope: 'finance.categories',
  input: { id: id('the category') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await prepareDelete(input.id, context);
    const path = await pathOf(context, row);
    return [
      outside('path', 'Categoria', 'Category', path.map(({ name }) => name).join(' > ')),
      ours('kind', 'Tipo', 'Kind', {
        'pt-BR': row.kind === 'income' ? 'receita' : 'despesa',
        en: row.kind,
      }),
    ];
  },
  async run(input, context) {
    const row = await prepareDelete(input.id, context);
    await deleteRow(context.db, context.workspaceId, row.id);
    context.changed('category', row.id, categoryOf(row), null);
    return { id: row.id, deleted: true as const };
  },
});

async function prepareDelete(categoryId: string, context: Context): Promise<CategoryRow> {
  const { db, workspaceId, isWriting } = context;
  const row = await requireCategory(context, categoryId, isWriting ? 'update' : 'none');
  const by = await selectReferences(db, 'categories', workspaceId, row.id);
  if (by.length > 0) fail('in_use', { by });
  const recurrences = await selectRecurrencesOf(db, workspaceId, row.id);
  if (recurrences.length > 0) fail('in_use', { by: recurrences });
  return row;
}
