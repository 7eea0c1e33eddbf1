/** What an agreement does to the charges in it. The agreement and its figures are of the slice of agreements. */

import type { WriteContext } from '../../core/operation.ts';
import { deleteHolds, upsertHolds } from './hold-queries.ts';
import { fromNow } from './holds.ts';
import type { ChargeRow } from './queries.ts';
import { replayFrom } from './replay.ts';
import { openStatusOf, requireCollectable, requireStatus } from './rules.ts';

/**
 * Puts charges, which the caller holds locked, under an accepted agreement: their rules stop. A charge that this very
 * agreement had closed goes back under it, when one of its payments turns out to be none (its credits are taken away
 * before). Fails with `charge_in_agreement` or `invalid_state`.
 */
export async function enterAgreement(
  context: WriteContext,
  rows: readonly ChargeRow[],
  agreementId: string,
): Promise<ChargeRow[]> {
  for (const row of rows) {
    if (row.status !== 'paid' || row.agreement_id !== agreementId) requireCollectable(row);
  }
  const { db, organizationId, now } = context;
  const hold = { reason: 'agreement', sourceId: agreementId, until: null, note: null };
  const ids = rows.map(({ id }) => id);
  await upsertHolds(db, organizationId, ids, { ...hold, by: context.caller.user.id }, now);
  return eachOf(rows, (row) =>
    replayFrom(context, row, { ...row, status: 'in_agreement', agreement_id: agreementId }),
  );
}

/**
 * Gives charges back after an agreement was broken or canceled: late or not by their due dates, with what the
 * agreement's payments are worth on them (its credits are written before). Their rules go on from now.
 */
export async function leaveAgreement(
  context: WriteContext,
  rows: readonly ChargeRow[],
): Promise<ChargeRow[]> {
  await release(context, rows);
  return eachOf(rows, (row) =>
    replayFrom(context, row, {
      ...opened(context, row),
      agreement_id: null,
      rule_started_at: row.collection_rule_id === null ? null : fromNow(context, row),
    }),
  );
}

/**
 * Closes charges whose agreement was completed: its credits, the closing one included, are written before. They stay
 * tied to the agreement, which says how they were paid.
 */
export async function closeByAgreement(
  context: WriteContext,
  rows: readonly ChargeRow[],
): Promise<ChargeRow[]> {
  await release(context, rows);
  return eachOf(rows, (row) => replayFrom(context, row, opened(context, row)));
}

function opened(context: WriteContext, row: ChargeRow): ChargeRow {
  return { ...row, status: openStatusOf(row.adjusted_due_date, context.today) };
}

async function release(context: WriteContext, rows: readonly ChargeRow[]): Promise<void> {
  for (const row of rows) {
    requireStatus(row.status, ['in_agreement']);
    const { db, organizationId } = context;
    await deleteHolds(db, organizationId, 'agreement', row.agreement_id, [row.id]);
  }
}

async function eachOf(
  rows: readonly ChargeRow[],
  change: (row: ChargeRow) => Promise<ChargeRow>,
): Promise<ChargeRow[]> {
  const after: ChargeRow[] = [];
  for (const row of rows) after.push(await change(row));
  return after;
}
