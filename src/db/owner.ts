import pg from 'pg';
import type { Db, Statement } from '../core/ports.ts';

/**
 * One transaction on a connection of its own, as the owner of the tables: for loading many rows of several tenants at
 * once. Nothing of it stays when `work` throws. Operations never run here.
 */
export async function writeAsOwner<T>(ownerUrl: string, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'kobana owner' });
  await client.connect();
  try {
    await client.query('begin');
    const result = await work(dbOver(client));
    await client.query('commit');
    return result;
  } finally {
    // Closing a connection undoes what was not committed.
    await client.end();
  }
}

/** Statements on this connection, whatever it is in the middle of. */
export function dbOver(client: pg.Client): Db {
  const query = ({ text, values }: Statement) => client.query(text, [...values]);
  return {
    rows: async <Row>(statement: Statement) => (await query(statement)).rows as Row[],
    row: async <Row>(statement: Statement) => (await query(statement)).rows[0] as Row | undefined,
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}
