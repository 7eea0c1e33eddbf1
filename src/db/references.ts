/** What refers to a row, as the foreign keys of the database say it. */

import type { Db } from '../core/ports.ts';
import { tenantColumnOf } from './listing.ts';
import { raw, sql } from './sql.ts';

export interface Reference {
  /** The record's kind, the singular of its table. */
  readonly kind: string;
  readonly id: string;
}

interface ForeignKey {
  readonly table: string;
  readonly column: string;
}

const SHOWN_MAX = 5;
const irregular: Readonly<Record<string, string>> = { people: 'person' };
const remembered = new Map<string, Promise<readonly ForeignKey[]>>();

/**
 * Some of the tenant's records that refer to the row, at most five. Rows that refer to it stay out while the row
 * is locked, so nothing comes between this look and a deletion.
 */
export async function selectReferences(
  db: Db,
  table: string,
  tenantId: string,
  id: string,
): Promise<Reference[]> {
  const found: Reference[] = [];
  for (const { table: referring, column } of await foreignKeysTo(db, table)) {
    const rows = await db.rows<{ id: string }>(sql`
      select ${raw(idOf(referring))} as id from ${raw(referring)}
       where ${raw(tenantColumnOf(referring))} = ${tenantId} and ${raw(column)} = ${id} limit ${SHOWN_MAX}`);
    found.push(...rows.map((row) => ({ kind: kindOf(referring), id: row.id })));
    if (found.length >= SHOWN_MAX) break;
  }
  return found.slice(0, SHOWN_MAX);
}

/** The schema does not change while a process runs. */
function foreignKeysTo(db: Db, table: string): Promise<readonly ForeignKey[]> {
  const known = remembered.get(table);
  if (known !== undefined) return known;
  const found = selectForeignKeys(db, table);
  remembered.set(table, found);
  found.catch(() => remembered.delete(table));
  return found;
}

/** Every key to a tenant's table is (tenant, id), so the second column is the one that names the row. */
function selectForeignKeys(db: Db, table: string): Promise<ForeignKey[]> {
  return db.rows<ForeignKey>(sql`
    select c.relname as "table", a.attname as "column"
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
     where k.contype = 'f' and k.confrelid = to_regclass(${table}) and cardinality(k.conkey) = 2
       and k.confdeltype <> 'c'
     order by c.relname, a.attname`);
}

/** Parts of a record have no id of their own and are named by the record. */
function idOf(table: string): string {
  const owners: Readonly<Record<string, string>> = {
    reconciliation_transactions: 'reconciliation_id',
    reconciliation_documents: 'reconciliation_id',
    bank_return_records: 'bank_return_id',
    charge_numbers: 'account_id',
    dunning_agreement_charges: 'agreement_id',
    dunning_holds: 'source_id',
    dunning_live_legal_actions: 'action_id',
    dunning_template_versions: 'template_id',
    dunning_notification_charges: 'notification_id',
    dunning_notification_trail: 'notification_id',
  };
  return owners[table] ?? 'id';
}

function kindOf(qualified: string): string {
  const table = qualified.replace(/^dunning_/, '');
  return irregular[table] ?? (table.endsWith('ies') ? `${table.slice(0, -3)}y` : table.replace(/s$/, ''));
}
