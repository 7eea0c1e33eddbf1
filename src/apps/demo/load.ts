/** Writing rows in bulk, many to a statement. */

import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import { portfolioTables } from './dunning/load.ts';
import { insertRows } from './rows.ts';
import type { NewRow } from './setting.ts';

/** Rows of one workspace by table. */
export type SampleRows = { readonly [Table in SampleTable]: readonly NewRow<Table>[] };

/** In the order their references need; files are written apart, because they are bytes. */
const sampleTables = [
  'companies',
  'people',
  'categories',
  'cost_centers',
  'financial_accounts',
  'account_balances',
  'transfers',
  'financial_transactions',
  'attachments',
  'attachment_contents',
  'attachment_links',
  'fiscal_documents',
  'recurrences',
  'dda_boletos',
  'payables',
  'receivables',
  'payments',
  'charges',
  'charge_numbers',
  'charge_deliveries',
  'bank_commands',
  'settlements',
  'automatic_rules',
  'approval_settings',
] as const satisfies readonly (keyof Tables)[];

/** What bringing the statements in fills besides. */
const statementTables = [
  'statement_imports',
  'reconciliations',
  'reconciliation_transactions',
  'reconciliation_documents',
] as const satisfies readonly (keyof Tables)[];

const SMALL_BYTES = 65_536;

type SampleTable = (typeof sampleTables)[number];

/** Inserts all rows of a workspace in one transaction. */
export async function insertSample(db: Db, workspaceId: string, rows: SampleRows): Promise<void> {
  for (const table of sampleTables) {
    if (table === 'attachment_contents') await insertFiles(db, rows.attachment_contents);
    else await insertRows(db, table, rows[table]);
  }
  await tieTransfers(db, workspaceId);
}

/** Statistics right away: with none, the first lists after the load would be planned as for empty tables. */
export async function analyzeSample(db: Db): Promise<void> {
  await db.run(sql`analyze ${raw([...sampleTables, ...statementTables, ...portfolioTables].join(', '))}`);
}

/**
 * Small files all in one statement, as hexadecimal text; each large one in its own, where a buffer is sent in binary
 * without being doubled.
 */
async function insertFiles(db: Db, rows: readonly NewRow<'attachment_contents'>[]): Promise<void> {
  const isSmall = ({ bytes }: { bytes: Buffer }) => bytes.length <= SMALL_BYTES;
  const small = rows.filter(isSmall).map((row) => ({ ...row, bytes: `\\x${row.bytes.toString('hex')}` }));
  await insertRows(db, 'attachment_contents', small);
  for (const { workspace_id, attachment_id, bytes } of rows.filter((row) => !isSmall(row))) {
    await db.run(sql`
      insert into attachment_contents (workspace_id, attachment_id, bytes)
      values (${workspace_id}, ${attachment_id}, ${bytes})`);
  }
}

/** A transfer and its two entries name each other. */
async function tieTransfers(db: Db, workspaceId: string): Promise<void> {
  await db.run(sql`
    update transfers
       set debit_transaction_id = debit.id, credit_transaction_id = credit.id
      from financial_transactions debit, financial_transactions credit
     where transfers.workspace_id = ${workspaceId}
       and debit.workspace_id = ${workspaceId} and debit.transfer_id = transfers.id and debit.direction = 'debit'
       and credit.workspace_id = ${workspaceId} and credit.transfer_id = transfers.id and credit.direction = 'credit'`);
}
