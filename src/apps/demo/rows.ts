/** Rows of any table, many to a statement. */

import type { Db } from '../../core/ports.ts';
import { raw, sql } from '../../db/sql.ts';

/** One statement for all rows: as JSON they travel in one parameter and every column gets its own type. */
export async function insertRows(db: Db, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = raw(Object.keys(first).join(', '));
  await db.run(sql`
    insert into ${raw(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows.map(withoutNulls))})`);
}

/** Nothing is what an absent column becomes, and half of what would travel. */
function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
