import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type HoldRow = Tables['dunning_holds'];

export interface HoldTerms {
  readonly reason: string;
  /** The dispute, promise, agreement or action; null for the charge itself. */
  readonly sourceId: string | null;
  /** The last day it holds. */
  readonly until: string | null;
  readonly note: string | null;
  readonly by: string;
}

export function selectHolds(
  db: Db,
  organizationId: string,
  chargeIds: readonly string[],
): Promise<HoldRow[]> {
  return db.rows<HoldRow>(sql`
    select * from dunning_holds
     where organization_id = ${organizationId} and charge_id = any(${chargeIds}::uuid[])
     order by charge_id, created_at, reason, source_id`);
}

/** Holds the charges for a reason, or changes until when. */
export function upsertHolds(
  db: Db,
  organizationId: string,
  chargeIds: readonly string[],
  { reason, sourceId, until, note, by }: HoldTerms,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_holds (organization_id, charge_id, reason, source_id, until, note, created_by, created_at)
    select ${organizationId}, id, ${reason}, coalesce(${sourceId}::uuid, id), ${until}::date, ${note}, ${by},
           ${now}::timestamptz
      from unnest(${chargeIds}::uuid[]) as id
    on conflict (organization_id, charge_id, reason, source_id)
      do update set until = excluded.until, note = excluded.note`);
}

/** The charges that are held for a reason by a source (null: by themselves), among those given or all. */
export async function selectHeldChargeIds(
  db: Db,
  organizationId: string,
  reason: string,
  sourceId: string | null,
  chargeIds: readonly string[] | null,
): Promise<string[]> {
  const rows = await db.rows<{ charge_id: string }>(sql`
    select charge_id from dunning_holds
     where organization_id = ${organizationId} and reason = ${reason}
       and source_id = coalesce(${sourceId}::uuid, charge_id)
       and (${chargeIds}::uuid[] is null or charge_id = any(${chargeIds}::uuid[]))
     order by charge_id`);
  return rows.map(({ charge_id }) => charge_id);
}

export function deleteHolds(
  db: Db,
  organizationId: string,
  reason: string,
  sourceId: string | null,
  chargeIds: readonly string[],
): Promise<number> {
  return db.run(sql`
    delete from dunning_holds
     where organization_id = ${organizationId} and reason = ${reason}
       and source_id = coalesce(${sourceId}::uuid, charge_id) and charge_id = any(${chargeIds}::uuid[])`);
}

/** Charges with a hold whose last day is past, some at a time. */
export async function selectHeldPast(
  db: Db,
  organizationId: string,
  today: string,
  chargesMax: number,
): Promise<string[]> {
  const rows = await db.rows<{ charge_id: string }>(sql`
    select distinct charge_id from dunning_holds
     where organization_id = ${organizationId} and until < ${today}::date
     order by charge_id limit ${chargesMax}`);
  return rows.map(({ charge_id }) => charge_id);
}

export function deleteHoldsPast(
  db: Db,
  organizationId: string,
  today: string,
  chargeIds: readonly string[],
): Promise<number> {
  return db.run(sql`
    delete from dunning_holds
     where organization_id = ${organizationId} and until < ${today}::date
       and charge_id = any(${chargeIds}::uuid[])`);
}
