/** Decisions about payables: values in, values out. Amounts in centavos. */

import { isDeepStrictEqual } from 'node:util';
import type { Terms } from '../../core/accruals.ts';
import { NO_TERMS } from '../../core/accruals.ts';
import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import { lastDayOfMonth } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import { formatMoney, parseMoney } from '../../core/money.ts';
import type { Amounts, AmountsQuestion, PaymentComponents, TermsPayment } from '../../core/terms.ts';
import { amountsAt } from '../../core/terms.ts';
import type { ApprovalStatus, PayableStatus } from './schema.ts';

/** What a payable's amounts follow from. */
export interface Debt {
  readonly amount_cents: Cents;
  readonly abatement_cents: Cents;
  readonly withheld_cents: Cents;
  readonly due_date: CivilDate;
  readonly terms: unknown;
}

/** An effective settlement as amounts are computed from it. */
export interface Paid extends PaymentComponents {
  readonly paid_at: CivilDate;
  readonly amount: Cents;
}

/** True while money may still be owed. */
export function isStillOpen(status: string): boolean {
  return status === 'open' || status === 'partially_paid';
}

/** Overdue from the day after the due date moved to a business day (MODEL §4; Lei 7.089/83). */
export function isOverdue(
  payable: { status: string; adjusted_due_date: CivilDate },
  today: CivilDate,
): boolean {
  return isStillOpen(payable.status) && payable.adjusted_due_date < today;
}

/** Fails with `invalid_state` unless the record is in one of the states. */
export function requireStatus(from: string, allowed: readonly PayableStatus[]): void {
  if (!(allowed as readonly string[]).includes(from)) fail('invalid_state', { from, allowed });
}

/** Fails with `invalid_state` for a record that was deactivated. */
export function requireActive(record: { active: boolean }, kind: string): void {
  if (!record.active) fail('invalid_state', { kind, from: 'inactive', allowed: ['active'] });
}

/** The state that the open principal and the effective settlements make (MODEL §14, invariant 1). */
export function statusAfterSettlement(openCents: Cents, effectiveSettlements: number): PayableStatus {
  if (openCents === 0) return 'paid';
  return effectiveSettlements > 0 ? 'partially_paid' : 'open';
}

/** What is owed on a date, with every settlement counted on the date it was paid. */
export function amountsOf(debt: Debt, settlements: readonly Paid[], on: CivilDate): Amounts {
  return amountsAt(questionOf(debt, settlements, on));
}

/** The parts of a settlement as its recorder stated them; absent ones are derived. */
export type StatedParts = { readonly [Part in keyof PaymentComponents]?: Cents | undefined };

/**
 * The parts of a payment of `amount` on a date. Nothing stated: what accrued is allocated, interest, then fine, then
 * principal (MODEL §5). Something stated: the other extras are zero and principal is what remains. Fails with
 * `unbalanced` when the parts do not add up and with `exceeds_open_amount` when they close more than is open.
 * Money that a bank has moved already is recorded whatever its amount: `surplus: 'interest'` counts what is beyond
 * the amount due as interest the supplier asked for.
 */
export function settlementParts(question: {
  readonly debt: Debt;
  readonly openCents: Cents;
  readonly settlements: readonly Paid[];
  readonly amount: Cents;
  readonly stated: StatedParts;
  readonly on: CivilDate;
  readonly surplus: 'refused' | 'interest';
}): PaymentComponents {
  const { amount, openCents, stated } = question;
  const isStated = Object.values(stated).some((part) => part !== undefined);
  const parts = isStated ? statedParts(amount, stated) : derivedParts(question);
  if (parts.principal <= openCents) return parts;
  if (question.surplus === 'refused') fail('exceeds_open_amount', { open: formatMoney(openCents) });
  return { ...parts, principal: openCents, interest: parts.interest + parts.principal - openCents };
}

/** The dates by which closed books forbid a change: the issue date and the end of the competence month. */
export function bookDatesOf(payable: {
  issue_date: CivilDate | null;
  competence_month: CivilMonth;
}): (CivilDate | null)[] {
  // The due date is no date of the books: it says when to pay, and may move while the expense stays in its month.
  return [payable.issue_date, lastDayOfMonth(payable.competence_month)];
}

