import type { Terms } from '../../core/accruals.ts';
import { addDays, civilDateAt } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import { type Cents, formatPercent } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { chargesOf } from './charges.ts';
import { type PaymentDetails, shownPaymentDetails } from './payment-details.ts';
import {
  type PayableItemRow,
  type PayableRow,
  selectEffectiveSettlements,
  selectPayable,
  selectRecentPayableIds,
} from './queries.ts';
import { amountsOf, isOverdue, isStillOpen } from './rules.ts';
import type { ApprovalStatus, Payable, PayableItem, PayableStatus, Settlement } from './schema.ts';
import type { SettlementRow } from './settlement-queries.ts';

/** A change of bank details is pointed out this long: the commonest payment fraud (MODEL §18). */
const RECENT_DAYS = 7;

/** Withheld at source, as stored. */
export interface Withholding {
  readonly kind: string;
  readonly cents: Cents;
}

/** A share of a cost center, as stored: ten-thousandths of a percent. */
export interface CostCenterShare {
  readonly id: string;
  readonly percent: number;
}

/** A line of a list. */
export function payableItemOf(
  row: PayableItemRow,
  context: Pick<Context, 'today' | 'timeZone'>,
): PayableItem {
  const { today } = context;
  return {
    id: row.id,
    company_id: row.company_id,
    person: { id: row.person_id, name: row.person_name },
    description: row.description,
    document_number: row.document_number,
    amount: moneyText(row.amount_cents),
    open_amount: moneyText(openCentsOf(row)),
    amount_due: moneyText(amountDueOf(row, today)),
    due_date: row.due_date,
    planned_date: row.planned_date,
    status: row.status as PayableStatus,
    overdue: isOverdue(row, today),
    approval_status: row.approval_status as ApprovalStatus,
    installment:
      row.installment_number === null || row.installment_total === null
        ? null
        : { number: row.installment_number, total: row.installment_total },
    category_id: row.category_id,
    needs_review: row.needs_review,
    bank_details_changed_recently: hasChangedRecently(row.person_bank_details_changed_at, context),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The public record of a row; bank details are masked unless the caller may see them. */
export function payableOf(row: PayableRow, context: Pick<Context, 'today' | 'timeZone' | 'scopes'>): Payable {
  const details = row.payment_details as PaymentDetails | null;
  return {
    ...payableItemOf(row, context),
    series: row.series,
    issue_date: row.issue_date,
    adjusted_due_date: row.adjusted_due_date,
    competence_month: row.competence_month,
    planned_account_id: row.planned_account_id,
    installment_group_id: row.installment_group_id,
    abatement: moneyText(row.abatement_cents),
    withholdings: (row.withholdings as Withholding[]).map(({ kind, cents }) => ({
      kind,
      amount: moneyText(cents),
    })),
    cost_centers: (row.cost_centers as CostCenterShare[]).map(({ id, percent }) => ({
      id,
      percent: formatPercent(percent),
    })),
    charges: row.terms === null ? null : chargesOf(row.terms as Terms),
    payment_details:
      details === null
        ? null
        : shownPaymentDetails(details, context.scopes.has('finance.people.bank_details')),
    approval: { by: row.approval_by, at: row.approval_at, reason: row.approval_reason },
    canceled_reason: row.canceled_reason,
    fiscal_document_id: row.fiscal_document_id,
    created_by: row.created_by,
    version: row.version,
  };
}

/** The record as the audit chain keeps it: always masked, because its readers need not be those of bank details. */
export function recordedPayable(row: PayableRow, context: Pick<Context, 'today' | 'timeZone'>): Payable {
  return payableOf(row, { today: context.today, timeZone: context.timeZone, scopes: new Set() });
}

/** The public record of a settlement. */
export function settlementOf(row: SettlementRow): Settlement {
  return {
    id: row.id,
    account_id: row.account_id,
    transaction_id: row.transaction_id,
    payment_id: row.payment_id,
    paid_at: row.paid_at,
    amount: moneyText(row.amount_cents),
    principal: moneyText(row.principal_cents),
    discount: moneyText(row.discount_cents),
    interest: moneyText(row.interest_cents),
    fine: moneyText(row.fine_cents),
    method: row.method as Settlement['method'],
    receipt_attachment_id: row.receipt_attachment_id,
    status: row.status as Settlement['status'],
    reversed_reason: row.reversed_reason,
    created_at: row.created_at,
  };
}

/** The payable of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requirePayable(context: Context, id: string): Promise<PayableRow> {
  const row = await selectPayable(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'payable', id });
}

/** Principal still open, in centavos. */
export function openCentsOf(row: { open_cents: number | null }): Cents {
  // The column is generated from columns that are never null; only its declared type says otherwise.
  return row.open_cents!;
}

/** The rows of a page with the settlements that what is due on a partly paid one depends on. */
export async function withSettlements<Row extends PayableItemRow>(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = rows.filter((row) => row.terms !== null && row.status === 'partially_paid').map(({ id }) => id);
  if (ids.length === 0) return [...rows];
  const found = await selectEffectiveSettlements(db, workspaceId, ids);
  const parts = new Map(found.map((settled) => [settled.payable_id, settled.parts]));
  return rows.map((row) => ({ ...row, effective_settlements: parts.get(row.id) ?? null }));
}

/** What paying it off on a date takes, in centavos; nothing once it is paid, canceled or still a draft. */
export function amountDueOf(row: PayableItemRow, on: string): Cents {
  if (!isStillOpen(row.status)) return 0;
  if (row.terms === null) return openCentsOf(row);
  return amountsOf(row, row.effective_settlements ?? [], on).amountDue;
}

export function suggestPayableIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentPayableIds(context.db, context.workspaceId, typed);
}

function hasChangedRecently(
  changedAt: string | null,
  { today, timeZone }: Pick<Context, 'today' | 'timeZone'>,
): boolean {
  if (changedAt === null) return false;
  return civilDateAt(new Date(changedAt), timeZone) > addDays(today, -RECENT_DAYS);
}
