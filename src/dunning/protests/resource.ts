import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type ChargeRow, freeLegal, holdCharges, releaseCharges, requireCharge } from '../charges/index.ts';
import { type ProtestRow, selectDocumentBytes, selectProtest, updateProtest } from './queries.ts';
import { holdsTheRule, isOver } from './rules.ts';
import type { Protest } from './schema.ts';

export type { ProtestRow } from './queries.ts';

/** The public record of a row. */
export function protestOf(row: ProtestRow): Protest {
  const { document_name, document_content_type, document_sha256, costs } = row;
  return {
    id: row.id,
    charge_id: row.charge_id,
    person: { id: row.person_id, name: row.person_name },
    title_kind: row.title_kind,
    amount: moneyText(row.amount_cents),
    currency: 'BRL',
    debt_due_date: row.debt_due_date,
    document:
      document_name === null || document_content_type === null || document_sha256 === null
        ? null
        : {
            name: document_name,
            content_type: document_content_type,
            sha256: Buffer.from(document_sha256).toString('hex'),
          },
    status: row.status,
    status_reason: row.status_reason,
    requested_by: row.requested_by,
    approved_by: row.approved_by,
    decided_at: row.decided_at,
    decision_note: row.decision_note,
    notary: row.notary,
    protocol: row.protocol,
    protocoled_on: row.protocoled_on,
    notified_on: row.notified_on,
    notice_kind: row.notice_kind,
    deadline_on: row.deadline_on,
    protested_on: row.protested_on,
    costs: costs && { amount: moneyText(costs.amount_cents), paid_by: costs.paid_by },
    notary_reference: row.notary_reference,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The protest of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requireProtest(context: Context, id: string): Promise<ProtestRow> {
  const row = await selectProtest(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'protest', id });
}

/** The protest with its charge, the charge locked first as everywhere. Fails with `not_found`. */
export async function requireWithCharge(
  context: Context,
  id: string,
): Promise<{ row: ProtestRow; charge: ChargeRow }> {
  const found = await requireProtest({ ...context, isWriting: false }, id);
  const charge = await requireCharge(context, found.charge_id);
  return { charge, row: context.isWriting ? await requireProtest(context, id) : found };
}

/** The bytes of the document that proves the debt; null without one. */
export async function documentBytesOf(context: Context, id: string): Promise<Buffer | null> {
  const found = await selectDocumentBytes(context.db, context.organizationId, id);
  return found?.document_bytes ?? null;
}

/**
 * Writes what changed and gives the row as it is then. The rule of the charge waits while the title is at the office, and
 * the charge is free for another action when the protest is over.
 */
export async function storeProtest(
  context: WriteContext,
  before: ProtestRow,
  after: ProtestRow,
): Promise<ProtestRow> {
  await updateProtest(context.db, after, context.now);
  const stored = await requireProtest(context, after.id);
  context.changed('protest', after.id, protestOf(before), protestOf(stored));
  const hold = { reason: 'legal', sourceId: stored.id } as const;
  if (holdsTheRule(stored.status) && !holdsTheRule(before.status)) {
    await holdCharges(context, [stored.charge_id], hold);
  }
  if (holdsTheRule(before.status) && !holdsTheRule(stored.status)) await releaseCharges(context, hold);
  if (isOver(stored.status) && !isOver(before.status)) {
    await freeLegal(context, stored.charge_id, stored.id);
  }
  return stored;
}
