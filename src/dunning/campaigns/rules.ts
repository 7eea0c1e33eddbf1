/** What a discount campaign allows: values in, values out. Amounts in centavos, percentages in ten-thousandths. */

import { addDays, type CivilDate, daysBetween } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { type Cents, type Percent, percentOf } from '../../core/money.ts';
import type { CampaignStatus, DiscountBase } from './schema.ts';

/** Longest campaign, in days. */
const PERIOD_DAYS_MAX = 731;

export interface Conditions {
  readonly days_overdue_from: number;
  readonly days_overdue_to: number | null;
  readonly amount_min_cents: Cents | null;
  readonly amount_max_cents: Cents | null;
  readonly tags: readonly string[];
}

export interface Tier {
  readonly installments_up_to: number;
  readonly discount_percent: Percent;
  readonly applies_to: DiscountBase;
}

interface Period {
  readonly starts_on: CivilDate;
  readonly ends_on: CivilDate;
  readonly ended_at: string | null;
}

/** A charge as far as it decides whether it is in a campaign. */
export interface Candidate {
  readonly id: string;
  readonly due_date: CivilDate;
  readonly adjusted_due_date: CivilDate;
  readonly open_cents: Cents;
  readonly tags: readonly string[];
}

/** What a charge is made of on the day of an agreement. */
export interface Parts {
  readonly chargeId: string;
  readonly principal: Cents;
  readonly interest: Cents;
  readonly fine: Cents;
}

/** The most an agreement may have off. */
export interface Allowance {
  /** Of fine and interest. */
  readonly charges: Cents;
  readonly principal: Cents;
}

/** As the dates say it, so that it is never stale. */
export function campaignStatusOn({ starts_on, ends_on, ended_at }: Period, today: CivilDate): CampaignStatus {
  if (ended_at !== null || today > ends_on) return 'ended';
  return today < starts_on ? 'scheduled' : 'active';
}

/** Days after the due date; none up to the adjusted one. */
export function daysOverdueOf(charge: Candidate, today: CivilDate): number {
  return today > charge.adjusted_due_date ? daysBetween(charge.due_date, today) : 0;
}

/** True when the charge is among those a campaign is for. */
export function isEligible(conditions: Conditions, charge: Candidate, today: CivilDate): boolean {
  const days = daysOverdueOf(charge, today);
  const {
    days_overdue_from: from,
    days_overdue_to: to,
    amount_min_cents: min,
    amount_max_cents: max,
  } = conditions;
  return (
    days >= from &&
    (to === null || days <= to) &&
    (min === null || charge.open_cents >= min) &&
    (max === null || charge.open_cents <= max) &&
    (conditions.tags.length === 0 || conditions.tags.some((tag) => charge.tags.includes(tag)))
  );
}

/** The percentage off each kind for so many installments: of the narrowest tier that takes them in; 0 for none. */
export function percentsFor(tiers: readonly Tier[], installments: number): Record<DiscountBase, Percent> {
  const best = (base: DiscountBase) =>
    tiers
      .filter((tier) => tier.applies_to === base && tier.installments_up_to >= installments)
      .toSorted((left, right) => left.installments_up_to - right.installments_up_to)[0]?.discount_percent ??
    0;
  return { charges: best('charges'), principal: best('principal') };
}

/** The most that tiers allow off debts for so many installments: rounded once for each charge and kind. */
export function allowedDiscount(
  tiers: readonly Tier[],
  debts: readonly Parts[],
  installments: number,
): Allowance {
  const percents = percentsFor(tiers, installments);
  const sum = (cents: (parts: Parts) => Cents) => debts.reduce((total, parts) => total + cents(parts), 0);
  return {
    charges: sum(({ interest, fine }) => percentOf(interest + fine, percents.charges)),
    principal: sum(({ principal }) => percentOf(principal, percents.principal)),
  };
}

/** The conditions as stored. Fails with `invalid_argument` for a range that holds nothing. */
export function conditionsOf(given: {
  days_overdue_from: number;
  days_overdue_to?: number | undefined;
  amount_min?: Cents | undefined;
  amount_max?: Cents | undefined;
  tags?: readonly string[] | undefined;
}): Conditions {
  const { days_overdue_from: from, days_overdue_to: to, amount_min: min, amount_max: max } = given;
  if (to !== undefined && to < from) {
    failArgument('conditions.days_overdue_to', 'as many days as `days_overdue_from`, or more');
  }
  if (min !== undefined && max !== undefined && max < min) {
    failArgument('conditions.amount_max', 'at least `amount_min`');
  }
  return {
    days_overdue_from: from,
    days_overdue_to: to ?? null,
    amount_min_cents: min ?? null,
    amount_max_cents: max ?? null,
    tags: [...new Set(given.tags ?? [])],
  };
}

/** The tiers in order. Fails with `invalid_argument` when two say different things of the same case. */
export function tiersOf(given: readonly Tier[]): Tier[] {
  const cases = new Set(given.map((tier) => `${tier.applies_to}/${tier.installments_up_to}`));
  if (cases.size !== given.length) {
    failArgument('tiers', 'one tier for each number of installments and kind of discount');
  }
  return given.toSorted(
    (left, right) =>
      left.installments_up_to - right.installments_up_to || left.applies_to.localeCompare(right.applies_to),
  );
}

/** Fails with `invalid_argument` for a period that is over, turned round or longer than two years. */
export function requirePeriod(startsOn: CivilDate, endsOn: CivilDate, today: CivilDate): void {
  if (startsOn < today) failArgument('starts_on', `a date from ${today}, today, on`);
  if (endsOn < startsOn || daysBetween(startsOn, endsOn) > PERIOD_DAYS_MAX) {
    failArgument('ends_on', `a date from ${startsOn} to ${addDays(startsOn, PERIOD_DAYS_MAX)}`);
  }
}

/** Fails with `invalid_argument` unless the new last day is an earlier one that is not over. */
export function requireEarlierEnd(campaign: Period, endsOn: CivilDate, today: CivilDate): void {
  const first = campaign.starts_on > today ? campaign.starts_on : today;
  if (endsOn < first || endsOn > campaign.ends_on) {
    failArgument('ends_on', `a date from ${first} to ${campaign.ends_on}: it only gets shorter`);
  }
}

/** Fails with `invalid_state` once a campaign has ended. */
export function requireNotEnded(campaign: Period, today: CivilDate): void {
  const status = campaignStatusOn(campaign, today);
  if (status === 'ended') fail('invalid_state', { from: status, allowed: ['scheduled', 'active'] });
}

/** Fails with `invalid_state` unless the campaign runs. */
export function requireRunning(campaign: Period & { id: string }, today: CivilDate): void {
  const status = campaignStatusOn(campaign, today);
  if (status !== 'active') {
    fail('invalid_state', { kind: 'campaign', id: campaign.id, from: status, allowed: ['active'] });
  }
}
