/** Decides which bills there are: how many of every state, when due, by whom. What they become is in `payables.ts`. */

import type { Terms } from '../../core/accruals.ts';
import { addBusinessDays, isBusinessDay, nextBusinessDay, previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate, monthlyFromAnchor } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Supplier } from './people.ts';
import { idAt, instantOn, type NewRow, type Setting } from './setting.ts';
import type { PaidBy } from './trades.ts';

/** What has happened to a bill so far. */
export type Fate =
  | 'paid'
  | 'open'
  | 'overdue'
  | 'due_today'
  | 'partially_paid'
  | 'reversed'
  | 'draft'
  | 'canceled'
  | 'approval_pending'
  | 'approved'
  | 'rejected'
  | 'order_scheduled'
  | 'order_processing'
  | 'order_rejected'
  | 'order_canceled';

export interface Plan {
  readonly fate: Fate;
  readonly supplier: Supplier;
  readonly dueDate: CivilDate;
  readonly issueDate: CivilDate;
  readonly amount: Cents;
  readonly paidBy: PaidBy;
  readonly terms: Terms | null;
  readonly installment?: { readonly number: number; readonly total: number; readonly groupId: string };
  readonly documentNumber?: string;
  readonly description?: string;
  readonly fiscalDocumentId?: string;
  /** Any company of the workspace when absent. */
  readonly company?: NewRow<'companies'>;
  /** The occurrence it is: then it is as its recurrence says, and nothing is left to chance. */
  readonly recurrence?: Occurrence;
  /** How the line of a statement that paid it names it; nobody has recorded that payment. */
  readonly statedBy?: 'number' | 'amount';
  /** The name under which the report gives its id; such a bill is plain: no withholding, no abatement. */
  readonly example?: string;
}

/** The number of an occurrence, from zero, and the day it is for. */
export interface Occurrence {
  readonly id: string;
  readonly number: number;
  readonly date: CivilDate;
}

/** Of a thousand bills. Installments come on top. */
const perThousand: Readonly<Record<Fate, number>> = {
  paid: 680,
  open: 130,
  overdue: 45,
  due_today: 5,
  partially_paid: 35,
  reversed: 3,
  draft: 15,
  canceled: 30,
  approval_pending: 18,
  approved: 18,
  rejected: 8,
  order_scheduled: 9,
  order_processing: 3,
  order_rejected: 6,
  order_canceled: 5,
};
const INSTALLMENT_GROUPS_PER_THOUSAND = 8;
const INSTALLMENTS = 4;
export const HISTORY_DAYS = 720;
/** A bill due this long ago has surely been settled in the past, whatever holidays lie between. */
export const SETTLED_DAYS_AGO = 12;
/** Room for an approval and an order on the days after the registration, all of them past. */
export const KNOWN_DAYS_MIN = 3;

export const usualTerms: Terms = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

/** About `count` plans, at least two of every fate. */
export function planPayables(setting: Setting, suppliers: readonly Supplier[], count: number): Plan[] {
  const plans: Plan[] = [];
  for (const [fate, share] of Object.entries(perThousand) as [Fate, number][]) {
    const wanted = Math.max(2, Math.round((count * share) / 1000));
    for (let number = 0; number < wanted; number += 1) plans.push(planOne(setting, suppliers, fate));
  }
  const groups = Math.max(2, Math.round((count * INSTALLMENT_GROUPS_PER_THOUSAND) / 1000));
  for (let group = 0; group < groups; group += 1) {
    const supplier = suppliers[(group * 7) % suppliers.length]!;
    const firstDueDate = addDays(setting.today, -setting.random.integer(0, HISTORY_DAYS));
    plans.push(...planInstallments(setting, supplier, firstDueDate));
  }
  return plans;
}

