/** What changing, archiving, pausing and resuming a charge does and checks. */

import { isDeepStrictEqual } from 'node:util';
import { adjustedDueDateOf } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { termsOf } from '../../finance/debts/index.ts';
import { settingsOf } from '../settings/index.ts';
import type { ChargeChanges } from './arguments.ts';
import { chargeSearchText, failDuplicate } from './create.ts';
import { holdCharges, releaseCharges } from './holds.ts';
import { readCodes } from './payment-codes.ts';
import { type ChargeRow, selectChargeIdByExternalId, selectLastStepDay } from './queries.ts';
import type { StoredTerms } from './reckoning.ts';
import { replayFrom } from './replay.ts';
import { changeCharge, requireCharge } from './resource.ts';
import { checkedTerms, openStatusOf, requireCollectable, requireStatus } from './rules.ts';

export interface ChangedCharge {
  readonly charge: ChargeRow;
  readonly warnings: readonly string[];
}

/**
 * Changes a charge that is still collected. Where the due date or the terms change, everything that was paid is gone
 * through again. The due date does not go back over a step of the rule that has run already. Fails with `not_found`,
 * `charge_in_agreement`, `invalid_state`, `duplicate` or `invalid_argument`.
 */
export async function updateChargeBy(
  context: WriteContext,
  id: string,
  given: ChargeChanges,
): Promise<ChangedCharge> {
  const before = await requireCharge(context, id);
  requireCollectable(before);
  const edited = await editedCharge(context, before, given);
  if (edited.due_date < before.due_date) await requireNoStepSince(context, before, edited.due_date);
  await requireFreeExternalId(context, edited);
  const warnings = given.terms === undefined ? [] : checkedNewTerms(edited);
  const isReckonedAnew = given.terms !== undefined || edited.due_date !== before.due_date;
  if (!isReckonedAnew) {
    const isSame = isDeepStrictEqual(before, edited);
    return { charge: isSame ? before : await changeCharge(context, before, edited), warnings };
  }
  const start = { ...edited, status: openStatusOf(edited.adjusted_due_date, context.today) };
  await replayFrom(context, before, start);
  return { charge: await requireCharge(context, id), warnings };
}

/** Hides a charge that is done with; nothing happens to one that is hidden already. Fails with `invalid_state`. */
export async function archiveCharge(context: WriteContext, id: string): Promise<ChargeRow> {
  const row = await requireArchivable(context, id);
  if (row.archived_at !== null) return row;
  return changeCharge(context, row, { ...row, archived_at: context.now.toISOString() });
}

/** The charge, if it can be hidden now. Fails with `not_found` or `invalid_state`. */
export async function requireArchivable(context: Context, id: string): Promise<ChargeRow> {
  const row = await requireCharge(context, id);
  requireStatus(row.status, ['paid', 'canceled']);
  return row;
}

/** Stops the rule of a charge until a day, or until it is resumed. Fails as `requireCollectable` does. */
export async function pauseCharge(
  context: WriteContext,
  id: string,
  pause: { readonly until?: CivilDate | undefined; readonly note: string },
): Promise<ChargeRow> {
  requireCollectable(await requireCharge(context, id));
  if (pause.until !== undefined && pause.until < context.today) {
    failArgument('until', 'a date from today on');
  }
  await holdCharges(context, [id], { reason: 'manual', ...pause });
  return requireCharge(context, id);
}

/** Takes a pause away; other reasons to wait stay. Steps whose moment has passed meanwhile never run. */
export async function resumeCharge(context: WriteContext, id: string): Promise<ChargeRow> {
  await requireCharge(context, id);
  await releaseCharges(context, { reason: 'manual', chargeIds: [id] });
  return requireCharge(context, id);
}

async function editedCharge(
  context: WriteContext,
  before: ChargeRow,
  given: ChargeChanges,
): Promise<ChargeRow> {
  const { terms, payment_options: codes, ...plain } = given;
  const named = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const edited: ChargeRow = { ...before, ...named };
  return {
    ...edited,
    ...(terms !== undefined && { terms: await storedTerms(context, before, terms) }),
    ...(codes !== undefined && { payment_options: readCodes(codes, context.today) }),
    adjusted_due_date: adjustedDueDateOf(edited.due_date),
    search_text: chargeSearchText(edited),
  };
}

/** Terms that stand are left alone: a debtor may have become a consumer since they were agreed. */
function checkedNewTerms(edited: ChargeRow): string[] {
  const { terms, amount_cents, abatement_cents, person_is_consumer: is_consumer } = edited;
  return checkedTerms(terms as StoredTerms | null, amount_cents - abatement_cents, { is_consumer });
}

/** New terms are reckoned as the old ones were. */
async function storedTerms(
  context: WriteContext,
  before: ChargeRow,
  terms: ChargeChanges['terms'],
): Promise<StoredTerms | null> {
  if (terms == null) return null;
  const { interestFrom, allocationOrder } = await settingsOf(context);
  const old = before.terms as StoredTerms | null;
  return {
    ...termsOf(terms),
    interestFrom: old?.interestFrom ?? interestFrom,
    allocationOrder: old?.allocationOrder ?? allocationOrder,
  };
}

async function requireNoStepSince(
  context: WriteContext,
  charge: ChargeRow,
  dueDate: CivilDate,
): Promise<void> {
  const { db, organizationId } = context;
  const last = await selectLastStepDay(db, organizationId, charge.id, charge.rule_cycle);
  if (last !== null && dueDate <= last) {
    fail('invalid_state', { from: 'step_done', step_on: last, allowed: ['a due date after the last step'] });
  }
}

async function requireFreeExternalId(context: WriteContext, edited: ChargeRow): Promise<void> {
  if (edited.external_id === null) return;
  const holder = await selectChargeIdByExternalId(context.db, context.organizationId, edited.external_id);
  if (holder !== undefined && holder !== edited.id) await failDuplicate(context, edited);
}
