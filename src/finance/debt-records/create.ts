/** The one way a payable or receivable comes into being, whoever asks: a person, a fiscal document, a recurrence. */

import { adjustedDueDateOf } from '../../core/accruals.ts';
import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { classifierOf } from '../automatic-rules/index.ts';
import { requireLeafCategory } from '../categories/index.ts';
import { requireCompany, requireOpenBooks } from '../companies/index.ts';
import { checkedCostCenters, wholeShareOf } from '../cost-centers/index.ts';
import {
  baseOf,
  bookDatesOf,
  competenceMonthOf,
  type DebtDraft,
  distinct,
  groupsOf,
  requireActive,
  withheldCentsOf,
} from '../debts/index.ts';
import { requirePerson } from '../people/index.ts';
import type { DebtKind, DebtRow } from './kind.ts';
import { requirePlannedAccount } from './locks.ts';
import { addRole, type DuplicateKey, insertDebts, type NewDebt, selectDuplicates } from './queries.ts';
import { findDebts } from './resource.ts';

type PersonRow = Tables['people'];

/** What a kind adds to the common way. */
export interface Registering<Draft extends DebtDraft> {
  /** The columns of its own. */
  readonly ownOf: (draft: Draft) => Readonly<Record<string, unknown>>;
  /** Refuses a draft for what only this kind looks at. `base` is what has to be paid in all. */
  readonly check?: (draft: Draft, base: number, person: PersonRow) => void;
  readonly barcodeOf?: (draft: Draft) => string | null;
}

/**
 * Registers debts and gives their rows in the order of the drafts. Checks company, books, person, category, cost
 * centers, amounts and duplicates; gives the person the role; records every change. Fails with the code of the first
 * check that refuses, and then nothing is written.
 */
export async function registerDebts<Row extends DebtRow, Draft extends DebtDraft>(
  context: WriteContext,
  kind: DebtKind<Row>,
  drafts: readonly Draft[],
  registering: Registering<Draft>,
): Promise<Row[]> {
  for (const draft of drafts) requireBase(draft);
  // Companies first: their lock keeps two calls from registering the same debt side by side.
  await checkCompanies(context, drafts);
  const people = await checkedPeople(context, kind, drafts);
  for (const draft of drafts) registering.check?.(draft, draftBase(draft), people.get(draft.personId)!);
  const classified = await classifiedByRules(context, kind, drafts);
  await checkClassification(context, kind, classified);
  await checkDuplicates(context, kind, drafts, registering);
  const debts = classified.map((draft) => ({ ...newDebt(context, draft), ...registering.ownOf(draft) }));
  await insertDebts(context.db, kind, debts, context.now);
  const ids = debts.map(({ id }) => id);
  const byId = new Map((await findDebts(context, kind, ids)).map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id)!;
    context.changed(kind.name, id, null, kind.recorded(row, context));
    return row;
  });
}

/** What `search` looks at, besides the person. */
export function debtSearchText(debt: { description: string; document_number: string | null }): string {
  return searchTextOf(debt.description, debt.document_number);
}

/**
 * Fails with `duplicate { of }` when the workspace has a debt of the same person, document number, series and amount,
 * or with the same barcode (MODEL §14, invariant 10), unless the caller named one of them as another one. A named
 * installment stands for its whole plan.
 */
export async function requireNoDuplicate<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  key: DuplicateKey,
  allowed: string | undefined,
): Promise<void> {
  if (key.documentNumber === null && key.barcode === null) return;
  const found = await selectDuplicates(context.db, kind, context.workspaceId, key);
  const [first] = found;
  if (first === undefined || found.some(({ id }) => id === allowed)) return;
  fail('duplicate', { kind: kind.name, of: first.id });
}

/** The person in the role, given it if need be. Fails with `not_found` or `invalid_state`. */
export async function requireParty<Row extends DebtRow>(
  context: WriteContext,
  { role }: DebtKind<Row>,
  id: string,
): Promise<PersonRow> {
  const isNew = (await addRole(context.db, context.workspaceId, id, role, context.now)) === 1;
  const person = await requirePerson(context, id);
  requireActive(person, 'person');
  if (isNew) {
    const before = person.roles.filter((other) => other !== role);
    context.changed('person', id, { roles: before }, { roles: person.roles });
  }
  return person;
}

