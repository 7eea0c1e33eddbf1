import { adjustedDueDateOf } from '../../../core/accruals.ts';
import { failArgument } from '../../../core/errors.ts';
import { date, id, money, moneyOrZero, month, text } from '../../../core/fields.ts';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import { requireLeafCategory } from '../../categories/index.ts';
import { requireCompany, requireOpenBooks } from '../../companies/index.ts';
import { checkedCostCenters } from '../../cost-centers/index.ts';
import { costCentersArgument } from '../../schema.ts';
import {
  descriptionArgument,
  documentNumberArgument,
  plannedDateArgument,
  withholdingsArgument,
} from '../arguments.ts';
import { chargesArgument, termsOf } from '../charges.ts';
import { payableSearchText, requirePlannedAccount, requireSupplier, withheldCentsOf } from '../create.ts';
import { requireNoDuplicate } from '../duplicates.ts';
import { requireNoLiveOrder } from '../orders.ts';
import {
  barcodeOf,
  type PaymentDetails,
  paymentDetailsArgument,
  readPaymentDetails,
  requireMatchingAmount,
} from '../payment-details.ts';
import type { PayableRow } from '../queries.ts';
import { payableOf, recordedPayable, requirePayable, type Withholding } from '../resource.ts';
import {
  approvalAfterChange,
  approvalRulesOf,
  bookDatesOf,
  isApprovalNeeded,
  requireStatus,
  type Touched,
  touchedBy,
} from '../rules.ts';
import { type ApprovalStatus, payableSchema } from '../schema.ts';
import { selectWorkspaceSettings, updatePayable as updateRow } from '../write-queries.ts';

const changes = {
  person_id: id('the supplier').optional(),
  description: descriptionArgument().optional(),
  amount: money().optional(),
  due_date: date().optional(),
  issue_date: date().nullable().optional(),
  competence_month: month().optional(),
  document_number: documentNumberArgument().nullable().optional(),
  series: text(20).nullable().optional(),
  category_id: id('an expense category without children').nullable().optional(),
  cost_centers: costCentersArgument.optional(),
  withholdings: withholdingsArgument.optional(),
  abatement: moneyOrZero().optional(),
  charges: chargesArgument.nullable().optional(),
  payment_details: paymentDetailsArgument.nullable().optional(),
  planned_date: plannedDateArgument().nullable().optional(),
  planned_account_id: id('the account it is meant to be paid from').nullable().optional(),
};

export const updatePayable = operation({
  name: 'finance_payables_update',
  title: 'Update payable',
  summary:
    'Change an open bill, or plan its payment. A changed amount, supplier or payment detail is approved anew.',
  effect: 'write',
  scope: 'finance.payables',
  hints: { idempotent: true },
  input: {
    id: id('the payable'),
    ...changes,
    allow_duplicate_of: id('the bill that looks alike and is another one').optional(),
  },
  output: payableSchema,
  async run({ id: payableId, allow_duplicate_of: allowed, ...given }, context) {
    const before = await requirePayable(context, payableId);
    requireStatus(before.status, ['draft', 'open', 'partially_paid']);
    const edited = editedPayable(before, given, context.today);
    const touched = touchedBy(before, edited);
    if (touched.money) requireStatus(before.status, ['draft', 'open']);
    if (touched.payment) await requireNoLiveOrder(context, payableId);
    await checkRecords(context, before, edited, touched);
    checkAmounts(edited, touched);
    if (touched.identity) await requireNoDuplicate(context, duplicateKeyOf(edited), allowed);
    await updateRow(context.db, await completed(context, edited, touched), context.now);
    const after = await requirePayable(context, payableId);
    context.changed('payable', payableId, recordedPayable(before, context), recordedPayable(after, context));
    return payableOf(after, context);
  },
});

type Given = InputOf<typeof changes>;

/** The row with what was given; what depends on other records is completed later. */
function editedPayable(before: PayableRow, given: Given, today: string): PayableRow {
  const { amount, abatement, withholdings, charges, payment_details: details, ...plain } = given;
  const stored = withholdings?.map(({ kind, amount: cents }): Withholding => ({ kind, cents }));
  const named = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const edited: PayableRow = { ...before, ...named };
  return {
    ...edited,
    amount_cents: amount ?? before.amount_cents,
    abatement_cents: abatement ?? before.abatement_cents,
    ...(stored !== undefined && { withholdings: stored, withheld_cents: withheldCentsOf(stored) }),
    ...(charges !== undefined && { terms: charges === null ? null : termsOf(charges) }),
    ...(details !== undefined && {
      payment_details: details === null ? null : readPaymentDetails(details, today),
    }),
    adjusted_due_date: adjustedDueDateOf(edited.due_date),
  };
}

/** Planning and payment details stay free in a closed month; what its books say does not. */
async function checkRecords(
  context: WriteContext,
  before: PayableRow,
  edited: PayableRow,
  touched: Touched,
): Promise<void> {
  const company = await requireCompany(context, before.company_id);
  if (touched.books) requireOpenBooks(company, ...bookDatesOf(before), ...bookDatesOf(edited));
  if (edited.person_id !== before.person_id) await requireSupplier(context, edited.person_id);
  if (edited.category_id !== null && edited.category_id !== before.category_id) {
    await requireLeafCategory(context, edited.category_id, 'expense');
  }
  if (edited.cost_centers !== before.cost_centers) {
    await checkedCostCenters(context, edited.cost_centers as Parameters<typeof checkedCostCenters>[1]);
  }
  if (edited.planned_account_id !== null && edited.planned_account_id !== before.planned_account_id) {
    await requirePlannedAccount(context, edited.planned_account_id);
  }
}

function checkAmounts(edited: PayableRow, touched: Touched): void {
  if (!touched.payment) return;
  const base = edited.amount_cents - edited.abatement_cents - edited.withheld_cents;
  if (base <= 0) failArgument('amount', 'an amount that withholdings and abatement do not use up');
  requireMatchingAmount(
    edited.payment_details as PaymentDetails | null,
    edited.amount_cents,
    base,
    base - edited.settled_cents,
  );
}

function duplicateKeyOf(edited: PayableRow) {
  return {
    personId: edited.person_id,
    documentNumber: edited.document_number,
    series: edited.series,
    amounts: [edited.amount_cents],
    barcode: barcodeOf(edited.payment_details as PaymentDetails | null),
    exceptId: edited.id,
    exceptGroupId: edited.installment_group_id,
  };
}

/** Search text and approval as the changed bill needs them. */
async function completed(context: WriteContext, edited: PayableRow, touched: Touched): Promise<PayableRow> {
  const { db, organizationId, workspaceId } = context;
  const complete = { ...edited, search_text: payableSearchText(edited) };
  if (!touched.payment) return complete;
  const rules = approvalRulesOf(await selectWorkspaceSettings(db, organizationId, workspaceId));
  const isNeeded = isApprovalNeeded(rules, edited.amount_cents);
  return {
    ...complete,
    approval_status: approvalAfterChange(edited.approval_status as ApprovalStatus, isNeeded),
    approval_by: null,
    approval_at: null,
    approval_reason: null,
  };
}
