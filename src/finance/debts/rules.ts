/** Decisions about what is owed, whoever owes it: values in, values out. Amounts in centavos. */

import { isDeepStrictEqual } from 'node:util';
import type { Terms } from '../../core/accruals.ts';
import { NO_TERMS } from '../../core/accruals.ts';
import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import { lastDayOfMonth, monthOf } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import { formatMoney } from '../../core/money.ts';
import type { Amounts, AmountsQuestion, PaymentComponents, TermsPayment } from '../../core/terms.ts';
import { amountsAt } from '../../core/terms.ts';
import type { DebtDraft, Withholding } from './schema.ts';

/** What the amounts of a debt follow from. */
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
export function isOverdue(debt: { status: string; adjusted_due_date: CivilDate }, today: CivilDate): boolean {
  return isStillOpen(debt.status) && debt.adjusted_due_date < today;
}

/** Fails with `invalid_state` unless the record is in one of the states. */
export function requireStatus<Status extends string>(from: string, allowed: readonly Status[]): void {
  if (!(allowed as readonly string[]).includes(from)) fail('invalid_state', { from, allowed });
}

/** Fails with `invalid_state` for a record that was deactivated. */
export function requireActive(record: { active: boolean }, kind: string): void {
  if (!record.active) fail('invalid_state', { kind, from: 'inactive', allowed: ['active'] });
}

/** The state that the open principal and the effective settlements make (MODEL §14, invariant 1). */
export function statusAfterSettlement(
  openCents: Cents,
  effectiveSettlements: number,
): 'open' | 'partially_paid' | 'paid' {
  if (openCents === 0) return 'paid';
  return effectiveSettlements > 0 ? 'partially_paid' : 'open';
}

/** What is owed on a date, with every settlement counted on the date it was paid. */
export function amountsOf(debt: Debt, settlements: readonly Paid[], on: CivilDate): Amounts {
  return amountsAt(questionOf(debt, settlements, on));
}

/** What has to be paid in all, before discount, fine and interest. */
export function baseOf(debt: Pick<Debt, 'amount_cents' | 'abatement_cents' | 'withheld_cents'>): Cents {
  return debt.amount_cents - debt.abatement_cents - debt.withheld_cents;
}

/** The sum withheld at source, in centavos. */
export function withheldCentsOf(withholdings: readonly Withholding[] = []): Cents {
  return withholdings.reduce((sum, { cents }) => sum + cents, 0);
}

/** The competence month of a debt that states none. */
export function competenceMonthOf(
  draft: Pick<DebtDraft, 'competenceMonth' | 'issueDate' | 'dueDate'>,
): CivilMonth {
  return draft.competenceMonth ?? monthOf(draft.issueDate ?? draft.dueDate);
}

/** The parts of a settlement as its recorder stated them; absent ones are derived. */
export type StatedParts = { readonly [Part in keyof PaymentComponents]?: Cents | undefined };

/**
 * The parts of a payment of `amount` on a date. Nothing stated: what accrued is allocated, interest, then fine, then
 * principal (MODEL §5). Something stated: the other extras are zero and principal is what remains. Fails with
 * `unbalanced` when the parts do not add up and with `exceeds_open_amount` when they close more than is open.
 * Money that a bank has moved already is recorded whatever its amount: `surplus: 'interest'` counts what is beyond
 * the amount due as interest the creditor asked for.
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
export function bookDatesOf(debt: {
  issue_date: CivilDate | null;
  competence_month: CivilMonth;
}): (CivilDate | null)[] {
  // The due date is no date of the books: it says when to pay, and may move while the result stays in its month.
  return [debt.issue_date, lastDayOfMonth(debt.competence_month)];
}

/** What the other side pays: fixed once a settlement counts. */
const moneyFields = ['amount_cents', 'abatement_cents', 'withholdings', 'person_id'] as const;

/** What the books of the month say. */
const booksFields = [
  ...moneyFields,
  'category_id',
  'cost_centers',
  'issue_date',
  'competence_month',
] as const;

/** By what the same debt is recognised. */
const identityFields = ['person_id', 'document_number', 'series', 'amount_cents'] as const;

/** What a change of a debt touches, and so what may forbid it. */
export interface Touched {
  readonly money: boolean;
  readonly books: boolean;
  readonly identity: boolean;
  /** Fine, interest and discounts. */
  readonly terms: boolean;
  readonly dueDate: boolean;
}

/** The columns that decide what a change touches. */
export type DebtColumnsEdited = Record<
  (typeof booksFields)[number] | (typeof identityFields)[number] | 'terms' | 'due_date',
  unknown
>;

/** What differs between a debt and its changed form. */
export function touchedBy(before: DebtColumnsEdited, after: DebtColumnsEdited): Touched {
  return {
    money: differs(before, after, moneyFields),
    books: differs(before, after, booksFields),
    identity: differs(before, after, identityFields),
    terms: differs(before, after, ['terms']),
    dueDate: differs(before, after, ['due_date']),
  };
}

/** True when any of the fields has another value. */
export function differs<Name extends string>(
  before: Record<Name, unknown>,
  after: Record<Name, unknown>,
  names: readonly Name[],
): boolean {
  return names.some((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** Drafts by plan: the installments of one plan together, everything else by itself. */
export function groupsOf<Draft extends DebtDraft>(drafts: readonly Draft[]): Draft[][] {
  const groups = Map.groupBy(drafts, (draft): unknown => draft.installment?.groupId ?? draft);
  return [...groups.values()];
}

/** Values without their repetitions, in the order they first come. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
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
