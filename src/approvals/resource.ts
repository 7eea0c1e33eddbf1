import {
  type Approval,
  type ApprovalReason,
  type ApprovalStatus,
  approvalPathOf,
} from '../core/approvals.ts';
import type { Product } from '../core/caller.ts';
import { maskedArguments } from '../core/confirmations.ts';
import { fail } from '../core/errors.ts';
import { moneyText } from '../core/fields.ts';
import type { Context } from '../core/operation.ts';
import { decodeCursor, pageOf } from '../core/paging.ts';
import type { Surface } from '../core/ports.ts';
import { type ApprovalRow, approvalSorts, selectApproval, selectApprovals } from './queries.ts';
import type { ApprovalRecord } from './schema.ts';

/** The public record of a row. */
function recordOf(row: ApprovalRow, publicUrl: string | null): ApprovalRecord {
  return {
    id: row.id,
    product: row.product as Product,
    workspace_id: row.workspace_id,
    status: row.state as ApprovalStatus,
    reason: row.reason as ApprovalReason,
    operation: row.operation,
    arguments: maskedArguments(row.arguments as Record<string, unknown>),
    question: row.question,
    amount: row.amount_cents === null ? null : moneyText(row.amount_cents),
    requested_by: { user_id: row.requested_by, name: row.requested_by_name },
    client_id: row.client_id,
    client_name: row.client_name,
    surface: row.surface,
    requested_at: row.requested_at,
    expires_at: row.expires_at,
    console_url: publicUrl === null ? null : `${publicUrl}${approvalPathOf(row.id, row.workspace_id)}`,
    decided_by: row.decided_by === null ? null : { user_id: row.decided_by, name: row.decided_by_name ?? '' },
    decided_at: row.decided_at,
    decided_with: row.decided_with as ApprovalRecord['decided_with'],
    decline_reason: row.decline_reason,
    answer: row.answer as ApprovalRecord['answer'],
    error: row.error as ApprovalRecord['error'],
  };
}

/** What `invoke` works with. The columns hold what their checks allow. */
export function approvalOf(row: ApprovalRow): Approval {
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    product: row.product as Product,
    operation: row.operation,
    arguments: row.arguments as Record<string, unknown>,
    argumentsDigest: row.arguments_digest,
    reason: row.reason as ApprovalReason,
    question: row.question,
    amountCents: row.amount_cents,
    requestedBy: row.requested_by,
    requestedByName: row.requested_by_name,
    tokenId: row.token_id,
    clientId: row.client_id,
    clientName: row.client_name,
    surface: row.surface as Surface,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    status: row.state as ApprovalStatus,
    record: recordOf(row, null),
  };
}

export interface ApprovalsAsked {
  readonly status?: ApprovalStatus | undefined;
  readonly operation?: string | undefined;
  readonly sort: 'requested_at' | '-requested_at';
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  readonly updated_from?: string | undefined;
  readonly updated_to?: string | undefined;
}

/** A page of what the caller may see of the approvals of this product at this place. */
export async function approvalsPage(context: Context, product: Product, input: ApprovalsAsked) {
  const { db, now } = context;
  const sort = approvalSorts[input.sort]!;
  const found = await selectApprovals(
    db,
    tenantIdAt(context),
    { ...input, product, viewer: viewerOf(context, product), now },
    { sort, position: decodeCursor(sort, input.cursor), limit: input.limit },
  );
  const page = pageOf(found, input.limit, sort, (row) => ({ key: row.requested_at, id: row.id }));
  return { items: page.rows.map((row) => recordOf(row, context.publicUrl)), next_cursor: page.next_cursor };
}

/** One of them. Fails with `not_found` for whatever the caller may not see. */
export async function approvalFor(context: Context, product: Product, id: string): Promise<ApprovalRecord> {
  const row = await selectApproval(context.db, tenantIdAt(context), id, context.now);
  const { userId, operations } = viewerOf(context, product);
  if (
    row === undefined ||
    row.product !== product ||
    !(row.requested_by === userId || operations === null || operations.includes(row.operation))
  ) {
    return fail('not_found', { kind: 'approval' });
  }
  return recordOf(row, context.publicUrl);
}

/** Whoever reads the events sees all; others what they asked for and what they could say yes to. */
function viewerOf({ caller, scopes, catalogue }: Context, product: Product) {
  const operations = scopes.has(`${product}.events`)
    ? null
    : catalogue.operations
        .filter((one) => one.effect === 'destructive' && one.scopes.every((scope) => scopes.has(scope)))
        .map(({ name }) => name);
  return { userId: caller.user.id, operations };
}

const tenantIdAt = ({ workspaceId, organizationId }: Context): string =>
  workspaceId === '' ? organizationId : workspaceId;
