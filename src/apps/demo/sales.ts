/** Decides what customers owe: how many sales of every state, when due, how they are to be paid. */

import type { Terms } from '../../core/accruals.ts';
import { nextBusinessDay, previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate, monthlyFromAnchor } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { PersonRow } from './people.ts';
import {
  earlier,
  fateByDate,
  HISTORY_DAYS,
  KNOWN_DAYS_MIN,
  type Occurrence,
  SETTLED_DAYS_AGO,
  termsOf,
  usualTerms,
} from './plans.ts';
import { idAt, instantOn, type NewRow, type Setting } from './setting.ts';

/** What has happened to a sale so far. */
export type SaleFate =
  | 'paid'
  | 'open'
  | 'overdue'
  | 'due_today'
  | 'partially_paid'
  | 'reversed'
  | 'draft'
  | 'canceled'
  | 'written_off';

/** What can be paid for it; null: the customer pays without a code. */
export type ChargedBy = readonly ('boleto' | 'pix')[] | null;

export interface SalePlan {
  readonly fate: SaleFate;
  readonly customer: PersonRow;
  readonly dueDate: CivilDate;
  readonly issueDate: CivilDate;
  readonly amount: Cents;
  readonly terms: Terms | null;
  readonly chargedBy: ChargedBy;
  readonly category: string;
  readonly description?: string;
  readonly documentNumber?: string;
  readonly installment?: { readonly number: number; readonly total: number; readonly groupId: string };
  /** Any company of the workspace when absent. */
  readonly company?: NewRow<'companies'>;
  /** The occurrence it is: then it is as its recurrence says, and nothing is left to chance. */
  readonly recurrence?: Occurrence;
  /** How the line of a statement that paid it is about it; nobody has recorded that payment. */
  readonly statedBy?: 'our_number' | 'sum';
}

/** Of a thousand sales. Installments come on top. */
const perThousand: Readonly<Record<SaleFate, number>> = {
  paid: 690,
  open: 145,
  overdue: 60,
  due_today: 5,
  partially_paid: 30,
  reversed: 4,
  draft: 12,
  canceled: 34,
  written_off: 20,
};
const INSTALLMENT_GROUPS_PER_THOUSAND = 12;
const INSTALLMENTS = 3;
const CHARGED_PERCENT = 65;
const AMOUNT_MIN = 25_000;
const AMOUNT_MAX = 780_000;
/** Customers at the beginning of the list buy in bulk, and the first of them pay late. */
const LARGE_CUSTOMERS = 4;
const LATE_CUSTOMERS = 7;
const LARGE_AMOUNT_MAX = 2_900_000;
/** Given up as a loss this long after the due date. */
export const LOST_AFTER_DAYS = 90;

/** About `count` sales, at least two of every fate; the last customer is left to what statements show. */
export function planSales(setting: Setting, customers: readonly PersonRow[], count: number): SalePlan[] {
  const { random, today } = setting;
  const usual = customers.slice(0, -1);
  const plans: SalePlan[] = [];
  for (const [fate, share] of Object.entries(perThousand) as [SaleFate, number][]) {
    const wanted = Math.max(2, Math.round((count * share) / 1000));
    const buyers = fate === 'overdue' ? usual.slice(0, LATE_CUSTOMERS) : usual;
    for (let number = 0; number < wanted; number += 1) plans.push(planSale(setting, usual, buyers, fate));
  }
  const groups = Math.max(2, Math.round((count * INSTALLMENT_GROUPS_PER_THOUSAND) / 1000));
  for (let group = 0; group < groups; group += 1) {
    const firstDueDate = addDays(today, -random.integer(0, HISTORY_DAYS));
    plans.push(...planSaleInstallments(setting, usual[(group * 5) % usual.length]!, firstDueDate));
  }
  return plans;
}

function planSale(
  setting: Setting,
  customers: readonly PersonRow[],
  buyers: readonly PersonRow[],
  fate: SaleFate,
): SalePlan {
  const { random, today } = setting;
  const customer = random.pick(buyers);
  const isLarge = customers.indexOf(customer) < LARGE_CUSTOMERS;
  const dueDate = dueDateOf(setting, fate);
  const daysKnown = random.integer(
    fate === 'partially_paid' || fate === 'reversed' ? 15 : KNOWN_DAYS_MIN,
    28,
  );
  return {
    fate,
    customer,
    dueDate,
    // Registered before today, so that no instant of the sample lies ahead.
    issueDate: earlier(addDays(dueDate, -random.integer(12, 35)), addDays(today, -daysKnown)),
    amount: random.integer(AMOUNT_MIN, isLarge ? LARGE_AMOUNT_MAX : AMOUNT_MAX),
    terms: random.chance(60) ? termsOf(setting, dueDate) : null,
    chargedBy: chargedBy(setting),
    category: random.chance(75) ? 'Venda de mercadorias' : 'Venda de serviços',
  };
}

/** A monthly series: what was due some time ago is paid, what is due since is late, the rest is ahead. */
function planSaleInstallments(setting: Setting, customer: PersonRow, firstDueDate: CivilDate): SalePlan[] {
  const { random, today } = setting;
  const issueDate = earlier(addDays(firstDueDate, -25), addDays(today, -KNOWN_DAYS_MIN));
  const groupId = idAt(instantOn(issueDate, random), random);
  const amount = random.integer(AMOUNT_MIN, AMOUNT_MAX);
  const documentNumber = `${random.integer(40_000, 49_999)}`;
  return Array.from({ length: INSTALLMENTS }, (_, index) => {
    const dueDate = monthlyFromAnchor(firstDueDate, index);
    return {
      fate: fateByDate(dueDate, today),
      customer,
      dueDate,
      issueDate,
      amount,
      terms: usualTerms,
      chargedBy: chargedBy(setting),
      category: 'Venda de mercadorias',
      documentNumber,
      installment: { number: index + 1, total: INSTALLMENTS, groupId },
    };
  });
}

function chargedBy({ random }: Setting): ChargedBy {
  if (!random.chance(CHARGED_PERCENT)) return null;
  return random.pick([['boleto'], ['pix'], ['boleto', 'pix']] as const);
}

function dueDateOf({ random, today }: Setting, fate: SaleFate): CivilDate {
  switch (fate) {
    case 'paid':
    case 'canceled':
      return addDays(today, -random.integer(SETTLED_DAYS_AGO, HISTORY_DAYS));
    case 'written_off':
      return addDays(today, -random.integer(LOST_AFTER_DAYS + 10, HISTORY_DAYS));
    case 'overdue':
      // Late by the adjusted date as well: the last business day before today at the latest.
      return previousBusinessDay(addDays(today, -random.integer(1, 130)));
    case 'due_today':
      return today;
    case 'partially_paid':
      return addDays(today, random.integer(-45, 30));
    default:
      return nextBusinessDay(addDays(today, random.integer(1, 90)));
  }
}