/** Something has to be left to pay. */
function requireBase(draft: DebtDraft): void {
  if (draftBase(draft) <= 0) {
    failArgument('withholdings', 'withholdings and abatement that leave something to pay');
  }
}

function draftBase(draft: DebtDraft): number {
  return baseOf({
    amount_cents: draft.amountCents,
    abatement_cents: draft.abatementCents ?? 0,
    withheld_cents: withheldCentsOf(draft.withholdings),
  });
}

async function checkCompanies(context: WriteContext, drafts: readonly DebtDraft[]): Promise<void> {
  for (const companyId of distinct(drafts.map((draft) => draft.companyId)).sort()) {
    const company = await requireCompany(context, companyId);
    requireActive(company, 'company');
    for (const draft of drafts) {
      if (draft.companyId === companyId) requireOpenBooks(company, ...bookDatesOf(bookedAs(draft)));
    }
  }
}

async function checkedPeople<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  drafts: readonly DebtDraft[],
): Promise<Map<string, PersonRow>> {
  const people = new Map<string, PersonRow>();
  for (const id of distinct(drafts.map((draft) => draft.personId))) {
    people.set(id, await requireParty(context, kind, id));
  }
  return people;
}

/** Drafts without a category get what the automatic rules of the workspace say about their description. */
async function classifiedByRules<Row extends DebtRow, Draft extends DebtDraft>(
  context: WriteContext,
  kind: DebtKind<Row>,
  drafts: readonly Draft[],
): Promise<readonly Draft[]> {
  if (drafts.every(({ categoryId }) => categoryId != null)) return drafts;
  const classify = await classifierOf(context, 'documents');
  return drafts.map((draft) => {
    const said = draft.categoryId == null ? classify(draft.description, kind.categoryKind) : null;
    if (said === null) return draft;
    const hasCostCenters = (draft.costCenters ?? []).length > 0;
    return {
      ...draft,
      categoryId: said.categoryId,
      classifiedBy: 'rule',
      ...(said.costCenterId !== null && !hasCostCenters && { costCenters: wholeShareOf(said.costCenterId) }),
    };
  });
}

/** Categories, cost centers and planned accounts, each distinct one once. */
async function checkClassification<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  drafts: readonly DebtDraft[],
): Promise<void> {
  for (const id of distinct(drafts.map((draft) => draft.categoryId ?? null))) {
    if (id !== null) await requireLeafCategory(context, id, kind.categoryKind);
  }
  for (const id of distinct(drafts.map((draft) => draft.plannedAccountId ?? null))) {
    if (id !== null) await requirePlannedAccount(context, id);
  }
  for (const shares of new Set(drafts.map((draft) => draft.costCenters))) {
    if (shares !== undefined && shares.length > 0) await checkedCostCenters(context, [...shares]);
  }
}

/** Installments of one plan are no duplicates of each other, so each plan is looked up once. */
async function checkDuplicates<Row extends DebtRow, Draft extends DebtDraft>(
  context: WriteContext,
  kind: DebtKind<Row>,
  drafts: readonly Draft[],
  { barcodeOf }: Registering<Draft>,
): Promise<void> {
  for (const group of groupsOf(drafts)) {
    const first = group[0]!;
    const key: DuplicateKey = {
      personId: first.personId,
      documentNumber: first.documentNumber ?? null,
      series: first.series ?? null,
      amounts: distinct(group.map((draft) => draft.amountCents)),
      barcode: barcodeOf?.(first) ?? null,
      exceptId: null,
      exceptGroupId: null,
    };
    await requireNoDuplicate(context, kind, key, first.allowDuplicateOf);
  }
}

function newDebt(context: WriteContext, draft: DebtDraft): NewDebt {
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
    settled_cents: 0,
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
    status: 'open',
    canceled_reason: null,
    recurrence_id: draft.recurrence?.id ?? null,
    recurrence_number: draft.recurrence?.number ?? null,
    classified_by: draft.categoryId == null ? null : (draft.classifiedBy ?? 'person'),
    search_text: debtSearchText({ description: draft.description, document_number: documentNumber }),
    created_by: context.caller.user.id,
  };
}

function bookedAs(draft: DebtDraft): { issue_date: CivilDate | null; competence_month: CivilMonth } {
  return { issue_date: draft.issueDate ?? null, competence_month: competenceMonthOf(draft) };
}
