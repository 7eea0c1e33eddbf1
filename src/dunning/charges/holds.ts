/** Holding charges back from their rule, for one reason or several, and letting them go on. */

import type { CivilDate } from '../../core/dates.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import {
  deleteHolds,
  deleteHoldsPast,
  type HoldRow,
  selectHeldChargeIds,
  selectHeldPast,
  selectHolds,
  upsertHolds,
} from './hold-queries.ts';
import type { ChargeRow } from './queries.ts';
import { findCharges, followIfChanged, requireCharges, writeCharges } from './resource.ts';
import { dunningStateOf, type HoldReason } from './rules.ts';

/** Plans what is left of the day; the job is of the slice of rules. */
const PLAN_TASK = 'dunning_plan_steps';

export interface Hold {
  readonly reason: HoldReason;
  /** The dispute, promise, agreement or action; left out, each charge is held by itself. */
  readonly sourceId?: string;
  /** The last day it holds; without it, until it is released. */
  readonly until?: CivilDate | null | undefined;
  readonly note?: string | null | undefined;
}

/** Holds the charges; one that the source holds already is held until the new day. Fails with `not_found`. */
export async function holdCharges(
  context: WriteContext,
  chargeIds: readonly string[],
  { reason, sourceId, until, note }: Hold,
): Promise<ChargeRow[]> {
  const rows = await requireCharges(context, chargeIds);
  await upsertHolds(
    context.db,
    context.organizationId,
    rows.map(({ id }) => id),
    {
      reason,
      sourceId: sourceId ?? null,
      until: until ?? null,
      note: note ?? null,
      by: context.caller.user.id,
    },
    context.now,
  );
  return followHolds(context, rows);
}

/**
 * Lets the charges go on as far as this reason is concerned: all that the source holds, or those named. Their rules go
 * on with the steps whose moment is still to come.
 */
export async function releaseCharges(
  context: WriteContext,
  release: {
    readonly reason: HoldReason;
    readonly sourceId?: string;
    readonly chargeIds?: readonly string[];
  },
): Promise<ChargeRow[]> {
  const { db, organizationId } = context;
  const { reason, sourceId = null, chargeIds = null } = release;
  const held = await selectHeldChargeIds(db, organizationId, reason, sourceId, chargeIds);
  if (held.length === 0) return [];
  const rows = await requireCharges(context, held);
  await deleteHolds(db, organizationId, reason, sourceId, held);
  return followHolds(context, rows);
}

/** Why the charges are held, oldest first. */
export function holdsOf(context: Context, chargeIds: readonly string[]): Promise<HoldRow[]> {
  return selectHolds(context.db, context.organizationId, chargeIds);
}

/** Lifts the holds whose last day is past, of some charges at a time; false when none is left. */
export async function liftPastHolds(context: WriteContext, chargesMax: number): Promise<boolean> {
  const { db, organizationId, today } = context;
  const ids = await selectHeldPast(db, organizationId, today, chargesMax);
  if (ids.length === 0) return false;
  const rows = await findCharges(context, ids);
  await deleteHoldsPast(db, organizationId, today, ids);
  await writeCharges(context, await movedByHolds(context, rows));
  // One plan for all of them: their rules go on with what is left of the day.
  context.enqueue({
    task: PLAN_TASK,
    payload: { organizationId },
    key: `${PLAN_TASK}/${organizationId}`,
  });
  return ids.length === chargesMax;
}

/** Moves charges, which the caller holds locked, to where their holds say. */
async function followHolds(context: WriteContext, rows: readonly ChargeRow[]): Promise<ChargeRow[]> {
  const moved = await movedByHolds(context, rows);
  for (const { before, changed } of moved) followIfChanged(context, before, changed);
  const after = new Map((await writeCharges(context, moved)).map((row) => [row.id, row]));
  return rows.map((row) => after.get(row.id) ?? row);
}

/** The charges that their holds move, as they are and as they will be. */
async function movedByHolds(
  context: WriteContext,
  rows: readonly ChargeRow[],
): Promise<{ before: ChargeRow; changed: ChargeRow }[]> {
  const ids = rows.map(({ id }) => id);
  const holds = await selectHolds(context.db, context.organizationId, ids);
  const held = Map.groupBy(holds, ({ charge_id }) => charge_id);
  return rows.flatMap((row) => {
    const reasons = (held.get(row.id) ?? []).map(({ reason }) => reason);
    const state = dunningStateOf(row, reasons);
    const isSame = state.dunning_state === row.dunning_state && state.paused_reason === row.paused_reason;
    return isSame ? [] : [{ before: row, changed: released(context, row, state) }];
  });
}

/** What was missed while it was held stays missed: the rule goes on from now. */
function released(
  context: WriteContext,
  row: ChargeRow,
  state: { dunning_state: string; paused_reason: string | null },
): ChargeRow {
  const goesOn = row.dunning_state === 'paused' && state.dunning_state === 'active';
  return { ...row, ...state, ...(goesOn && { rule_started_at: fromNow(context, row) }) };
}

/** Now, unless the rule begins later anyway. */
export function fromNow({ now }: Pick<WriteContext, 'now'>, row: ChargeRow): string {
  const instant = now.toISOString();
  const before = row.rule_started_at;
  return before !== null && Date.parse(before) > now.getTime() ? before : instant;
}
