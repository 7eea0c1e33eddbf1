import { fail } from '../../../core/errors.ts';
import { onDate, ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { formatBrl } from '../../../core/money.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { maskedAccount, removeStatedBalance, requireAccountAndCompany } from '../../accounts/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { cleanText } from '../../schema.ts';
import { deleteLines, selectReconciledLine, selectTotals, selectUsers, updateImport } from '../queries.ts';
import { importDetailOf, importOf, requireImport } from '../resource.ts';
import { statementImportDetailSchema } from '../schema.ts';

/** Each statement has its own time limit. */
const LINES_AT_A_TIME = 2_000;

export const revertImport = operation({
  name: 'finance_statement_imports_revert',
  title: 'Revert statement import',
  titlePortuguese: 'Desfazer importação de extrato',
  summary: 'Take back an import: its lines leave the books, if none is reconciled. The file may come again.',
  effect: 'destructive',
  scope: 'finance.statement_imports',
  input: {
    id: id('the statement import'),
    reason: cleanText(300).optional(),
  },
  output: statementImportDetailSchema,
  async question(input, context) {
    const { row, account, totals } = await prepareRevert(input.id, context);
    return [
      outside('account', 'Conta', 'Account', maskedAccount(account)),
      outside('file', 'Arquivo', 'File', row.file_name),
      ...(row.period_from === null || row.period_to === null
        ? []
        : [
            onDate('from', 'Primeiro lançamento', 'First line', row.period_from),
            onDate('to', 'Último lançamento', 'Last line', row.period_to),
          ]),
      ours('lines', 'Lançamentos que serão excluídos', 'Lines that will be deleted', String(totals.lines)),
      ours('credits', 'Total de créditos', 'Total of credits', formatBrl(totals.credit_cents)),
      ours('debits', 'Total de débitos', 'Total of debits', formatBrl(totals.debit_cents)),
      ours(
        'touched',
        'Classificados ou anotados por alguém',
        'Classified or annotated by somebody',
        String(totals.touched),
      ),
    ];
  },
  async run(input, context) {
    const { row, totals } = await prepareRevert(input.id, context);
    const { db, workspaceId, now } = context;
    for (let done = 0; done < totals.lines; ) {
      done += await deleteLines(db, workspaceId, row.id, LINES_AT_A_TIME);
      context.progress({ done, total: totals.lines });
    }
    const revertReason = input.reason ?? null;
    await updateImport(
      db,
      { ...row, status: 'reverted', balance_id: null, revert_reason: revertReason },
      now,
    );
    if (row.balance_id !== null) await removeStatedBalance(context, row.balance_id);
    const after = await requireImport(context, row.id);
    context.changed('statement_import', row.id, importOf(row), importOf(after));
    return importDetailOf(context, after);
  },
});

/** Everything that would refuse it, before the question and again before the lines go. */
async function prepareRevert(importId: string, context: Context) {
  const found = await requireImport({ ...context, isWriting: false }, importId);
  const { company, account } = await requireAccountAndCompany(context, found.account_id);
  const row = await requireImport(context, importId);
  if (row.status !== 'processed') {
    fail('invalid_state', { kind: 'statement_import', id: row.id, from: row.status, allowed: ['processed'] });
  }
  const { db, workspaceId } = context;
  const reconciled = await selectReconciledLine(db, workspaceId, row.id);
  if (reconciled !== undefined) {
    fail('already_reconciled', { kind: 'financial_transaction', id: reconciled.id });
  }
  const users = await selectUsers(db, workspaceId, row.id);
  if (users.length > 0) fail('in_use', { by: users });
  const totals = await selectTotals(db, workspaceId, row.id);
  requireOpenBooks(company, totals.first_date);
  return { row, account, totals };
}
