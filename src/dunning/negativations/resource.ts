import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type ChargeRow, freeLegal, requireCharge } from '../charges/index.ts';
import { type NegativationRow, selectNegativation, updateNegativation } from './queries.ts';
import { isOver } from './rules.ts';
import type { Negativation } from './schema.ts';

export type { NegativationRow } from './queries.ts';

/** The public record of a row. */
export function negativationOf(row: NegativationRow): Negativation {
  const { removal, prior_notice: notice } = row;
  return {
    id: row.id,
    charge_id: row.charge_id,
    person: { id: row.person_id, name: row.person_name },
    bureau: row.bureau,
    amount: moneyText(row.amount_cents),
    currency: 'BRL',
    debt_due_date: row.debt_due_date,
    reason: row.reason,
    status: row.status,
    status_reason: row.status_reason,
    requested_by: row.requested_by,
    approved_by: row.approved_by,
    decided_at: row.decided_at,
    decision_note: row.decision_note,
    prior_notice: notice && { ...notice, tried: [...notice.tried] },
    registered_at: row.registered_at,
    expires_on: row.expires_on,
    removal: removal && {
      requested_at: removal.requested_at,
      reason: removal.reason,
      deadline: removal.deadline,
      warned_on: removal.warned_on,
      done_at: removal.done_at,
    },
    bureau_reference: row.bureau_reference,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The report of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requireNegativation(context: Context, id: string): Promise<NegativationRow> {
  const row = await selectNegativation(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'negativation', id });
}

/** The report with its charge, the charge locked first as everywhere. Fails with `not_found`. */
export async function requireWithCharge(
  context: Context,
  id: string,
): Promise<{ row: NegativationRow; charge: ChargeRow }> {
  const found = await requireNegativation({ ...context, isWriting: false }, id);
  const charge = await requireCharge(context, found.charge_id);
  return { charge, row: context.isWriting ? await requireNegativation(context, id) : found };
}

/** Writes what changed, frees the charge when the report is over, and gives the row as it is then. */
export async function storeNegativation(
  context: WriteContext,
  before: NegativationRow,
  after: NegativationRow,
): Promise<NegativationRow> {
  await updateNegativation(context.db, after, context.now);
  const stored = await requireNegativation(context, after.id);
  context.changed('negativation', after.id, negativationOf(before), negativationOf(stored));
  if (isOver(stored.status) && !isOver(before.status)) {
    await freeLegal(context, stored.charge_id, stored.id);
  }
  return stored;
}