/** Who has to approve what, as the workspace decided it. */
export interface ApprovalRules {
  /** Bills of this amount and more need approval; null means none does. */
  readonly above: Cents | null;
  /** Whoever registered a bill may not approve it. */
  readonly isSecondPersonNeeded: boolean;
}

/** The approval rules in a workspace's settings; anything unreadable counts as no rule. */
export function approvalRulesOf(settings: unknown): ApprovalRules {
  const approval = (settings as { approval?: { above?: unknown; second_person?: unknown } } | null)?.approval;
  const above = approval?.above;
  return {
    above: typeof above === 'string' ? parseMoney(above) : null,
    isSecondPersonNeeded: approval?.second_person === true,
  };
}

export function isApprovalNeeded(rules: ApprovalRules, amount: Cents): boolean {
  return rules.above !== null && amount >= rules.above;
}

/**
 * The approval after amount, supplier or payment details changed: it starts again (MODEL §14, invariant 11). A bill
 * that needed approval keeps needing it, so that lowering the amount is no way around a refusal.
 */
export function approvalAfterChange(before: ApprovalStatus, isNeeded: boolean): ApprovalStatus {
  return before === 'not_required' && !isNeeded ? 'not_required' : 'pending';
}

/** What a change of a payable touches, and so what may forbid it. */
export interface Touched {
  /** What the supplier is paid: fixed once a settlement counts. */
  readonly money: boolean;
  /** Money or how it is paid: fixed while an order is live, and approved anew. */
  readonly payment: boolean;
  /** What the books of the month say. */
  readonly books: boolean;
  /** By what the same bill is recognised. */
  readonly identity: boolean;
}

type Editable = Record<(typeof fields)[keyof typeof fields][number], unknown>;

const fields = {
  money: ['amount_cents', 'abatement_cents', 'withholdings', 'person_id'],
  // Terms too: a fine added after the approval would be paid without one.
  payment: ['amount_cents', 'abatement_cents', 'withholdings', 'person_id', 'payment_details', 'terms'],
  books: [
    'amount_cents',
    'abatement_cents',
    'withholdings',
    'person_id',
    'category_id',
    'cost_centers',
    'issue_date',
    'competence_month',
  ],
  identity: ['person_id', 'document_number', 'series', 'amount_cents', 'payment_details'],
} as const;

/** What differs between a payable and its changed form. */
export function touchedBy(before: Editable, after: Editable): Touched {
  const differs = (names: readonly (keyof Editable)[]) =>
    names.some((name) => !isDeepStrictEqual(before[name], after[name]));
  return {
    money: differs(fields.money),
    payment: differs(fields.payment),
    books: differs(fields.books),
    identity: differs(fields.identity),
  };
}

function statedParts(amount: Cents, stated: StatedParts): PaymentComponents {
  const { discount = 0, interest = 0, fine = 0 } = stated;
  const principal = stated.principal ?? amount + discount - interest - fine;
  const sum = principal - discount + interest + fine;
  if (principal < 0 || sum !== amount) {
    const right = formatMoney(principal < 0 ? interest + fine - discount : sum);
    fail('unbalanced', { left: formatMoney(amount), right });
  }
  return { principal, discount, interest, fine };
}

function derivedParts(question: Parameters<typeof settlementParts>[0]): PaymentComponents {
  const { debt, settlements, amount, on, surplus } = question;
  const { allocations } = amountsAt(questionOf(debt, settlements, on, [{ on, amount }]));
  const { excess, ...parts } = allocations.at(-1)!;
  if (excess === 0) return parts;
  if (surplus === 'interest') return { ...parts, interest: parts.interest + excess };
  return fail('exceeds_open_amount', { open: formatMoney(amount - excess) });
}

function questionOf(
  debt: Debt,
  settlements: readonly Paid[],
  on: CivilDate,
  more: readonly TermsPayment[] = [],
): AmountsQuestion {
  const payments = settlements.map(({ paid_at, amount, principal, discount, interest, fine }) => ({
    on: paid_at,
    amount,
    components: { principal, discount, interest, fine },
  }));
  return {
    amount: debt.amount_cents,
    abatement: debt.abatement_cents,
    withholdings: debt.withheld_cents,
    dueDate: debt.due_date,
    terms: (debt.terms as Terms | null) ?? NO_TERMS,
    payments: [...payments, ...more],
    on,
  };
}
