/** Turns plans into bills. What paying them moved is in `settlements.ts`. */

import { NO_TERMS } from '../../core/accruals.ts';
import { nextBusinessDay } from '../../core/calendar.ts';
import { addDays, formatDateBr, monthOf } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import { PERCENT_WHOLE, percentOf } from '../../core/money.ts';
import { searchTextOf } from '../../db/listing.ts';
import type { Accounts } from './accounts.ts';
import type { Classification } from './classification.ts';
import { buildPaymentDetails, type PaymentDetails } from './payment-details.ts';
import type { Fate, Plan } from './plans.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';
import { type PaidParts, paidPartsOf } from './settlements.ts';

/** Federal taxes kept back from services, in ten-thousandths of a percent. Source: Lei 10.833/2003, art. 30 and 31. */
const withholdingPercents = { irrf: 15_000, pis: 6_500, cofins: 30_000, csll: 10_000 } as const;
const ABATEMENT_PERCENT = 50_000;

const statuses: Partial<Record<Fate, string>> = {
  paid: 'paid',
  partially_paid: 'partially_paid',
  draft: 'draft',
  canceled: 'canceled',
};

export interface Bill {
  readonly plan: Plan;
  readonly row: NewRow<'payables'> & { payment_details: PaymentDetails | null };
  readonly account: NewRow<'financial_accounts'>;
  readonly paid: PaidParts | null;
}

export interface PayablesGiven {
  readonly companies: readonly NewRow<'companies'>[];
  readonly accounts: Accounts;
  readonly classification: Classification;
  /** Bills of this amount and more were approved, where the workspace says so. */
  readonly approvalAbove: Cents | null;
}

/** The bills in the order in which they were registered. */
export function buildPayables(setting: Setting, plans: readonly Plan[], given: PayablesGiven): Bill[] {
  return plans
    .map((plan) => ({ plan, createdAt: instantOn(plan.issueDate, setting.random) }))
    .sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1))
    .map(({ plan, createdAt }, place) => buildBill(setting, plan, createdAt, place, given));
}

function buildBill(
  setting: Setting,
  plan: Plan,
  createdAt: string,
  place: number,
  given: PayablesGiven,
): Bill {
  const { random } = setting;
  const { supplier, dueDate, amount, fate } = plan;
  const { person, trade } = supplier;
  const isRecurring = plan.recurrence !== undefined;
  const isPlain = isRecurring || [plan.example, plan.fiscalDocumentId, plan.statedBy].some(Boolean);
  const withholdings = trade.hasWithholdings && !isPlain && random.chance(70) ? withheldOf(amount) : [];
  const withheld = withholdings.reduce((sum, part) => sum + part.cents, 0);
  const abatement = !isPlain && random.chance(2) ? percentOf(amount, ABATEMENT_PERCENT) : 0;
  const base = amount - withheld - abatement;
  const terms = plan.terms ?? NO_TERMS;
  const paid = paidPartsOf(setting, plan, { amount, abatement, withholdings: withheld, dueDate, terms });
  // The cash box is the first company's.
  const company =
    plan.company ?? (plan.paidBy === 'cash' ? given.companies[0]! : random.pick(given.companies));
  const account = accountOf(setting, plan, company.id, given.accounts);
  const description = plan.description ?? `${trade.description} ${formatDateBr(plan.issueDate).slice(3)}`;
  const documentNumber = plan.documentNumber ?? (random.chance(85) ? `${10_000 + place}` : null);
  const isPlanned = statuses[fate] === undefined && !isPlain && random.chance(40);
  return {
    plan,
    account,
    paid,
    row: {
      ...bornAt(setting, createdAt, setting.authors.assistant),
      company_id: company.id,
      person_id: person.id,
      description,
      amount_cents: amount,
      abatement_cents: abatement,
      withheld_cents: withheld,
      settled_cents: paid?.isEffective ? paid.principal : 0,
      issue_date: isRecurring ? null : plan.issueDate,
      due_date: dueDate,
      adjusted_due_date: nextBusinessDay(dueDate),
      competence_month: monthOf(plan.recurrence?.date ?? plan.issueDate),
      planned_date: isPlanned ? nextBusinessDay(dueDate) : null,
      planned_account_id: isPlanned ? account.id : null,
      document_number: documentNumber,
      series: plan.fiscalDocumentId === undefined ? null : '1',
      installment_number: plan.installment?.number ?? null,
      installment_total: plan.installment?.total ?? null,
      installment_group_id: plan.installment?.groupId ?? null,
      category_id: fate === 'draft' ? null : given.classification.leaf(trade.category),
      cost_centers: isRecurring ? [] : costCentersOf(setting, given.classification),
      withholdings,
      terms: plan.terms,
      payment_details: buildPaymentDetails(random, supplier, { amount: base, dueDate, paidBy: plan.paidBy }),
      status: statuses[fate] ?? 'open',
      ...approvalOf(setting, plan, given.approvalAbove),
      canceled_reason: fate === 'canceled' ? 'Pedido devolvido ao fornecedor' : null,
      fiscal_document_id: plan.fiscalDocumentId ?? null,
      needs_review: false,
      recurrence_id: plan.recurrence?.id ?? null,
      recurrence_number: plan.recurrence?.number ?? null,
      dda_boleto_id: null,
      classified_by: fate === 'draft' ? null : 'person',
      search_text: searchTextOf(description, documentNumber),
      updated_at: updatedAtOf(setting, plan, paid, createdAt),
      version: paid !== null || fate === 'canceled' ? 2 : 1,
    },
  };
}

