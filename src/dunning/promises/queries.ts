import type { CivilDate } from '../../core/dates.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type PromiseRow = Tables['dunning_promises'] & { readonly person_name: string };

export const promiseSorts = sortsOf({
  promised_for: { column: 'm.promised_for', keyForm: 'date' },
  created_at: { column: 'm.created_at', keyForm: 'instant' },
});

export interface PromiseFilter extends TimeFilters {
  status?: string | undefined;
  person_id?: string | undefined;
  due_from?: string | undefined;
  due_to?: string | undefined;
}

export function selectPromises(
  db: Db,
  organizationId: string,
  filter: PromiseFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<PromiseRow[]> {
  return db.rows<PromiseRow>(sql`
    select m.*, p.name as person_name
      from dunning_promises m
      join dunning_people p on p.organization_id = m.organization_id and p.id = m.person_id
     where m.organization_id = ${organizationId}
       ${all(
         filter.status !== undefined && sql`m.status = ${filter.status}`,
         filter.person_id !== undefined && sql`m.person_id = ${filter.person_id}`,
         filter.due_from !== undefined && sql`m.promised_for >= ${filter.due_from}`,
         filter.due_to !== undefined && sql`m.promised_for <= ${filter.due_to}`,
       )}
       ${timeFilters(filter, 'm')}
       ${after(page.sort, page.position, 'm.id')}
     ${orderAndLimit(page.sort, page.limit, 'm.id')}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectPromise(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<PromiseRow | undefined> {
  return db.row<PromiseRow>(sql`
    select m.*, p.name as person_name
      from dunning_promises m
      join dunning_people p on p.organization_id = m.organization_id and p.id = m.person_id
     where m.organization_id = ${organizationId} and m.id = ${id} ${raw(lock ? 'for update of m' : '')}`);
}

/** An open promise about one of the charges, all of this debtor. */
export async function selectOpenPromise(
  db: Db,
  organizationId: string,
  personId: string,
  chargeIds: readonly string[],
): Promise<string | undefined> {
  const row = await db.row<{ id: string }>(sql`
    select id from dunning_promises
     where organization_id = ${organizationId} and person_id = ${personId} and status = 'open'
       and charge_ids && ${chargeIds}::uuid[]
     order by id limit 1`);
  return row?.id;
}

/** Open promises of the debtor of a charge that are about it. */
export async function selectOpenPromisesOf(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select m.id
      from dunning_charges c
      join dunning_promises m on m.organization_id = c.organization_id and m.person_id = c.person_id
     where c.organization_id = ${organizationId} and c.id = ${chargeId}
       and m.status = 'open' and c.id = any(m.charge_ids)
     order by m.id`);
  return rows.map(({ id }) => id);
}

/** Open promises whose last day has passed, with their charges. */
export function selectOverduePromises(
  db: Db,
  organizationId: string,
  today: CivilDate,
  limit: number,
): Promise<Pick<PromiseRow, 'id' | 'charge_ids'>[]> {
  return db.rows(sql`
    select id, charge_ids from dunning_promises
     where organization_id = ${organizationId} and status = 'open' and keep_until < ${today}
     order by keep_until, id limit ${limit}`);
}

/**
 * What was paid on the charges since the promise was given, by its last day, and whether one of them is still
 * collected.
 */
export async function selectPromiseStanding(
  db: Db,
  promise: Tables['dunning_promises'],
): Promise<{ paid_cents: number; is_owed: boolean }> {
  const { organization_id: organizationId, charge_ids: chargeIds } = promise;
  const row = await db.row<{ paid_cents: number; is_owed: boolean }>(sql`
    select (select coalesce(sum(amount_cents - excess_cents), 0)::bigint from dunning_payments
             where organization_id = ${organizationId} and charge_id = any(${chargeIds}::uuid[])
               and status = 'confirmed' and paid_on between ${promise.promised_on} and ${promise.keep_until}
               and created_at >= ${promise.created_at}::timestamptz) as paid_cents,
           exists (select 1 from dunning_charges
                    where organization_id = ${organizationId} and id = any(${chargeIds}::uuid[])
                      and status in ('pending', 'overdue')) as is_owed`);
  return row!;
}

/** Those who promise about the same debtor wait for each other. */
export function lockPromisesOf(db: Db, personId: string): Promise<number> {
  return db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`dunning_promises/${personId}`}, 0))`);
}

export type NewPromise = Omit<
  Tables['dunning_promises'],
  'status' | 'paid_cents' | 'ended_at' | 'ended_reason' | 'created_at' | 'updated_at' | 'version'
>;

export function insertPromise(db: Db, row: NewPromise, now: Date): Promise<number> {
  return db.run(sql`
    insert into dunning_promises (organization_id, id, person_id, charge_ids, amount_cents, promised_for, promised_on,
                                  keep_until, channel, status, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.person_id}, ${row.charge_ids}::uuid[], ${row.amount_cents},
            ${row.promised_for}, ${row.promised_on}, ${row.keep_until}, ${row.channel}, 'open', ${row.created_by},
            ${now}, ${now})`);
}

export function updatePromise(db: Db, row: Tables['dunning_promises'], now: Date): Promise<number> {
  return db.run(sql`
    update dunning_promises
       set amount_cents = ${row.amount_cents}, promised_for = ${row.promised_for}, keep_until = ${row.keep_until},
           channel = ${row.channel}, status = ${row.status}, paid_cents = ${row.paid_cents},
           ended_at = ${row.ended_at}, ended_reason = ${row.ended_reason},
           updated_at = ${now}, version = version + 1
     where organization_id = ${row.organization_id} and id = ${row.id}`);
}
