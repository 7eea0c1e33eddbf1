/** Turns planned sales into receivables. What receiving them moved is in `receipts.ts`. */

import { NO_TERMS } from '../../core/accruals.ts';
import { nextBusinessDay } from '../../core/calendar.ts';
import { addDays, formatDateBr, monthOf } from '../../core/dates.ts';
import { percentOf } from '../../core/money.ts';
import { searchTextOf } from '../../db/listing.ts';
import type { Accounts } from './accounts.ts';
import type { Classification } from './classification.ts';
import { costCentersOf } from './payables.ts';
import { LOST_AFTER_DAYS, type SaleFate, type SalePlan } from './sales.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';
import { type PaidParts, paidPartsOf } from './settlements.ts';

const ABATEMENT_PERCENT = 30_000;

const statuses: Partial<Record<SaleFate, string>> = {
  paid: 'paid',
  partially_paid: 'partially_paid',
  draft: 'draft',
  canceled: 'canceled',
  written_off: 'written_off',
};

export interface Sale {
  readonly plan: SalePlan;
  readonly row: NewRow<'receivables'>;
  /** Where the money comes in. */
  readonly account: NewRow<'financial_accounts'>;
  readonly paid: PaidParts | null;
}

export interface SalesGiven {
  readonly companies: readonly NewRow<'companies'>[];
  readonly accounts: Accounts;
  readonly classification: Classification;
}

/** The receivables in the order in which they were registered. */
export function buildReceivables(setting: Setting, plans: readonly SalePlan[], given: SalesGiven): Sale[] {
  return plans
    .map((plan) => ({ plan, createdAt: instantOn(plan.issueDate, setting.random) }))
    .sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1))
    .map(({ plan, createdAt }, place) => buildSale(setting, plan, createdAt, place, given));
}

function buildSale(
  setting: Setting,
  plan: SalePlan,
  createdAt: string,
  place: number,
  given: SalesGiven,
): Sale {
  const { random } = setting;
  const { customer, dueDate, issueDate, amount, fate, recurrence } = plan;
  const isPlain = recurrence !== undefined || plan.statedBy !== undefined;
  const abatement = !isPlain && random.chance(2) ? percentOf(amount, ABATEMENT_PERCENT) : 0;
  const terms = plan.terms ?? NO_TERMS;
  const paid = paidPartsOf(setting, plan, { amount, abatement, dueDate, terms });
  const company = plan.company ?? random.pick(given.companies);
  const account = accountOf(setting, plan, company.id, given.accounts);
  const description = plan.description ?? `${plan.category} ${formatDateBr(issueDate).slice(3)}`;
  const documentNumber = plan.documentNumber ?? `${50_000 + place}`;
  const writeOff = fate === 'written_off' ? writeOffOf(setting, plan, amount - abatement, given) : null;
  return {
    plan,
    account,
    paid,
    row: {
      ...bornAt(setting, createdAt, setting.authors.assistant),
      company_id: company.id,
      person_id: customer.id,
      description,
      amount_cents: amount,
      abatement_cents: abatement,
      withheld_cents: 0,
      settled_cents: paid?.isEffective ? paid.principal : 0,
      written_off_cents: writeOff?.cents ?? 0,
      issue_date: recurrence === undefined ? issueDate : null,
      due_date: dueDate,
      adjusted_due_date: nextBusinessDay(dueDate),
      competence_month: monthOf(recurrence?.date ?? issueDate),
      planned_date: null,
      planned_account_id: null,
      document_number: documentNumber,
      series: null,
      installment_number: plan.installment?.number ?? null,
      installment_total: plan.installment?.total ?? null,
      installment_group_id: plan.installment?.groupId ?? null,
      recurrence_id: recurrence?.id ?? null,
      recurrence_number: recurrence?.number ?? null,
      category_id: fate === 'draft' ? null : given.classification.leaf(plan.category),
      cost_centers: isPlain ? [] : costCentersOf(setting, given.classification),
      withholdings: [],
      terms: plan.terms,
      status: statuses[fate] ?? 'open',
      canceled_reason: fate === 'canceled' ? 'Pedido cancelado pelo cliente' : null,
      write_off: writeOff,
      classified_by: fate === 'draft' ? null : 'person',
      search_text: searchTextOf(description, documentNumber),
      updated_at: updatedAtOf(setting, plan, paid, writeOff?.at ?? createdAt),
      version: paid !== null || writeOff !== null || fate === 'canceled' ? 2 : 1,
    },
  };
}

/** The day on which a sale of that fate was called off. */
export function canceledOn({ issueDate }: Pick<SalePlan, 'issueDate'>): string {
  return addDays(issueDate, 2);
}

function accountOf(
  { random }: Setting,
  plan: SalePlan,
  companyId: string,
  { checking, cash, wallet }: Accounts,
): NewRow<'financial_accounts'> {
  const isByHand = plan.chargedBy === null && plan.fate === 'paid' && plan.recurrence === undefined;
  if (isByHand && random.chance(6) && cash.company_id === companyId) return cash;
  if (isByHand && random.chance(12) && wallet.company_id === companyId) return wallet;
  return checking.find((account) => account.company_id === companyId)!;
}

function writeOffOf({ random, authors }: Setting, plan: SalePlan, cents: number, given: SalesGiven) {
  const date = addDays(plan.dueDate, LOST_AFTER_DAYS);
  return {
    cents,
    reason: 'Cliente encerrou as atividades',
    category_id: given.classification.leaf('Perdas com clientes'),
    date,
    by: authors.owner,
    at: instantOn(date, random),
  };
}

function updatedAtOf({ random }: Setting, plan: SalePlan, paid: PaidParts | null, otherwise: string): string {
  if (paid !== null) return instantOn(paid.on, random);
  return plan.fate === 'canceled' ? instantOn(canceledOn(plan), random) : otherwise;
}