function withheldOf(amount: Cents): { kind: string; cents: Cents }[] {
  return Object.entries(withholdingPercents).map(([kind, percent]) => ({
    kind,
    cents: percentOf(amount, percent),
  }));
}

/** An account of the company that owes the bill. */
function accountOf(
  { random }: Setting,
  plan: Plan,
  companyId: string,
  accounts: Accounts,
): NewRow<'financial_accounts'> {
  if (plan.paidBy === 'cash') return accounts.cash;
  const isFromWallet = plan.fate === 'paid' && random.chance(10);
  if (isFromWallet && accounts.wallet.company_id === companyId) return accounts.wallet;
  return accounts.checking.find((account) => account.company_id === companyId)!;
}

/** Shares in ten-thousandths of a percent, a hundred percent together. */
export function costCentersOf({ random }: Setting, { costCenterIds }: Classification) {
  const place = random.integer(0, costCenterIds.length - 1);
  const first = costCenterIds[place]!;
  const second = costCenterIds[(place + 1) % costCenterIds.length]!;
  if (random.chance(40)) return [];
  if (random.chance(70)) return [{ id: first, percent: PERCENT_WHOLE }];
  const share = random.integer(1, 9) * 100_000;
  return [
    { id: first, percent: share },
    { id: second, percent: PERCENT_WHOLE - share },
  ];
}

function approvalOf(setting: Setting, plan: Plan, above: Cents | null) {
  const { random, authors } = setting;
  const { fate, issueDate, amount } = plan;
  const status = approvalStatusOf(setting, fate, above !== null && amount >= above);
  const isDecided = status === 'approved' || status === 'rejected';
  return {
    approval_status: status,
    approval_by: isDecided ? authors.approver : null,
    approval_at: isDecided ? instantOn(addDays(issueDate, 1), random) : null,
    approval_reason: status === 'rejected' ? 'Valor diferente do pedido de compra' : null,
  };
}

function approvalStatusOf({ random }: Setting, fate: Fate, isNeeded: boolean) {
  if (fate === 'approval_pending') return 'pending';
  if (fate === 'rejected') return 'rejected';
  const wasSent = fate === 'paid' || fate.startsWith('order_');
  if (fate === 'approved' || (wasSent && random.chance(40))) return 'approved';
  if (!isNeeded) return 'not_required';
  return fate === 'draft' || fate === 'canceled' ? 'pending' : 'approved';
}

function updatedAtOf({ random }: Setting, plan: Plan, paid: PaidParts | null, createdAt: string): string {
  if (paid !== null) return instantOn(paid.on, random);
  return plan.fate === 'canceled' ? instantOn(addDays(plan.issueDate, 2), random) : createdAt;
}
