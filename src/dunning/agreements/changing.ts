/** What may change of a proposal. */

import { isDeepStrictEqual } from 'node:util';
import type { Cents } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { cancelNotifications } from '../notifications/index.ts';
import {
  type AgreementChargeRow,
  deleteInstallments,
  deleteShares,
  type InstallmentRow,
} from './part-queries.ts';
import { type Asked, debtOf, type Figures, figuresOf, insertParts } from './proposing.ts';
import type { AgreementRow } from './queries.ts';
import { installmentsOf, requireAgreement, sharesOf, storeAgreement } from './resource.ts';
import { hasDownPayment, requireStanding } from './rules.ts';

interface Changes extends Partial<Asked> {
  readonly id: string;
  readonly charge_ids?: readonly string[] | undefined;
  readonly negotiated_total?: Cents | undefined;
  readonly valid_until?: string | undefined;
  readonly notes?: string | null | undefined;
}

/**
 * Changes a proposal that still stands. Anything but its notes is reckoned as of today; what the debtor was told before
 * is off then, so the message that waits is called off and the proposal counts as not sent. Fails as a new proposal of
 * these figures would.
 */
export async function changeProposal(
  context: WriteContext,
  { id, notes, ...given }: Changes,
): Promise<AgreementRow> {
  const before = await requireAgreement(context, id, given.charge_ids);
  requireStanding(before, context.today);
  const isOffered = Object.values(given).some((value) => value !== undefined);
  const next: Partial<AgreementRow> = {
    ...(notes !== undefined && { notes }),
    ...(isOffered && (await reckonAnew(context, before, given))),
  };
  const isSame = Object.entries(next).every(([key, value]) => before[key as keyof AgreementRow] === value);
  if (isSame) return before;
  if (next.sent_at === null) await cancelNotifications(context, { agreementId: id }, 'changed');
  return storeAgreement(context, before, next);
}

async function reckonAnew(
  context: WriteContext,
  before: AgreementRow,
  given: Omit<Changes, 'id' | 'notes'>,
): Promise<Partial<AgreementRow>> {
  const shares = await sharesOf(context, before.id);
  const installments = await installmentsOf(context, before.id);
  const chargeIds = given.charge_ids ?? shares.map(({ charge_id }) => charge_id);
  const debt = await debtOf(context, chargeIds, { personId: before.person_id });
  const asked = askedOf(before, installments, given);
  const figures = await figuresOf(context, debt, asked);
  const columns = {
    original_total_cents: figures.original,
    discount_cents: figures.discount,
    negotiated_total_cents: figures.negotiated,
    valid_until: asked.valid_until,
    campaign_id: asked.campaign_id ?? null,
  };
  const isSame =
    hasParts(figures, shares, installments) &&
    Object.entries(columns).every(([key, value]) => before[key as keyof AgreementRow] === value);
  if (isSame) return {};
  const { db, organizationId } = context;
  await deleteShares(db, organizationId, before.id);
  await deleteInstallments(db, organizationId, before.id);
  await insertParts(context, before.id, figures);
  return { ...columns, as_of: context.today, sent_at: null };
}

/** What is not said stays; a down payment moves with the last day to accept. */
function askedOf(
  before: AgreementRow,
  installments: readonly InstallmentRow[],
  given: Omit<Changes, 'id' | 'notes'>,
): Asked {
  const validUntil = given.valid_until ?? before.valid_until;
  const movesFirst = hasDownPayment(installments[0]!.due_date, before.valid_until);
  const kept = installments.map(({ due_date, amount_cents: amount }, index) => ({
    due_date: index === 0 && movesFirst ? validUntil : due_date,
    amount,
  }));
  const isScheduleGiven = given.installments !== undefined || given.plan !== undefined;
  return {
    negotiated_total: given.negotiated_total ?? before.negotiated_total_cents,
    discount: given.discount,
    installments: isScheduleGiven ? given.installments : kept,
    plan: given.plan,
    valid_until: validUntil,
    campaign_id: given.campaign_id === undefined ? before.campaign_id : given.campaign_id,
  };
}

/** True when the proposal consists of these very parts. */
function hasParts(
  figures: Figures,
  shares: readonly AgreementChargeRow[],
  installments: readonly InstallmentRow[],
): boolean {
  const byId = <Part extends { chargeId: string }>(parts: readonly Part[]) =>
    parts.toSorted((left, right) => (left.chargeId < right.chargeId ? -1 : 1));
  const known = shares.map((row) => ({
    chargeId: row.charge_id,
    principal: row.principal_cents,
    interest: row.interest_cents,
    fine: row.fine_cents,
    discount: row.discount_cents,
  }));
  const schedule = installments.map(({ due_date: dueDate, amount_cents: amount }) => ({ dueDate, amount }));
  return (
    isDeepStrictEqual(byId(figures.shares), byId(known)) && isDeepStrictEqual(figures.installments, schedule)
  );
}
