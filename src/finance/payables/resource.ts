import { addDays, civilDateAt } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import {
  type DebtItemRow,
  type DebtKind,
  itemFieldsOf,
  type RowOf,
  recordFieldsOf,
  requireDebt,
  type SettlementRow,
  settlementFieldsOf,
} from '../debt-records/index.ts';
import { type PaymentDetails, shownPaymentDetails } from './payment-details.ts';
import { selectPlanCents } from './queries.ts';
import type { ApprovalStatus, Payable, PayableItem, PayableStatus, Settlement } from './schema.ts';

/** A change of bank details is pointed out this long: the commonest payment fraud (MODEL §18). */
const RECENT_DAYS = 7;

/** A payable with what its record shows of the supplier. */
export type PayableRow = RowOf<'payables'>;

/** The columns that a line of a list is made of. */
export type PayableItemRow = DebtItemRow & Pick<PayableRow, 'approval_status' | 'needs_review'>;

/** What is of payables alone in what they share with receivables. */
export const payableKind: DebtKind<PayableRow> = {
  name: 'payable',
  table: 'payables',
  searchedAs: 'p',
  settlementColumn: 'payable_id',
  role: 'supplier',
  personLabel: ['Fornecedor', 'Supplier'],
  categoryKind: 'expense',
  direction: 'debit',
  ownColumns: [
    'payment_details, approval_status, approval_by, approval_at, approval_reason, fiscal_document_id',
    'needs_review, dda_boleto_id',
  ],
  ownItemColumns: ['approval_status', 'needs_review'],
  recorded: recordedPayable,
  recordedSettlement: settlementOf,
};

/** A line of a list. */
export function payableItemOf(
  row: PayableItemRow,
  context: Pick<Context, 'today' | 'timeZone'>,
): PayableItem {
  return {
    ...itemFieldsOf(row, context.today),
    status: row.status as PayableStatus,
    approval_status: row.approval_status as ApprovalStatus,
    needs_review: row.needs_review,
    bank_details_changed_recently: hasChangedRecently(row.person_bank_details_changed_at, context),
  };
}

/** The public record of a row; bank details are masked unless the caller may see them. */
export function payableOf(row: PayableRow, context: Pick<Context, 'today' | 'timeZone' | 'scopes'>): Payable {
  const details = row.payment_details as PaymentDetails | null;
  return {
    ...payableItemOf(row, context),
    ...recordFieldsOf(row),
    payment_details:
      details === null
        ? null
        : shownPaymentDetails(details, context.scopes.has('finance.people.bank_details')),
    approval: { by: row.approval_by, at: row.approval_at, reason: row.approval_reason },
    fiscal_document_id: row.fiscal_document_id,
    dda_boleto_id: row.dda_boleto_id,
  };
}

/** The record as the audit chain keeps it: always masked, because its readers need not be those of bank details. */
export function recordedPayable(row: PayableRow, context: Pick<Context, 'today' | 'timeZone'>): Payable {
  return payableOf(row, { today: context.today, timeZone: context.timeZone, scopes: new Set() });
}

/** The public record of a settlement. */
export function settlementOf(row: SettlementRow): Settlement {
  return {
    ...settlementFieldsOf(row),
    payment_id: row.payment_id,
    receipt_attachment_id: row.receipt_attachment_id,
  };
}

/** The payable of this workspace, locked when the caller is writing. Fails with `not_found`. */
export function requirePayable(context: Context, id: string): Promise<PayableRow> {
  return requireDebt(context, payableKind, id);
}

/** The amount that decides who approves it: that of its whole plan, so that splitting a bill is no way around. */
export async function planCentsOf({ db, workspaceId }: Context, row: PayableRow): Promise<Cents> {
  const { installment_group_id: groupId } = row;
  return groupId === null ? row.amount_cents : await selectPlanCents(db, workspaceId, groupId);
}

function hasChangedRecently(
  changedAt: string | null,
  { today, timeZone }: Pick<Context, 'today' | 'timeZone'>,
): boolean {
  if (changedAt === null) return false;
  return civilDateAt(new Date(changedAt), timeZone) > addDays(today, -RECENT_DAYS);
}
