import type { ApprovalPlace, Decision, NewApproval } from '../core/approvals.ts';
import type { Position } from '../core/paging.ts';
import type { Db } from '../core/ports.ts';
import { after, all, type ListSort, orderAndLimit, sortsOf } from '../db/listing.ts';
import type { Tables } from '../db/rows.ts';
import { raw, sql } from '../db/sql.ts';

export type ControlsRow = Tables['controls'];

export type ApprovalRow = Tables['approvals'] & {
  /** The status now: one that waited too long is `expired`, whether or not anybody has written that down. */
  readonly state: string;
  readonly requested_by_name: string;
  readonly decided_by_name: string | null;
  /** What the client calls itself; null where it is no connection of the organization. */
  readonly client_name: string | null;
};

export const tenantIdOf = ({ organizationId, workspaceId }: ApprovalPlace): string =>
  workspaceId ?? organizationId;

export function selectControls(db: Db, tenantId: string): Promise<ControlsRow | undefined> {
  return db.row<ControlsRow>(sql`select * from controls where tenant_id = ${tenantId}`);
}

/**
 * The switch stays where it is until this transaction ends; any number hold it at once. A lock by name and not of the
 * row, because most tenants have no row, and because holding a row writes it.
 */
export function lockControlsShared(db: Db, tenantId: string): Promise<number> {
  return db.run(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`controls/${tenantId}`}, 0))`);
}

/** Waits until nobody holds the switch; whoever wants to hold it now waits for this transaction. */
export function lockControls(db: Db, tenantId: string): Promise<number> {
  return db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`controls/${tenantId}`}, 0))`);
}

export function upsertControls(db: Db, row: ControlsRow): Promise<number> {
  return db.run(sql`
    insert into controls (tenant_id, organization_id, approvals_enabled, approval_hours, second_person_from_cents,
                          frozen_at, frozen_by, freeze_reason, updated_at)
    values (${row.tenant_id}, ${row.organization_id}, ${row.approvals_enabled}, ${row.approval_hours},
            ${row.second_person_from_cents}, ${row.frozen_at}, ${row.frozen_by}, ${row.freeze_reason}, ${row.updated_at})
    on conflict (tenant_id) do update
       set approvals_enabled = excluded.approvals_enabled, approval_hours = excluded.approval_hours,
           second_person_from_cents = excluded.second_person_from_cents, frozen_at = excluded.frozen_at,
           frozen_by = excluded.frozen_by, freeze_reason = excluded.freeze_reason, updated_at = excluded.updated_at`);
}

export function selectUserName(db: Db, id: string): Promise<{ name: string } | undefined> {
  return db.row(sql`select name from users where id = ${id}`);
}

