import type { CivilDate } from '../../core/dates.ts';
import { addDays, monthlyFromAnchor } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import { type Cents, splitCents } from '../../core/money.ts';
import type { DebtDraft, Withholding } from './schema.ts';

export const intervals = ['weekly', 'biweekly', 'monthly', 'yearly'] as const;

export interface Plan {
  readonly count: number;
  readonly firstDueDate: CivilDate;
  readonly interval: (typeof intervals)[number];
}

/**
 * The installments of a debt: amounts, withholdings and abatement add up to its own to the centavo, due dates keep
 * the day of the first one. Fails with `invalid_argument` when a part cannot be repeated or would be empty.
 */
export function installmentsOf<Draft extends DebtDraft>(whole: Draft, plan: Plan, groupId: string): Draft[] {
  if (whole.amountCents < plan.count) failArgument('amount', 'at least one centavo for each installment');
  if (whole.terms?.discounts.some(({ until }) => until !== undefined)) {
    failArgument('charges.discounts', 'no discount up to one fixed date in a plan');
  }
  const amounts = splitCents(whole.amountCents, plan.count);
  const abatements = splitCents(whole.abatementCents ?? 0, plan.count);
  const withholdings = splitWithholdings(whole.withholdings ?? [], plan.count);
  return amounts.map((amountCents, index) => ({
    ...whole,
    amountCents,
    abatementCents: abatements[index]!,
    withholdings: withholdings[index]!,
    dueDate: dueDateOf(plan, index),
    installment: { number: index + 1, total: plan.count, groupId },
  }));
}

/** Always from the first date, so that a plan from the 31st does not stay on the 28th after February. */
function dueDateOf({ firstDueDate, interval }: Plan, index: number): CivilDate {
  switch (interval) {
    case 'weekly':
      return addDays(firstDueDate, 7 * index);
    case 'biweekly':
      return addDays(firstDueDate, 14 * index);
    case 'monthly':
      return monthlyFromAnchor(firstDueDate, index);
    case 'yearly':
      return monthlyFromAnchor(firstDueDate, 12 * index);
  }
}

function splitWithholdings(withholdings: readonly Withholding[], count: number): Withholding[][] {
  const parts = withholdings.map(({ kind, cents }) =>
    splitCents(cents, count).map((part: Cents) => ({ kind, cents: part })),
  );
  return Array.from({ length: count }, (_, index) =>
    parts.map((ofKind) => ofKind[index]!).filter(({ cents }) => cents > 0),
  );
}
