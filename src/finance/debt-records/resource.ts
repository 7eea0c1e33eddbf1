import type { Terms } from '../../core/accruals.ts';
import { fail } from '../../core/errors.ts';
import { onDate, ours, outside } from '../../core/facts.ts';
import { moneyText } from '../../core/fields.ts';
import { type Cents, formatBrl, formatPercent } from '../../core/money.ts';
import type { Context, Fact, WriteContext } from '../../core/operation.ts';
import { attachmentsOf } from '../attachments/index.ts';
import {
  amountsOf,
  type CostCenterShare,
  chargesOf,
  type DetailFields,
  type ItemFields,
  isOverdue,
  isStillOpen,
  type Paid,
  type RecordFields,
  type SettlementFields,
  type Withholding,
} from '../debts/index.ts';
import type { DebtItemRow, DebtKind, DebtPlace, DebtRow, SettlementRow } from './kind.ts';
import {
  selectDebt,
  selectDebtsByIds,
  selectEffectiveSettlements,
  selectRecentDebtIds,
  updateDebt,
} from './queries.ts';
import { selectSettlementByExternalId, selectSettlements } from './settlement-queries.ts';

/** What a line of a list shows. */
export function itemFieldsOf(row: DebtItemRow, today: string): ItemFields {
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
    overdue: isOverdue(row, today),
    installment:
      row.installment_number === null || row.installment_total === null
        ? null
        : { number: row.installment_number, total: row.installment_total },
    category_id: row.category_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** What the record shows besides its line. */
export function recordFieldsOf(row: DebtRow): RecordFields {
  return {
    series: row.series,
    issue_date: row.issue_date,
    adjusted_due_date: row.adjusted_due_date,
    competence_month: row.competence_month,
    planned_account_id: row.planned_account_id,
    installment_group_id: row.installment_group_id,
    recurrence_id: row.recurrence_id,
    classified_by: row.classified_by as RecordFields['classified_by'],
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
    canceled_reason: row.canceled_reason,
    created_by: row.created_by,
    version: row.version,
  };
}

/** What a settlement of either kind shows. */
export function settlementFieldsOf(row: SettlementRow): SettlementFields {
  return {
    id: row.id,
    account_id: row.account_id,
    transaction_id: row.transaction_id,
    paid_at: row.paid_at,
    amount: moneyText(row.amount_cents),
    principal: moneyText(row.principal_cents),
    discount: moneyText(row.discount_cents),
    interest: moneyText(row.interest_cents),
    fine: moneyText(row.fine_cents),
    method: row.method as SettlementFields['method'],
    status: row.status as SettlementFields['status'],
    reversed_reason: row.reversed_reason,
    created_at: row.created_at,
  };
}

/** What the record shows as of a date, and the settlements it follows from. */
export async function detailOf<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  row: Row,
  asOf: string,
): Promise<{ fields: DetailFields; settlements: SettlementRow[] }> {
  const settlements = await settlementsOf(context, kind, row.id);
  const amounts = amountsOf(row, settlements.filter(isEffective).map(paidOf), asOf);
  // Nobody owes a draft or what was canceled or given up; once the principal is paid nothing more is asked for.
  const isOwed = isStillOpen(row.status) || (row.status === 'paid' && amounts.openPrincipal > 0);
  const attachments = await attachmentsOf(context, kind.name, row.id);
  return {
    settlements,
    fields: {
      currency: 'BRL',
      as_of: asOf,
      amounts: {
        amount: moneyText(row.amount_cents),
        open_principal: moneyText(row.status === 'written_off' ? 0 : amounts.openPrincipal),
        discount: moneyText(amounts.discount),
        fine: moneyText(amounts.fine),
        interest: moneyText(amounts.interest),
        paid: moneyText(amounts.paid),
        amount_due: moneyText(isOwed ? amounts.amountDue : 0),
        days_late: isOwed ? amounts.daysLate : 0,
      },
      attachments,
    },
  };
}

/** Which debt it is, for a question: person, description, amounts and due date. */
export function debtFacts<Row extends DebtRow>(kind: DebtKind<Row>, row: Row): Fact[] {
  return [
    outside(kind.role, ...kind.personLabel, row.person_name),
    outside('description', 'Descrição', 'Description', row.description),
    ours('amount', 'Valor', 'Amount', formatBrl(row.amount_cents)),
    ours('open_amount', 'Em aberto', 'Open', formatBrl(openCentsOf(row))),
    onDate('due_date', 'Vencimento', 'Due date', row.due_date),
  ];
}

/** The debt of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireDebt<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  id: string,
): Promise<Row> {
  const row = await selectDebt<Row>(context.db, kind, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: kind.name, id });
}

/** Debts of this workspace by id, without a lock; unknown ids are left out. */
export function findDebts<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  return selectDebtsByIds<Row>(context.db, kind, context.workspaceId, ids);
}

/** Writes a changed row and records the change. Gives the row as it is now. */
export async function changeDebt<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  before: Row,
  changed: Row,
): Promise<Row> {
  await updateDebt(context.db, kind, changed, context.now);
  const after = await requireDebt(context, kind, before.id);
  context.changed(kind.name, before.id, kind.recorded(before, context), kind.recorded(after, context));
  return after;
}

/** All settlements of a debt, reversed ones included, oldest first. */
export function settlementsOf(context: Context, place: DebtPlace, id: string): Promise<SettlementRow[]> {
  return selectSettlements(context.db, place, context.workspaceId, id);
}

/** The effective settlement on an account that recorded what the outside calls by this id. */
export function findSettlementByExternalId(
  context: Context,
  accountId: string,
  externalId: string,
): Promise<SettlementRow | undefined> {
  return selectSettlementByExternalId(context.db, context.workspaceId, accountId, externalId);
}

export function suggestDebtIds(place: DebtPlace): (context: Context, typed: string) => Promise<string[]> {
  return (context, typed) => selectRecentDebtIds(context.db, place, context.workspaceId, typed);
}

/** The rows of a page with the settlements that what is due on a partly paid one depends on. */
export async function withSettlements<Row extends DebtItemRow>(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  place: DebtPlace,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = rows.filter((row) => row.terms !== null && row.status === 'partially_paid').map(({ id }) => id);
  if (ids.length === 0) return [...rows];
  const found = await selectEffectiveSettlements(db, place, workspaceId, ids);
  const parts = new Map(found.map((settled) => [settled.debt_id, settled.parts]));
  return rows.map((row) => ({ ...row, effective_settlements: parts.get(row.id) ?? null }));
}

/** Principal still open, in centavos. */
export function openCentsOf(row: { open_cents: number | null }): Cents {
  // The column is generated from columns that are never null; only its declared type says otherwise.
  return row.open_cents!;
}

/** What paying it off on a date takes, in centavos; nothing once nothing is owed any more. */
export function amountDueOf(row: DebtItemRow, on: string): Cents {
  if (!isStillOpen(row.status)) return 0;
  if (row.terms === null) return openCentsOf(row);
  return amountsOf(row, row.effective_settlements ?? [], on).amountDue;
}

/** What amounts are computed from. */
export function paidOf(row: SettlementRow): Paid {
  return {
    paid_at: row.paid_at,
    amount: row.amount_cents,
    principal: row.principal_cents,
    discount: row.discount_cents,
    interest: row.interest_cents,
    fine: row.fine_cents,
  };
}

export function isEffective(row: SettlementRow): boolean {
  return row.status === 'effective';
}
