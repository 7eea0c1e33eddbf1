/** The one way a payable comes into being, whoever asks: a person, a fiscal document, a recurrence. */

import type { Terms } from '../../core/accruals.ts';
import { adjustedDueDateOf } from '../../core/accruals.ts';
import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import { monthOf } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { requireAccount } from '../accounts/index.ts';
import { requireLeafCategory } from '../categories/index.ts';
import { requireCompany, requireOpenBooks } from '../companies/index.ts';
import { checkedCostCenters } from '../cost-centers/index.ts';
import { requirePerson } from '../people/index.ts';
import { requireNoDuplicate } from './duplicates.ts';
import { barcodeOf, type PaymentDetails, requireMatchingAmount } from './payment-details.ts';
import { type PayableRow, selectPayablesByIds } from './queries.ts';
import { type CostCenterShare, payableOf, type Withholding } from './resource.ts';
import { type ApprovalRules, approvalRulesOf, bookDatesOf, isApprovalNeeded } from './rules.ts';
import { insertPayables, type NewPayable, selectWorkspaceSettings } from './write-queries.ts';

/** A payable to be: checked for form, not yet against the records. Amounts in centavos. */
export interface PayableDraft {
  readonly companyId: string;
  readonly personId: string;
  readonly description: string;
  readonly amountCents: Cents;
  readonly dueDate: CivilDate;
  readonly issueDate?: CivilDate | null | undefined;
  /** Default: the month of the issue date, else of the due date. */
  readonly competenceMonth?: CivilMonth | undefined;
  readonly documentNumber?: string | null | undefined;
  readonly series?: string | null | undefined;
  readonly categoryId?: string | null | undefined;
  readonly costCenters?: readonly CostCenterShare[] | undefined;
  readonly withholdings?: readonly Withholding[] | undefined;
  readonly abatementCents?: Cents | undefined;
  readonly terms?: Terms | null | undefined;
  readonly paymentDetails?: PaymentDetails | null | undefined;
  readonly plannedDate?: CivilDate | null | undefined;
  readonly plannedAccountId?: string | null | undefined;
  /** Payables of one call with one group id are one plan: approval looks at their sum. */
  readonly installment?: { readonly number: number; readonly total: number; readonly groupId: string } | undefined;
  readonly fiscalDocumentId?: string | null | undefined;
  /** The record that may look like this bill without being it. */
  readonly allowDuplicateOf?: string | undefined;
}

/**
 * Registers payables and gives their rows in the order of the drafts. Checks company, books, supplier, category, cost
 * centers, amounts and duplicates; makes the person a supplier; records every change. Fails with the code of the
 * first check that refuses, and then nothing is written.
 */
export async function createPayables(
  context: WriteContext,
  drafts: readonly PayableDraft[],
): Promise<PayableRow[]> {
  const { db, workspaceId, organizationId, now } = context;
  const approval = approvalRulesOf(await selectWorkspaceSettings(db, organizationId, workspaceId));
  const people = await checkedPeople(context, drafts);
  await checkRecords(context, drafts);
  await checkDuplicates(context, drafts);
  const payables = drafts.map((draft) =>
    newPayable(context, draft, people.get(draft.personId)!, isApprovalNeeded(approval, sumOf(draft, drafts))),
  );
  await insertPayables(db, payables, now);
  const rows = await selectPayablesByIds(
    db,
    workspaceId,
    payables.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return payables.map(({ id }) => {
    const row = byId.get(id)!;
    context.changed('payable', id, null, payableOf(row, context));
    return row;
  });
}

/** The competence month of a bill that states none. */
export function competenceMonthOf(draft: Pick<PayableDraft, 'competenceMonth' | 'issueDate' | 'dueDate'>): CivilMonth {
  return draft.competenceMonth ?? monthOf(draft.issueDate ?? draft.dueDate);
}

/** What `search` looks at. */
export function payableSearchText(
  payable: { description: string; document_number: string | null },
  person: Pick<Tables['people'], 'search_text'>,
): string {
  return searchTextOf(payable.description, payable.document_number, person.search_text);
}
