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

export type InteractionRow = Tables['dunning_interactions'] & { readonly person_name: string };

export const interactionSorts = sortsOf({ occurred_at: { column: 'i.occurred_at', keyForm: 'instant' } });

export interface InteractionFilter extends TimeFilters {
  person_id?: string | undefined;
  charge_id?: string | undefined;
  kind?: string | undefined;
  direction?: string | undefined;
  outcome?: string | undefined;
  occurred_from?: string | undefined;
  occurred_to?: string | undefined;
}

/** The interactions of a charge are looked for among those of its debtor, which an index finds. */
export function selectInteractions(
  db: Db,
  organizationId: string,
  filter: InteractionFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<InteractionRow[]> {
  const { charge_id } = filter;
  return db.rows<InteractionRow>(sql`
    select i.*, p.name as person_name
      from dunning_interactions i
      join dunning_people p on p.organization_id = i.organization_id and p.id = i.person_id
     where i.organization_id = ${organizationId}
       ${all(
         filter.person_id !== undefined && sql`i.person_id = ${filter.person_id}`,
         charge_id !== undefined &&
           sql`i.person_id = (select person_id from dunning_charges
                               where organization_id = ${organizationId} and id = ${charge_id})
               and ${charge_id}::uuid = any(i.charge_ids)`,
         filter.kind !== undefined && sql`i.kind = ${filter.kind}`,
         filter.direction !== undefined && sql`i.direction = ${filter.direction}`,
         filter.outcome !== undefined && sql`i.outcome = ${filter.outcome}`,
         filter.occurred_from !== undefined && sql`i.occurred_at >= ${filter.occurred_from}::timestamptz`,
         filter.occurred_to !== undefined && sql`i.occurred_at <= ${filter.occurred_to}::timestamptz`,
       )}
       ${timeFilters(filter, 'i')}
       ${after(page.sort, page.position, 'i.id')}
     ${orderAndLimit(page.sort, page.limit, 'i.id')}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectInteraction(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<InteractionRow | undefined> {
  return db.row<InteractionRow>(sql`
    select i.*, p.name as person_name
      from dunning_interactions i
      join dunning_people p on p.organization_id = i.organization_id and p.id = i.person_id
     where i.organization_id = ${organizationId} and i.id = ${id} ${raw(lock ? 'for update of i' : '')}`);
}

/** Whose the charges are, each debtor once. */
export async function selectDebtorsOf(
  db: Db,
  organizationId: string,
  chargeIds: readonly string[],
): Promise<{ person_id: string; count: number }[]> {
  return db.rows<{ person_id: string; count: number }>(sql`
    select person_id, count(*) as count from dunning_charges
     where organization_id = ${organizationId} and id = any(${chargeIds}::uuid[]) group by person_id`);
}

export type NewInteraction = Omit<Tables['dunning_interactions'], 'created_at' | 'updated_at' | 'version'>;

export function insertInteraction(db: Db, row: NewInteraction, now: Date): Promise<number> {
  return db.run(sql`
    insert into dunning_interactions (organization_id, id, person_id, charge_ids, kind, direction, outcome, summary,
                                      occurred_at, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.person_id}, ${row.charge_ids}::uuid[], ${row.kind},
            ${row.direction}, ${row.outcome}, ${row.summary}, ${row.occurred_at}, ${row.created_by}, ${now}, ${now})`);
}

export function updateInteraction(
  db: Db,
  row: Omit<NewInteraction, 'person_id' | 'created_by'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_interactions
       set charge_ids = ${row.charge_ids}::uuid[], kind = ${row.kind}, direction = ${row.direction},
           outcome = ${row.outcome}, summary = ${row.summary}, occurred_at = ${row.occurred_at},
           updated_at = ${now}, version = version + 1
     where organization_id = ${row.organization_id} and id = ${row.id}`);
}

export function deleteInteraction(db: Db, organizationId: string, id: string): Promise<number> {
  return db.run(
    sql`delete from dunning_interactions where organization_id = ${organizationId} and id = ${id}`,
  );
}
