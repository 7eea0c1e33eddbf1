/** The figures of a proposal, as they are reckoned for a simulation, a new proposal and a changed one. */

import { adjustedDueDateOf } from '../../core/accruals.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import {
  type Allowance,
  allowedDiscount,
  type CampaignRow,
  isEligible,
  type Parts,
  requireCampaign,
  requireRunning,
} from '../campaigns/index.ts';
import { amountsOfMany, type ChargeRow, requireCharges, requireCollectable } from '../charges/index.ts';
import {
  type DraftInstallment,
  discountOf,
  installmentsOfPlan,
  type Plan,
  partsOf,
  requireSchedule,
  type Share,
  spreadDiscount,
  totalDueOf,
} from './figures.ts';
import { type InstallmentRow, insertInstallments, insertShares } from './part-queries.ts';
import { INSTALLMENTS_MAX } from './schema.ts';

/** Charges of one debtor with what is due on each. */
export interface DebtOf {
  readonly rows: readonly ChargeRow[];
  readonly debts: readonly Parts[];
  readonly total: Cents;
}

/** What a person says about the figures. */
export interface Asked {
  readonly negotiated_total: Cents;
  readonly discount?: Cents | undefined;
  readonly installments?: readonly { due_date: string; amount: Cents }[] | undefined;
  readonly plan?: Plan | undefined;
  readonly valid_until: string;
  readonly campaign_id?: string | null | undefined;
}

export interface Figures {
  readonly original: Cents;
  readonly discount: Cents;
  readonly negotiated: Cents;
  readonly shares: readonly Share[];
  readonly installments: readonly DraftInstallment[];
}

/**
 * What is due on charges that can go into an agreement. Fails with `not_found`, with
 * `charge_in_agreement`, `charge_disputed` or `invalid_state` for one that cannot, and with `invalid_argument` for
 * charges of another debtor.
 */
export async function debtOf(
  context: Context,
  chargeIds: readonly string[],
  { personId, on = context.today }: { personId?: string; on?: string } = {},
): Promise<DebtOf> {
  const rows = await requireCharges(context, [...new Set(chargeIds)]);
  const debtor = personId ?? rows[0]!.person_id;
  for (const row of rows) {
    if (row.person_id !== debtor) failArgument('charge_ids', 'charges of one debtor');
    requireNegotiable(row);
  }
  const amounts = await amountsOfMany(context, rows, on);
  const debts = rows.map(({ id }) => partsOf(id, amounts.get(id)!));
  return { rows, debts, total: totalDueOf(debts) };
}

/** Fails unless the charge can go into an agreement now. */
export function requireNegotiable(row: ChargeRow): void {
  requireCollectable(row);
  if (row.is_disputed) fail('charge_disputed', { id: row.id });
}

/**
 * What a campaign allows off the debt for so many installments. Fails with `not_found`, with `invalid_state` unless it
 * runs, and with `discount_not_allowed` when it is not for one of the charges.
 */
export function allowanceOf(
  campaign: CampaignRow,
  { rows, debts }: DebtOf,
  installments: number,
  today: string,
): Allowance {
  requireRunning(campaign, today);
  const outsiders = rows.filter((row) => !isEligible(campaign.conditions, row, today)).map(({ id }) => id);
  if (outsiders.length > 0) fail('discount_not_allowed', { allowed: '0.00', not_in_campaign: outsiders });
  return allowedDiscount(campaign.tiers, debts, installments);
}

/** Everything that would refuse the figures, and what they come to. */
export async function figuresOf(context: Context, debt: DebtOf, asked: Asked): Promise<Figures> {
  const { negotiated_total: negotiated, valid_until: validUntil } = asked;
  const { installments, path } = scheduleOf(asked);
  requireSchedule(installments, negotiated, { today: context.today, validUntil, path });
  const campaign = asked.campaign_id == null ? null : await requireCampaign(context, asked.campaign_id);
  const allowed =
    campaign === null ? undefined : allowanceOf(campaign, debt, installments.length, context.today);
  if (campaign !== null && validUntil > campaign.ends_on) {
    failArgument('valid_until', `a date up to ${campaign.ends_on}, the last day of the campaign`);
  }
  const discount = discountOf(debt.total, negotiated, { seen: asked.discount, allowed });
  return {
    original: debt.total,
    discount,
    negotiated,
    shares: spreadDiscount(discount, debt.debts, allowed),
    installments,
  };
}

/** Writes the charges and installments of a proposal. */
export async function insertParts(context: WriteContext, id: string, figures: Figures): Promise<void> {
  const { db, organizationId } = context;
  await insertShares(db, organizationId, id, figures.shares);
  await insertInstallments(
    db,
    figures.installments.map(
      ({ dueDate, amount }, index): InstallmentRow => ({
        organization_id: organizationId,
        id: context.newId(),
        agreement_id: id,
        number: index + 1,
        due_date: dueDate,
        adjusted_due_date: adjustedDueDateOf(dueDate),
        amount_cents: amount,
        paid_cents: 0,
        paid_on: null,
        status: 'open',
      }),
    ),
  );
}

function scheduleOf(asked: Asked): { installments: readonly DraftInstallment[]; path: string } {
  const { installments, plan, negotiated_total: total, valid_until: validUntil } = asked;
  if ((installments === undefined) === (plan === undefined)) {
    failArgument('installments', 'either `installments` or `plan`');
  }
  if (plan === undefined) {
    const given = installments!.map(({ due_date: dueDate, amount }) => ({ dueDate, amount }));
    return { installments: given, path: 'installments' };
  }
  const planned = installmentsOfPlan(plan, total, validUntil);
  if (planned.length > INSTALLMENTS_MAX)
    failArgument('plan.installments', `at most ${INSTALLMENTS_MAX} in all`);
  return { installments: planned, path: 'plan.first_due_date' };
}
