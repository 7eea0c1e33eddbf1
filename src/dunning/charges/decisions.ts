/** Decisions that others make about a charge: calling it off, taking off of it, disputing it, taking it to law. */

import { type ErrorCode, fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { selectHolds } from './hold-queries.ts';
import { selectEntries } from './ledger-queries.ts';
import {
  type ChargeRow,
  deleteLiveLegalAction,
  insertLiveLegalAction,
  selectLiveLegalAction,
} from './queries.ts';
import { replayFrom } from './replay.ts';
import { changeCharge, requireCharge } from './resource.ts';
import { dunningStateOf, requireCollectable } from './rules.ts';

const DEPENDENTS_NAMED_MAX = 10;

export type LegalKind = 'negativation' | 'protest';

/**
 * That a charge can be called off now. Fails with `charge_in_agreement`, `invalid_state`, or `in_use` while a payment
 * of it stands: money that was received is reversed first, or the rest is taken off by a dispute.
 */
export async function requireCancelable(context: Context, row: ChargeRow): Promise<void> {
  requireCollectable(row);
  const entries = await selectEntries(context.db, context.organizationId, [row.id]);
  if (entries.length === 0) return;
  const by = entries
    .slice(0, DEPENDENTS_NAMED_MAX)
    .map(({ payment_id }) => ({ kind: payment_id === null ? 'agreement' : 'payment', id: payment_id }));
  fail('in_use', { by });
}

/** The same as an answer, for many charges at once. A ledger says that something was paid. */
export function cancelRefusalOf(row: ChargeRow): ErrorCode | null {
  if (row.status === 'in_agreement') return 'charge_in_agreement';
  if (row.status !== 'pending' && row.status !== 'overdue') return 'invalid_state';
  return row.ledger === null ? null : 'in_use';
}

/**
 * Calls off a charge that the caller holds locked; a live legal action on it is called off by who follows charges.
 * Fails as `requireCancelable` does.
 */
export async function cancelCharge(
  context: WriteContext,
  row: ChargeRow,
  reason: string,
): Promise<ChargeRow> {
  await requireCancelable(context, row);
  return closeCharge(context, row, reason);
}

/**
 * Calls off what is left of a charge that the caller holds locked; what was paid of it stays paid. For debts that were
 * given up elsewhere. Fails with `charge_in_agreement` or `invalid_state`.
 */
export async function closeCharge(context: WriteContext, row: ChargeRow, reason: string): Promise<ChargeRow> {
  requireCollectable(row);
  const canceled = { ...row, status: 'canceled', canceled_reason: reason };
  return changeCharge(context, row, { ...canceled, ...dunningStateOf(canceled, []) });
}

/**
 * Sets what is taken off the face value of a charge, which the caller holds locked: fine and interest run on the rest,
 * and what was paid is gone through again. Fails with `exceeds_open_amount` for more than the face value, and as
 * `requireCollectable` does for a charge in agreement or canceled.
 */
export async function abateCharge(
  context: WriteContext,
  row: ChargeRow,
  abatementCents: Cents,
): Promise<ChargeRow> {
  if (row.status !== 'paid') requireCollectable(row);
  if (abatementCents > row.amount_cents) fail('exceeds_open_amount', { open: moneyText(row.amount_cents) });
  return replayFrom(context, row, { ...row, abatement_cents: abatementCents });
}

/** Marks a charge, which the caller holds locked, as disputed or not. Holding its rule is the dispute's own call. */
export function setDisputed(context: WriteContext, row: ChargeRow, isDisputed: boolean): Promise<ChargeRow> {
  return changeCharge(context, row, { ...row, is_disputed: isDisputed });
}

/**
 * Takes a charge, which the caller holds locked, to law. At most one action lives on it (MODEL §14, invariant 13). Fails
 * with `legal_action_exists`.
 */
export async function takeLegal(
  context: WriteContext,
  row: ChargeRow,
  kind: LegalKind,
  actionId: string,
): Promise<ChargeRow> {
  const { db, organizationId } = context;
  if (!(await insertLiveLegalAction(db, organizationId, row.id, kind, actionId))) {
    const other = await selectLiveLegalAction(db, organizationId, row.id);
    fail('legal_action_exists', { kind: other?.kind, id: other?.action_id });
  }
  return changeCharge(context, row, { ...row, legal_kind: kind });
}

/** The action is over; another one may be asked for. Nothing happens when it does not live on the charge. */
export async function freeLegal(context: WriteContext, chargeId: string, actionId: string): Promise<void> {
  const { db, organizationId } = context;
  const row = await requireCharge(context, chargeId);
  if ((await deleteLiveLegalAction(db, organizationId, chargeId, actionId)) === 0) return;
  await changeCharge(context, row, { ...row, legal_kind: null });
}

/** The row of a charge, which the caller holds locked, with its rule where its state and its holds say. */
export async function withRuleState(context: Context, row: ChargeRow): Promise<ChargeRow> {
  const held = await selectHolds(context.db, context.organizationId, [row.id]);
  const reasons = held.map(({ reason }) => reason);
  return { ...row, ...dunningStateOf(row, reasons) };
}
