/** The audit chain: appending to it and verifying it. */

import { createHash } from 'node:crypto';
import type { AuditEvent, Db } from '../core/ports.ts';
import { sql } from './sql.ts';

/** Appends the event in the caller's transaction; appends of one tenant wait for each other until they commit. */
export async function appendEvent(db: Db, tenantId: string, event: AuditEvent): Promise<void> {
  await db.run(sql`
    select append_event(${tenantId}, ${event.at}, ${event.operation}, ${event.actor.userId}, ${JSON.stringify(event)})`);
}

export interface ChainReport {
  readonly tenantId: string;
  readonly events: number;
  /** The first position where the chain is broken, with what is wrong; null when it is whole. */
  readonly broken: { readonly position: number; readonly kind: BreakKind; readonly problem: string } | null;
}

/** What was done to a chain, as far as it shows. */
export type BreakKind = 'missing' | 'changed' | 'cut_off';

interface EventRow {
  position: number;
  body: string;
  hash: Buffer;
}

const BATCH = 1_000;

/** Recomputes the chain of one tenant from its first event: changed, missing, inserted and cut-off events show. */
export async function verifyChain(
  db: Db,
  tenantId: string,
  onProgress: (events: number) => void = () => {},
): Promise<ChainReport> {
  let hash: Buffer = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const rows = await selectEventsAfter(db, tenantId, position);
    for (const row of rows) {
      position += 1;
      if (row.position !== position) return broken(tenantId, position, 'missing');
      hash = createHash('sha256').update(hash).update(row.body).digest();
      if (!hash.equals(row.hash)) return broken(tenantId, position, 'changed');
    }
    if (rows.length < BATCH) break;
    onProgress(position);
  }
  const head = await selectHead(db, tenantId);
  if (head !== undefined && (head.position !== position || !head.hash.equals(hash))) {
    return broken(tenantId, position + 1, 'cut_off');
  }
  return { tenantId, events: position, broken: null };
}

const problems: Readonly<Record<BreakKind, string>> = {
  missing: 'an event is missing',
  changed: 'the event or one before it was changed',
  cut_off: 'the end of the chain was cut off',
};

function broken(tenantId: string, position: number, kind: BreakKind): ChainReport {
  return { tenantId, events: position, broken: { position, kind, problem: problems[kind] } };
}

function selectEventsAfter(db: Db, tenantId: string, position: number): Promise<EventRow[]> {
  return db.rows<EventRow>(sql`
    select position, body, hash from events
     where tenant_id = ${tenantId} and position > ${position}
     order by position limit ${BATCH}`);
}

function selectHead(db: Db, tenantId: string): Promise<{ position: number; hash: Buffer } | undefined> {
  return db.row(sql`select position, hash from event_chains where tenant_id = ${tenantId}`);
}
