import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  recentIds,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

export type DisputeRow = Tables['dunning_disputes'] & {
  readonly person_name: string;
  readonly charge_description: string;
  readonly charge_amount_cents: number;
};
export type CommentRow = Tables['dunning_dispute_comments'];

export const disputeSorts = sortsOf({ created_at: { column: 'd.created_at', keyForm: 'instant' } });
export const commentSorts = sortsOf({ created_at: { column: 'c.created_at', keyForm: 'instant' } });

interface ListPage {
  readonly sort: ListSort;
  readonly position: Position | null;
  readonly limit: number;
}

export interface DisputeFilter extends TimeFilters {
  status?: string | undefined;
  person_id?: string | undefined;
  charge_id?: string | undefined;
}

export function selectDisputes(
  db: Db,
  organizationId: string,
  filter: DisputeFilter,
  page: ListPage,
): Promise<DisputeRow[]> {
  return db.rows<DisputeRow>(sql`
    ${joined(organizationId)}
       ${all(
         filter.status !== undefined && sql`d.status = ${filter.status}`,
         filter.person_id !== undefined && sql`d.person_id = ${filter.person_id}`,
         filter.charge_id !== undefined && sql`d.charge_id = ${filter.charge_id}`,
       )}
       ${timeFilters(filter, 'd')}
       ${after(page.sort, page.position, 'd.id')}
     ${orderAndLimit(page.sort, page.limit, 'd.id')}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectDispute(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<DisputeRow | undefined> {
  return db.row<DisputeRow>(sql`
    ${joined(organizationId)} and d.id = ${id} ${raw(lock ? 'for update of d' : '')}`);
}

function joined(organizationId: string): Sql {
  return sql`
    select d.*, p.name as person_name, c.description as charge_description, c.amount_cents as charge_amount_cents
      from dunning_disputes d
      join dunning_people p on p.organization_id = d.organization_id and p.id = d.person_id
      join dunning_charges c on c.organization_id = d.organization_id and c.id = d.charge_id
     where d.organization_id = ${organizationId}`;
}

/** The dispute of a charge that is not resolved yet. */
export async function selectLiveDispute(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<string | undefined> {
  const row = await db.row<{ id: string }>(sql`
    select id from dunning_disputes
     where organization_id = ${organizationId} and charge_id = ${chargeId} and status in ('open', 'under_review')`);
  return row?.id;
}

export async function selectRecentDisputeIds(
  db: Db,
  organizationId: string,
  typed: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(recentIds('dunning_disputes', organizationId, typed));
  return rows.map(({ id }) => id);
}

export type NewDispute = Pick<
  Tables['dunning_disputes'],
  | 'organization_id'
  | 'id'
  | 'charge_id'
  | 'person_id'
  | 'reason'
  | 'description'
  | 'disputed_cents'
  | 'created_by'
>;

export function insertDispute(db: Db, row: NewDispute, now: Date): Promise<number> {
  return db.run(sql`
    insert into dunning_disputes (organization_id, id, charge_id, person_id, reason, description, disputed_cents,
                                  status, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.charge_id}, ${row.person_id}, ${row.reason}, ${row.description},
            ${row.disputed_cents}, 'open', ${row.created_by}, ${now}, ${now})`);
}

export function updateDispute(db: Db, row: Tables['dunning_disputes'], now: Date): Promise<number> {
  return db.run(sql`
    update dunning_disputes
       set status = ${row.status}, resolution = ${row.resolution}, adjusted_cents = ${row.adjusted_cents},
           resolved_by = ${row.resolved_by}, resolved_at = ${row.resolved_at},
           updated_at = ${now}, version = version + 1
     where organization_id = ${row.organization_id} and id = ${row.id}`);
}

export function selectComments(
  db: Db,
  organizationId: string,
  disputeId: string,
  page: ListPage,
): Promise<CommentRow[]> {
  return db.rows<CommentRow>(sql`
    select c.* from dunning_dispute_comments c
     where c.organization_id = ${organizationId} and c.dispute_id = ${disputeId}
       ${after(page.sort, page.position, 'c.id')}
     ${orderAndLimit(page.sort, page.limit, 'c.id')}`);
}

export function insertComment(db: Db, row: CommentRow): Promise<number> {
  return db.run(sql`
    insert into dunning_dispute_comments (organization_id, id, dispute_id, body, created_by, created_at)
    values (${row.organization_id}, ${row.id}, ${row.dispute_id}, ${row.body}, ${row.created_by}, ${row.created_at})`);
}
