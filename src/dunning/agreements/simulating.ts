/** The ways in which a debt could be paid: values in, values out. */

import { failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { CampaignRow } from '../campaigns/index.ts';
import { type DraftInstallment, discountOf, installmentsOfPlan, requireSchedule } from './figures.ts';
import { allowanceOf, type DebtOf } from './proposing.ts';

interface Question {
  readonly debt: DebtOf;
  /** The day the debt was reckoned for. */
  readonly on: string;
  readonly discount?: Cents | undefined;
  readonly down_payment?: Cents | undefined;
  readonly valid_until?: string | undefined;
  /** At most. */
  readonly installments: number;
  readonly first_due_date: string;
  readonly campaign: CampaignRow | null;
}

export interface Option {
  readonly count: number;
  readonly discount: Cents;
  readonly negotiated: Cents;
  readonly installments: readonly DraftInstallment[];
}

/** One option for each number of monthly installments. Fails as a proposal of these figures would. */
export function optionsOf(question: Question, today: string): Option[] {
  const { valid_until: validUntil = question.on, installments, down_payment: down = 0 } = question;
  if (validUntil < question.on) failArgument('valid_until', `a date from ${question.on} on`);
  return Array.from({ length: installments }, (_, index) => {
    const count = index + 1;
    const discount = discountFor(question, count + (down > 0 ? 1 : 0), today);
    const negotiated = question.debt.total - discount;
    if (negotiated - down < count) {
      failArgument(down > 0 ? 'down_payment' : 'discount', 'an amount that leaves 0.01 for each installment');
    }
    const plan = { down_payment: down, installments: count, first_due_date: question.first_due_date };
    const planned = installmentsOfPlan(plan, negotiated, validUntil);
    requireSchedule(planned, negotiated, { today, validUntil, path: 'first_due_date' });
    return { count, discount, negotiated, installments: planned };
  });
}

export function shownDebt({ debts, total }: DebtOf) {
  return {
    original_total: moneyText(total),
    charges: debts.map(({ chargeId, principal, interest, fine }) => ({
      charge_id: chargeId,
      principal: moneyText(principal),
      interest: moneyText(interest),
      fine: moneyText(fine),
    })),
  };
}

export function shownSchedule(options: readonly Option[]) {
  return {
    options: options.map(({ count, discount, negotiated, installments }) => {
      const monthly = installments.slice(-count);
      return {
        installments: count,
        discount: moneyText(discount),
        negotiated_total: moneyText(negotiated),
        installment: moneyText(monthly[0]!.amount),
        last_due_date: monthly.at(-1)!.dueDate,
      };
    }),
    schedule: options.at(-1)!.installments.map(({ dueDate, amount }, index) => ({
      number: index + 1,
      due_date: dueDate,
      amount: moneyText(amount),
    })),
  };
}

/** What was asked for, or the most that the campaign allows; never more than that. */
function discountFor({ debt, discount, campaign }: Question, installments: number, today: string): Cents {
  if (discount !== undefined && discount >= debt.total) failArgument('discount', 'less than the debt');
  if (campaign === null) return discount ?? 0;
  const allowed = allowanceOf(campaign, debt, installments, today);
  const wanted = discount ?? allowed.charges + allowed.principal;
  return discountOf(debt.total, debt.total - wanted, { allowed });
}
