import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { planStatement } from '../planning.ts';
import { selectImportOfFile } from '../queries.ts';
import { importDetailOf } from '../resource.ts';
import { countsSchema, statementArguments, statementImportDetailSchema } from '../schema.ts';
import { extendImport, writeImport } from '../writing.ts';

const SKIPPED_SHOWN_MAX = 100;

export const createImport = operation({
  name: 'finance_statement_imports_create',
  title: 'Import statement',
  summary: 'Save the lines of a statement file; lines that are in the books already are not added again.',
  effect: 'write',
  scope: 'finance.statement_imports',
  hints: { idempotent: true },
  input: statementArguments,
  output: z.object({
    already_imported: z.boolean().describe('This very file was brought in before.'),
    counts: countsSchema.describe(
      'Of this call. Lines that can be read are taken, and those that cannot are among the skipped ones.',
    ),
    import: statementImportDetailSchema.describe(
      `The import of the file; of its skipped lines the first ${SKIPPED_SHOWN_MAX}.`,
    ),
  }),
  async run(input, context) {
    const plan = await planStatement(input, context);
    const { db, workspaceId } = context;
    const before = await selectImportOfFile(db, workspaceId, plan.account.id, plan.sha256);
    const row =
      before === undefined
        ? await writeImport(context, input.file.name, plan)
        : await extendImport(context, before, plan);
    return {
      already_imported: before !== undefined,
      counts: plan.counts,
      import: await importDetailOf(context, row, SKIPPED_SHOWN_MAX),
    };
  },
});
