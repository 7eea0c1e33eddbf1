/** Decisions about fiscal documents: values in, values out. Amounts in centavos. */

import type { CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { type Cents, splitCents } from '../../core/money.ts';
import type { AuthorizationStatus, DocumentStatus, Warning } from './schema.ts';

/** The layout of an NF-e allows this many installments. Source: NF-e layout 4.00, group Y07. */
export const INSTALLMENTS_MAX = 120;

/** One bill of a document. */
export interface Bill {
  readonly amountCents: Cents;
  readonly dueDate: CivilDate;
  /** From 1. */
  readonly number: number;
  readonly total: number;
}

interface State {
  readonly status: string;
  readonly authorization_status: string;
}

const BILLABLE: readonly AuthorizationStatus[] = ['authorized', 'unproven'];

/**
 * Fails with `invalid_state` unless bills can be made of the document: new, or without any bill since all were
 * deleted, and not denied by the tax office.
 */
export function requireBillable(document: State, bills: number): void {
  if (document.status !== 'linked' || bills > 0) requireStatus(document, ['new']);
  requireNotDenied(document);
}

/** Fails with `invalid_state` unless bills can be tied to the document. */
export function requireLinkable(document: State): void {
  requireStatus(document, ['new', 'linked']);
  requireNotDenied(document);
}

/** Fails with `invalid_state` unless the document may be set aside, taken back or deleted: nothing depends on it. */
export function requireIgnorable(document: Pick<State, 'status'>): void {
  requireStatus(document, ['new', 'ignored']);
}

/** Fails with `invalid_state` unless a cancellation can reach the document (MODEL §4). */
export function requireCancelable(document: State): void {
  requireStatus(document, ['new', 'linked']);
}

/**
 * The bills of a document (MODEL §12): one per installment as printed, whatever they add up to; without installments
 * the net amount, in as many parts as due dates are given. A due date is never made up. Fails with
 * `invalid_argument` when dates are missing or their number is wrong, and when there is nothing to pay.
 */
export function billsOf(
  document: {
    readonly net_cents: Cents;
    readonly installments: readonly { due_date: CivilDate | null; amount_cents: Cents }[];
  },
  dueDates: readonly CivilDate[] | undefined,
): Bill[] {
  const { net_cents: net, installments } = document;
  const parts = installments.length > 0 ? installments : partsOf(net, dueDates);
  if (dueDates !== undefined && dueDates.length !== parts.length) {
    failArgument('due_dates', `${parts.length} dates, one per installment of the document`);
  }
  const bills = parts.map(({ due_date, amount_cents: amountCents }, index) => {
    const dueDate = dueDates?.[index] ?? due_date;
    if (dueDate === null) {
      failArgument('due_dates', `${parts.length} dates, because installment ${index + 1} has none`);
    }
    return { amountCents, dueDate, number: index + 1, total: parts.length };
  });
  const payable = bills.filter(({ amountCents }) => amountCents > 0);
  if (payable.length === 0) failArgument('id', 'a document with an amount to pay');
  return payable;
}

/** What a cancellation says about the bills of its document: the open ones to look at, the paid ones as an alert. */
export function cancellationWarnings(bills: readonly { id: string; status: string }[]): Warning[] {
  const idsIn = (statuses: readonly string[]) =>
    bills.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
  const warnings: Warning[] = [];
  const open = idsIn(UNPAID_STATUSES);
  if (open.length > 0) {
    const message = 'These bills of the canceled document are still to be paid; they are marked for review.';
    warnings.push({ code: 'payables_to_review', message, payable_ids: open });
  }
  const paid = idsIn(['paid']);
  if (paid.length > 0) {
    const message = 'These bills of the canceled document are paid already: ask the supplier for the money.';
    warnings.push({ code: 'payables_already_paid', message, payable_ids: paid });
  }
  return warnings;
}

/** States in which a bill may still cost money. */
export const UNPAID_STATUSES: readonly string[] = ['draft', 'open', 'partially_paid'];

function partsOf(
  net: Cents,
  dueDates: readonly CivilDate[] | undefined,
): { due_date: CivilDate | null; amount_cents: Cents }[] {
  if (dueDates === undefined) failArgument('due_dates', 'at least one date, because the document tells none');
  if (net > 0 && dueDates.length > net) failArgument('due_dates', `at most ${net} dates for this amount`);
  return splitCents(net, dueDates.length).map((amount_cents) => ({ due_date: null, amount_cents }));
}

function requireStatus({ status }: Pick<State, 'status'>, allowed: readonly DocumentStatus[]): void {
  if (!(allowed as readonly string[]).includes(status)) fail('invalid_state', { from: status, allowed });
}

function requireNotDenied({ authorization_status: from }: State): void {
  if (!(BILLABLE as readonly string[]).includes(from)) fail('invalid_state', { from, allowed: BILLABLE });
}