/** One after the other for one person: counting what waits and adding to it is one step. */
export function lockAsker(db: Db, tenantId: string, userId: string): Promise<number> {
  return db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`approvals/${tenantId}/${userId}`}, 0))`);
}

export function selectWaiting(
  db: Db,
  { organizationId, workspaceId, requestedBy, operation, argumentsDigest }: NewApproval,
): Promise<{ id: string; expires_at: string } | undefined> {
  return db.row(sql`
    select id, expires_at from approvals
     where tenant_id = ${workspaceId ?? organizationId} and requested_by = ${requestedBy} and operation = ${operation}
       and arguments_digest = ${argumentsDigest} and status = 'pending'`);
}

/** What waited too long makes room for the same call. */
export function updateExpired(db: Db, tenantId: string, userId: string, now: Date): Promise<number> {
  return db.run(sql`
    update approvals set status = 'expired', decided_at = expires_at
     where tenant_id = ${tenantId} and requested_by = ${userId} and status = 'pending' and expires_at <= ${now}`);
}

/** How many calls of the person wait, and until when the one does that ends first. */
export async function selectWaitingCount(
  db: Db,
  tenantId: string,
  userId: string,
): Promise<{ count: number; until: string | null }> {
  const row = await db.row<{ count: number; until: string | null }>(sql`
    select count(*)::integer as count, min(expires_at) as until from approvals
     where tenant_id = ${tenantId} and requested_by = ${userId} and status = 'pending'`);
  return row!;
}

export function insertApproval(db: Db, one: NewApproval): Promise<number> {
  return db.run(sql`
    insert into approvals (tenant_id, id, organization_id, workspace_id, product, operation, arguments, arguments_digest,
                           reason, question, amount_cents, requested_by, token_id, client_id, surface, requested_at, expires_at)
    values (${tenantIdOf(one)}, ${one.id}, ${one.organizationId}, ${one.workspaceId}, ${one.product}, ${one.operation},
            ${JSON.stringify(one.arguments)}::jsonb, ${one.argumentsDigest}, ${one.reason}, ${one.question},
            ${one.amountCents}, ${one.requestedBy}, ${one.tokenId}, ${one.clientId}, ${one.surface}, ${one.requestedAt},
            ${one.expiresAt})`);
}

const approvalWithNames = (now: Date) => sql`
  select a.*, requester.name as requested_by_name, decider.name as decided_by_name,
         (select c.client_name from connections c
           where c.organization_id = a.organization_id and c.client_id = a.client_id
           order by c.created_at desc limit 1) as client_name,
         case when a.status = 'pending' and a.expires_at <= ${now} then 'expired' else a.status end as state
    from approvals a
    join users requester on requester.id = a.requested_by
    left join users decider on decider.id = a.decided_by`;

export function selectApproval(
  db: Db,
  tenantId: string,
  id: string,
  now: Date,
): Promise<ApprovalRow | undefined> {
  return db.row<ApprovalRow>(sql`${approvalWithNames(now)} where a.tenant_id = ${tenantId} and a.id = ${id}`);
}

export function selectApprovalForUpdate(
  db: Db,
  tenantId: string,
  id: string,
  now: Date,
): Promise<ApprovalRow | undefined> {
  return db.row<ApprovalRow>(sql`
    ${approvalWithNames(now)} where a.tenant_id = ${tenantId} and a.id = ${id} for update of a`);
}

export function updateDecided(
  db: Db,
  tenantId: string,
  id: string,
  { status, decidedBy, decidedAt, decidedWith, declineReason, answer, error }: Decision,
): Promise<number> {
  return db.run(sql`
    update approvals
       set status = ${status}, decided_by = ${decidedBy}, decided_at = ${decidedAt}, decided_with = ${decidedWith},
           decline_reason = ${declineReason ?? null}, answer = ${jsonOf(answer)}::jsonb, error = ${jsonOf(error)}::jsonb
     where tenant_id = ${tenantId} and id = ${id} and status = 'pending'`);
}

const jsonOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export const approvalSorts = sortsOf({ requested_at: { column: 'a.requested_at', keyForm: 'instant' } });

export interface ApprovalFilter {
  readonly product: string;
  readonly status?: string | undefined;
  readonly operation?: string | undefined;
  /** An approval counts as made when it was asked for, and as updated when it was decided. */
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  readonly updated_from?: string | undefined;
  readonly updated_to?: string | undefined;
  /** Who looks: they see what they asked for, and of these operations what anybody did; null: of all. */
  readonly viewer: { readonly userId: string; readonly operations: readonly string[] | null };
  readonly now: Date;
}

export function selectApprovals(
  db: Db,
  tenantId: string,
  filter: ApprovalFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<ApprovalRow[]> {
  const { product, status, operation, viewer, now } = filter;
  return db.rows<ApprovalRow>(sql`
    ${approvalWithNames(now)}
     where a.tenant_id = ${tenantId} and a.product = ${product}
       ${all(
         viewer.operations !== null &&
           sql`(a.requested_by = ${viewer.userId} or a.operation = any(${viewer.operations}))`,
         operation !== undefined && sql`a.operation = ${operation}`,
         ...timesOf(filter),
         status === 'pending' && sql`a.status = 'pending' and a.expires_at > ${now}`,
         status === 'expired' &&
           sql`(a.status = 'expired' or (a.status = 'pending' and a.expires_at <= ${now}))`,
         status !== undefined && !['pending', 'expired'].includes(status) && sql`a.status = ${status}`,
       )}
       ${after(page.sort, page.position, 'a.id')}
     ${orderAndLimit(page.sort, page.limit, 'a.id')}`);
}

function timesOf(filter: ApprovalFilter) {
  const updatedAt = raw('coalesce(a.decided_at, a.requested_at)');
  return [
    filter.created_from !== undefined && sql`a.requested_at >= ${filter.created_from}::timestamptz`,
    filter.created_to !== undefined && sql`a.requested_at <= ${filter.created_to}::timestamptz`,
    filter.updated_from !== undefined && sql`${updatedAt} >= ${filter.updated_from}::timestamptz`,
    filter.updated_to !== undefined && sql`${updatedAt} <= ${filter.updated_to}::timestamptz`,
  ];
}
