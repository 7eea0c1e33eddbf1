import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { importDetailOf, requireImport } from '../resource.ts';
import { statementImportDetailSchema } from '../schema.ts';

export const getImport = operation({
  name: 'finance_statement_imports_get',
  title: 'Get statement import',
  summary: 'One import of a statement file: counts, warnings, and the lines that were not taken, with why.',
  effect: 'read',
  scope: 'finance.statement_imports',
  input: { id: id('the statement import') },
  output: statementImportDetailSchema,
  async run(input, context) {
    return importDetailOf(context, await requireImport(context, input.id));
  },
});