/** A monthly series: what was due some time ago is paid, what is due since is late, the rest is ahead. */
export function planInstallments(
  setting: Setting,
  supplier: Supplier,
  firstDueDate: CivilDate,
  more: Partial<Plan> & { amounts?: readonly Cents[] } = {},
): Plan[] {
  const { amounts, ...fields } = more;
  const { random, today } = setting;
  const total = amounts?.length ?? INSTALLMENTS;
  const issueDate = earlier(addDays(firstDueDate, -30), addDays(today, -KNOWN_DAYS_MIN));
  const groupId = idAt(instantOn(issueDate, random), random);
  const amount = random.integer(supplier.trade.from, supplier.trade.to);
  return Array.from({ length: total }, (_, index) => {
    const dueDate = monthlyFromAnchor(firstDueDate, index);
    return {
      fate: fateByDate(dueDate, today),
      supplier,
      dueDate,
      issueDate,
      amount: amounts?.[index] ?? amount,
      paidBy: supplier.trade.paidBy,
      terms: usualTerms,
      installment: { number: index + 1, total, groupId },
      ...fields,
    };
  });
}

/** What was due some time ago is paid, what is due since is late, the rest is ahead. */
export function fateByDate(dueDate: CivilDate, today: CivilDate): 'paid' | 'overdue' | 'open' {
  if (dueDate <= addDays(today, -SETTLED_DAYS_AGO)) return 'paid';
  return nextBusinessDay(dueDate) < today ? 'overdue' : 'open';
}

function planOne(setting: Setting, suppliers: readonly Supplier[], fate: Fate): Plan {
  const { random, today } = setting;
  const needsOrder = fate.startsWith('order_');
  const able = needsOrder ? suppliers.filter(({ trade }) => trade.paidBy !== 'cash') : suppliers;
  const supplier = random.pick(able);
  const { trade } = supplier;
  const dueDate = dueDateOf(setting, fate);
  // Everything was registered before today, so that no instant of the sample lies ahead.
  const issueDate = earlier(
    addDays(dueDate, -random.integer(10, 40)),
    addDays(today, -daysKnown(setting, fate)),
  );
  return {
    fate,
    supplier,
    dueDate,
    issueDate,
    amount: random.integer(trade.from, trade.to),
    paidBy: trade.paidBy,
    terms: random.chance(35) ? termsOf(setting, dueDate) : null,
  };
}

/** A bill that was paid in part needs days to have been paid in. */
function daysKnown({ random }: Setting, fate: Fate): number {
  return random.integer(fate === 'partially_paid' || fate === 'reversed' ? 15 : KNOWN_DAYS_MIN, 28);
}

function dueDateOf({ random, today }: Setting, fate: Fate): CivilDate {
  switch (fate) {
    case 'paid':
    case 'canceled':
      return addDays(today, -random.integer(SETTLED_DAYS_AGO, HISTORY_DAYS));
    case 'overdue':
      // Late by the adjusted date as well: the last business day before today at the latest.
      return previousBusinessDay(addDays(today, -random.integer(1, 60)));
    case 'due_today':
    case 'order_processing':
      return today;
    case 'partially_paid':
      return addDays(today, random.integer(-45, 30));
    case 'order_rejected':
      return addDays(today, random.integer(-10, 10));
    case 'order_scheduled':
      return addBusinessDays(today, random.integer(1, 20));
    default:
      return addDays(today, random.integer(1, 90));
  }
}

/** The usual terms, for some with a discount. */
export function termsOf({ random }: Setting, dueDate: CivilDate): Terms {
  if (!random.chance(30)) return usualTerms;
  const until = addDays(dueDate, -random.integer(2, 8));
  return { ...usualTerms, discounts: [{ kind: 'percent', percent: 20_000, until }] };
}

/** A business day near the due date on which the bill was paid, before today and after it was registered. */
export function paymentDateOf(
  { random, today }: Setting,
  plan: Pick<Plan, 'dueDate' | 'issueDate'>,
): CivilDate {
  const adjusted = nextBusinessDay(plan.dueDate);
  const habit = random.integer(1, 100);
  const wanted =
    habit <= 70
      ? adjusted
      : habit <= 82
        ? addDays(plan.dueDate, -random.integer(1, 9))
        : addDays(adjusted, random.integer(1, 6));
  const latest = previousBusinessDay(addDays(today, -1));
  const date = isBusinessDay(wanted) ? wanted : previousBusinessDay(wanted);
  return earlier(date <= plan.issueDate ? adjusted : date, latest);
}

/** The first of two days. */
export function earlier(left: CivilDate, right: CivilDate): CivilDate {
  return left < right ? left : right;
}
