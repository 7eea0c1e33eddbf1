import { fail, failArgument } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { type InteractionRow, selectDebtorsOf, selectInteraction } from './queries.ts';
import type { Interaction } from './schema.ts';

/** The public record of a row. */
export function interactionOf(row: InteractionRow): Interaction {
  return {
    id: row.id,
    person_id: row.person_id,
    person_name: row.person_name,
    charge_ids: row.charge_ids,
    kind: row.kind as Interaction['kind'],
    direction: row.direction as Interaction['direction'],
    outcome: row.outcome as Interaction['outcome'],
    summary: row.summary,
    occurred_at: row.occurred_at,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The interaction of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requireInteraction(context: Context, id: string): Promise<InteractionRow> {
  const row = await selectInteraction(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'interaction', id });
}

/** All charges have to be of the debtor. */
export async function requireChargesOf(
  context: Context,
  personId: string,
  chargeIds: readonly string[],
): Promise<void> {
  if (chargeIds.length === 0) return;
  const [theirs, ...others] = await selectDebtorsOf(context.db, context.organizationId, chargeIds);
  const isAll =
    theirs !== undefined &&
    others.length === 0 &&
    theirs.person_id === personId &&
    theirs.count === new Set(chargeIds).size;
  if (!isAll) failArgument('charge_ids', 'charges of this debtor');
}

/** What happened has happened. */
export function requirePast(context: Context, occurredAt: string): void {
  if (Date.parse(occurredAt) > context.now.getTime())
    failArgument('occurred_at', 'an instant not in the future');
}
