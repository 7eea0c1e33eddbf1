/** Who may have the discount of a campaign today, and what it would cost. */

import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { amountDueSql } from '../charges/index.ts';
import { settingsOf } from '../settings/index.ts';
import { type LargeRow, selectLargest, selectReach } from './reach-queries.ts';
import { type Conditions, percentsFor, type Tier } from './rules.ts';

export interface Reach {
  readonly charges: number;
  readonly people: number;
  readonly principalCents: Cents;
  readonly accessoryCents: Cents;
  readonly options: readonly { readonly installmentsUpTo: number; readonly discountCents: Cents }[];
}

/** The sums, for each number of installments that a tier ends at. */
export async function reachOf(
  context: Context,
  conditions: Conditions,
  tiers: readonly Tier[],
): Promise<Reach> {
  const { db, organizationId, today } = context;
  const { interestFrom } = await settingsOf(context);
  const ends = [...new Set(tiers.map((tier) => tier.installments_up_to))].sort((one, other) => one - other);
  const row = await selectReach(
    db,
    organizationId,
    { conditions, today, amountDue: amountDueSql('c', today, { interestFrom }) },
    ends.map((count) => percentsFor(tiers, count)),
  );
  return {
    charges: row.charges,
    people: row.people,
    principalCents: row.principal_cents,
    accessoryCents: row.accessory_cents,
    options: ends.map((installmentsUpTo, index) => ({
      installmentsUpTo,
      discountCents: row.discounts[index]!,
    })),
  };
}

/** The reach as results show it. */
export async function shownReach(context: Context, conditions: Conditions, tiers: readonly Tier[]) {
  const reach = await reachOf(context, conditions, tiers);
  const largest = await selectLargest(context.db, context.organizationId, conditions, context.today);
  const total = reach.principalCents + reach.accessoryCents;
  return {
    charges: reach.charges,
    people: reach.people,
    principal: moneyText(reach.principalCents),
    fine_and_interest: moneyText(reach.accessoryCents),
    options: reach.options.map(({ installmentsUpTo, discountCents }) => ({
      installments_up_to: installmentsUpTo,
      discount: moneyText(discountCents),
      left: moneyText(total - discountCents),
    })),
    largest: largest.map(shownLarge),
    currency: 'BRL' as const,
  };
}

function shownLarge(row: LargeRow) {
  return {
    charge_id: row.id,
    person: { id: row.person_id, name: row.person_name },
    open_principal: moneyText(row.open_cents),
    due_date: row.due_date,
  };
}
