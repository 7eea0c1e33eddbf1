/** Writing rows in bulk, many to a statement. */

import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
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
  'financial_transactions',
  'attachments',
  'attachment_contents',
  'attachment_links',
  'fiscal_documents',
  'payables',
  'payments',
  'bank_commands',
  'settlements',
] as const satisfies readonly (keyof Tables)[];

type SampleTable = (typeof sampleTables)[number];

/** Inserts all rows of a workspace in one transaction. */
export async function insertSample(db: Db, rows: SampleRows): Promise<void> {
  for (const table of sampleTables) {
    if (table === 'attachment_contents') await insertFiles(db, rows.attachment_contents);
    else await insertRows(db, table, rows[table]);
  }
}

/** Statistics right away: with none, the first lists after the load would be planned as for empty tables. */
export async function analyzeSample(db: Db): Promise<void> {
  await db.run(sql`analyze ${raw(sampleTables.join(', '))}`);
}

/** One statement for all rows: as JSON they travel in one parameter and every column gets its own type. */
async function insertRows(db: Db, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = raw(Object.keys(first).join(', '));
  await db.run(sql`
    insert into ${raw(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)})`);
}

/** One statement per file: a buffer of its own is sent in binary, without being doubled as hexadecimal text. */
async function insertFiles(db: Db, rows: readonly NewRow<'attachment_contents'>[]): Promise<void> {
  for (const { workspace_id, attachment_id, bytes } of rows) {
    await db.run(sql`
      insert into attachment_contents (workspace_id, attachment_id, bytes)
      values (${workspace_id}, ${attachment_id}, ${bytes})`);
  }
}
