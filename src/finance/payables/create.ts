/** The one way a payable comes into being, whoever asks: a person, a fiscal document, a recurrence. */

import type { Terms } from '../../core/accruals.ts';
import { adjustedDueDateOf } from '../../core/accruals.ts';
import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import { monthOf } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
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
import { type CostCenterShare, recordedPayable, type Withholding } from './resource.ts';
import { approvalRulesOf, bookDatesOf, isApprovalNeeded, requireActive } from './rules.ts';
import {
  addSupplierRole,
  insertPayables,
  type NewPayable,
  selectWorkspaceSettings,
} from './write-queries.ts';

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
  readonly installment?:
    | { readonly number: number; readonly total: number; readonly groupId: string }
    | undefined;
  readonly fiscalDocumentId?: string | null | undefined;
  /** The recurrence it is an occurrence of, and its number counted from zero. */
  readonly recurrence?: { readonly id: string; readonly number: number } | undefined;
  /** The boleto announced by DDA it was made of. */
  readonly ddaBoletoId?: string | null | undefined;
  /** Who chose the category; default: a person, when there is one. */
  readonly classifiedBy?: 'person' | 'rule' | undefined;
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
  for (const draft of drafts) requireBase(draft);
  // Companies first: their lock keeps two calls from registering the same bill side by side.
  await checkCompanies(context, drafts);
  const people = await checkedPeople(context, drafts);
  await checkClassification(context, drafts);
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
    context.changed('payable', id, null, recordedPayable(row, context));
    return row;
  });
}

/** The competence month of a bill that states none. */
export function competenceMonthOf(
  draft: Pick<PayableDraft, 'competenceMonth' | 'issueDate' | 'dueDate'>,
): CivilMonth {
  return draft.competenceMonth ?? monthOf(draft.issueDate ?? draft.dueDate);
}

/** What `search` looks at, besides the supplier. */
export function payableSearchText(payable: { description: string; document_number: string | null }): string {
  return searchTextOf(payable.description, payable.document_number);
}

/** Something has to be left to pay, and a code that states an amount has to state this one. */
function requireBase(draft: PayableDraft): void {
  const base = draft.amountCents - (draft.abatementCents ?? 0) - withheldCentsOf(draft.withholdings);
  if (base <= 0) failArgument('withholdings', 'withholdings and abatement that leave something to pay');
  requireMatchingAmount(draft.paymentDetails ?? null, draft.amountCents, base);
}

async function checkCompanies(context: WriteContext, drafts: readonly PayableDraft[]): Promise<void> {
  for (const companyId of distinct(drafts.map((draft) => draft.companyId))) {
    const company = await requireCompany(context, companyId);
    requireActive(company, 'company');
    for (const draft of drafts) {
      if (draft.companyId === companyId) requireOpenBooks(company, ...bookDatesOf(bookedAs(draft)));
    }
  }
}

async function checkedPeople(
  context: WriteContext,
  drafts: readonly PayableDraft[],
): Promise<Map<string, Tables['people']>> {
  const people = new Map<string, Tables['people']>();
  for (const id of distinct(drafts.map((draft) => draft.personId)))
    people.set(id, await requireSupplier(context, id));
  return people;
}

/** Categories, cost centers and planned accounts, each distinct one once. */
async function checkClassification(context: WriteContext, drafts: readonly PayableDraft[]): Promise<void> {
  for (const id of distinct(drafts.map((draft) => draft.categoryId ?? null))) {
    if (id !== null) await requireLeafCategory(context, id, 'expense');
  }
  for (const id of distinct(drafts.map((draft) => draft.plannedAccountId ?? null))) {
    if (id !== null) await requirePlannedAccount(context, id);
  }
  for (const shares of new Set(drafts.map((draft) => draft.costCenters))) {
    if (shares !== undefined && shares.length > 0) await checkedCostCenters(context, [...shares]);
  }
}

/** Installments of one plan are no duplicates of each other, so each plan is looked up once. */
async function checkDuplicates(context: WriteContext, drafts: readonly PayableDraft[]): Promise<void> {
  for (const group of groupsOf(drafts)) {
    const [first] = group;
    await requireNoDuplicate(
      context,
      {
        personId: first!.personId,
        documentNumber: first!.documentNumber ?? null,
        series: first!.series ?? null,
        amounts: distinct(group.map((draft) => draft.amountCents)),
        barcode: barcodeOf(first!.paymentDetails ?? null),
        exceptId: null,
        exceptGroupId: null,
      },
      first!.allowDuplicateOf,
    );
  }
}

