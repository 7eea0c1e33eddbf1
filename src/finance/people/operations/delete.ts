import { z } from 'zod';
import { formatTaxId } from '../../../core/documents/tax-id.ts';
import { fail } from '../../../core/errors.ts';
import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { selectReferences } from '../../../db/references.ts';
import { deletePerson as deleteRow, type PersonRow } from '../queries.ts';
import { recordedPerson, requirePersonToChange } from '../resource.ts';

export const deletePerson = operation({
  name: 'finance_people_delete',
  title: 'Delete person',
  titlePortuguese: 'Excluir pessoa',
  summary: 'Remove a supplier or customer that no record refers to; others are deactivated by update.',
  effect: 'destructive',
  scope: 'finance.people',
  input: { id: id('the person') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const { name, document_number: document } = await prepareDelete(input.id, context);
    return [
      outside('name', 'Nome', 'Name', name),
      ours('document', 'CPF/CNPJ', 'CPF/CNPJ', document === null ? '-' : formatTaxId(document)),
    ];
  },
  async run(input, context) {
    const row = await prepareDelete(input.id, context);
    await deleteRow(context.db, context.workspaceId, row.id);
    context.changed('person', row.id, recordedPerson(row), null);
    return { id: row.id, deleted: true as const };
  },
});

async function prepareDelete(personId: string, context: Context): Promise<PersonRow> {
  const row = await requirePersonToChange(context, personId);
  const by = await selectReferences(context.db, 'people', context.workspaceId, row.id);
  if (by.length > 0) fail('in_use', { by });
  return row;
}
