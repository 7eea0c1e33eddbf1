/** Writing rows in bulk, many to a statement. */

import type pg from 'pg';
import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
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

/** Inserts all rows of a workspace in the transaction of the client. */
export async function insertSample(client: pg.ClientBase, rows: SampleRows): Promise<void> {
  for (const table of sampleTables) {
    if (table === 'attachment_contents') await insertFiles(client, rows.attachment_contents);
    else await insertRows(client, table, rows[table]);
  }
}

/** Statistics right away: with none, the first lists after the load would be planned as for empty tables. */
export async function analyzeSample(client: pg.ClientBase): Promise<void> {
  await client.query(`analyze ${sampleTables.join(', ')}`);
}

/** The client as the ports know a database. */
export function dbOver(client: pg.ClientBase): Db {
  const query = (text: string, values: readonly unknown[]) => client.query(text, [...values]);
  return {
    rows: async <Row>({ text, values }: { text: string; values: readonly unknown[] }) =>
      (await query(text, values)).rows as Row[],
    row: async <Row>({ text, values }: { text: string; values: readonly unknown[] }) =>
      (await query(text, values)).rows[0] as Row | undefined,
    run: async ({ text, values }) => (await query(text, values)).rowCount ?? 0,
  };
}

/** One statement for all rows: as JSON they travel in one parameter and every column gets its own type. */
async function insertRows(client: pg.ClientBase, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first).join(', ');
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** One statement per file: a buffer of its own is sent in binary, without being doubled as hexadecimal text. */
async function insertFiles(
  client: pg.ClientBase,
  rows: readonly NewRow<'attachment_contents'>[],
): Promise<void> {
  for (const { workspace_id, attachment_id, bytes } of rows) {
    await client.query(
      'insert into attachment_contents (workspace_id, attachment_id, bytes) values ($1, $2, $3)',
      [workspace_id, attachment_id, bytes],
    );
  }
}