function groupsOf(drafts: readonly PayableDraft[]): PayableDraft[][] {
  const groups = new Map<PayableDraft | string, PayableDraft[]>();
  for (const draft of drafts) {
    const key = draft.installment?.groupId ?? draft;
    groups.set(key, [...(groups.get(key) ?? []), draft]);
  }
  return [...groups.values()];
}

/** The whole plan counts, so that splitting a bill is no way around its approval. */
function sumOf(draft: PayableDraft, drafts: readonly PayableDraft[]): Cents {
  if (draft.installment === undefined) return draft.amountCents;
  const { groupId } = draft.installment;
  const plan = drafts.filter(({ installment }) => installment?.groupId === groupId);
  return plan.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function newPayable(
  context: WriteContext,
  draft: PayableDraft,
  _person: Tables['people'],
  isApprovalNeeded: boolean,
): NewPayable {
  const documentNumber = draft.documentNumber ?? null;
  return {
    workspace_id: context.workspaceId,
    id: context.newId(),
    company_id: draft.companyId,
    person_id: draft.personId,
    description: draft.description,
    amount_cents: draft.amountCents,
    abatement_cents: draft.abatementCents ?? 0,
    withheld_cents: withheldCentsOf(draft.withholdings),
    due_date: draft.dueDate,
    adjusted_due_date: adjustedDueDateOf(draft.dueDate),
    ...bookedAs(draft),
    planned_date: draft.plannedDate ?? null,
    planned_account_id: draft.plannedAccountId ?? null,
    document_number: documentNumber,
    series: draft.series ?? null,
    installment_number: draft.installment?.number ?? null,
    installment_total: draft.installment?.total ?? null,
    installment_group_id: draft.installment?.groupId ?? null,
    category_id: draft.categoryId ?? null,
    cost_centers: draft.costCenters ?? [],
    withholdings: draft.withholdings ?? [],
    terms: draft.terms ?? null,
    payment_details: draft.paymentDetails ?? null,
    status: 'open',
    approval_status: isApprovalNeeded ? 'pending' : 'not_required',
    approval_by: null,
    approval_at: null,
    approval_reason: null,
    canceled_reason: null,
    fiscal_document_id: draft.fiscalDocumentId ?? null,
    needs_review: false,
    recurrence_id: draft.recurrence?.id ?? null,
    recurrence_number: draft.recurrence?.number ?? null,
    dda_boleto_id: draft.ddaBoletoId ?? null,
    classified_by: draft.categoryId == null ? null : (draft.classifiedBy ?? 'person'),
    search_text: payableSearchText({ description: draft.description, document_number: documentNumber }),
    created_by: context.caller.user.id,
  };
}

function bookedAs(draft: PayableDraft): { issue_date: CivilDate | null; competence_month: CivilMonth } {
  return { issue_date: draft.issueDate ?? null, competence_month: competenceMonthOf(draft) };
}

/** An account to plan with; read without a lock, because accounts are locked only after their companies. */
export async function requirePlannedAccount(context: WriteContext, id: string): Promise<void> {
  requireActive(await requireAccount({ ...context, isWriting: false }, id), 'financial_account');
}

/** The sum withheld at source, in centavos. */
export function withheldCentsOf(withholdings: readonly Withholding[] = []): Cents {
  return withholdings.reduce((sum, { cents }) => sum + cents, 0);
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** The person as a supplier of the workspace, made one if need be. Fails with `not_found` or `invalid_state`. */
export async function requireSupplier(context: WriteContext, id: string): Promise<Tables['people']> {
  const isNew = (await addSupplierRole(context.db, context.workspaceId, id, context.now)) === 1;
  const person = await requirePerson(context, id);
  requireActive(person, 'person');
  if (isNew) {
    const before = person.roles.filter((role) => role !== 'supplier');
    context.changed('person', id, { roles: before }, { roles: person.roles });
  }
  return person;
}
