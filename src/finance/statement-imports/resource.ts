import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { attachmentsOf } from '../attachments/index.ts';
import { type ImportRow, selectImport } from './queries.ts';
import type { StatementImport, StatementImportDetail } from './schema.ts';

/** The public record of a row. */
export function importOf(row: ImportRow): StatementImport {
  return {
    id: row.id,
    account_id: row.account_id,
    file_name: row.file_name,
    file_sha256: row.file_sha256,
    format: row.format as StatementImport['format'],
    period_from: row.period_from,
    period_to: row.period_to,
    counts: {
      read: row.read_count,
      created: row.created_count,
      duplicate: row.duplicate_count,
      skipped: row.skipped_count,
    },
    closing_balance: row.closing_balance_cents === null ? null : moneyText(row.closing_balance_cents),
    closing_date: row.closing_date,
    status: row.status as StatementImport['status'],
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The record with the lines that were not taken. `skippedMax` bounds how many of them are shown. */
export async function importDetailOf(
  context: Context,
  row: ImportRow,
  skippedMax = Number.POSITIVE_INFINITY,
): Promise<StatementImportDetail> {
  return {
    ...importOf(row),
    skipped: (row.skipped as StatementImportDetail['skipped']).slice(0, skippedMax),
    skipped_reasons: row.skipped_reasons as StatementImportDetail['skipped_reasons'],
    warnings: row.warnings as StatementImportDetail['warnings'],
    column_map: row.column_map as StatementImportDetail['column_map'],
    revert_reason: row.revert_reason,
    attachments: await attachmentsOf(context, 'statement_import', row.id),
  };
}

/** The import of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireImport(context: Context, id: string): Promise<ImportRow> {
  const row = await selectImport(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'statement_import', id });
}
