/** The one way money reaches a payable or receivable, whoever recorded it, and the way back. */

import { effectivePaymentDay } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { moves, onDate, outside } from '../../core/facts.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, Fact, WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { postTransaction, removeTransaction } from '../accounts/index.ts';
import { requireOpenBooks } from '../companies/index.ts';
import {
  type CostCenterShare,
  requireStatus,
  type SettlementMethod,
  type StatedParts,
  settlementParts,
  statusAfterSettlement,
} from '../debts/index.ts';
import type { DebtKind, DebtRow, SettlementRow } from './kind.ts';
import { requireDebtAndAccount } from './locks.ts';
import {
  changeDebt,
  debtFacts,
  findSettlementByExternalId,
  isEffective,
  openCentsOf,
  paidOf,
  requireDebt,
  settlementsOf,
} from './resource.ts';
import {
  insertSettlement,
  reverseSettlement,
  type SettlementToUndo,
  selectSettlement,
} from './settlement-queries.ts';

export interface SettlingDraft extends StatedParts {
  /** As `requireAccount` gave it in this transaction. */
  readonly account: Tables['financial_accounts'];
  readonly paidAt: CivilDate;
  /** Money that moved between the parties, in centavos, greater than zero. */
  readonly amount: Cents;
  /** Kept by the bank out of what was received. */
  readonly fee?: Cents | undefined;
  readonly method: SettlementMethod;
  readonly receiptAttachmentId?: string | null | undefined;
  /** The confirmed payment order; each settles once. */
  readonly paymentId?: string | undefined;
  /** The charge that was paid. */
  readonly chargeId?: string | undefined;
  /** What the payment is called outside; on one account each settles once. */
  readonly externalId?: string | undefined;
  /** `payment`: a bank moved the money already, so an amount beyond what is due is kept as interest. */
  readonly transactionSource: 'settlement' | 'payment';
  /** The line of a statement that is this payment (null: several are). Nothing is posted then. */
  readonly bankLine?: { readonly id: string | null } | undefined;
}

/**
 * Settles a debt that the caller holds locked: posts the entry, writes the settlement in its parts, moves the state.
 * Future dates and closed books are the caller's to refuse (the account's company is checked when posting). Fails
 * with `invalid_state`, `exceeds_open_amount`, `unbalanced`, or `duplicate` for what settled already.
 */
export async function settleDebt<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  debt: Row,
  draft: SettlingDraft,
): Promise<{ settlement: SettlementRow; debt: Row }> {
  requireStatus(debt.status, ['open', 'partially_paid']);
  const effective = (await settlementsOf(context, kind, debt.id)).filter(isEffective);
  await requireFirst(context, effective, draft);
  const { principal, discount, interest, fine } = draft;
  const parts = settlementParts({
    debt,
    openCents: openCentsOf(debt),
    settlements: effective.map(paidOf),
    amount: draft.amount,
    stated: { principal, discount, interest, fine },
    on: effectivePaymentDay(draft.method, draft.paidAt),
    surplus: isSurplusTaken(draft) ? 'interest' : 'refused',
  });
  const settlement = await insertSettlement(
    context.db,
    {
      workspace_id: context.workspaceId,
      id: context.newId(),
      payable_id: null,
      receivable_id: null,
      [kind.settlementColumn]: debt.id,
      account_id: draft.account.id,
      transaction_id: await entryOf(context, kind, debt, draft),
      payment_id: draft.paymentId ?? null,
      charge_id: draft.chargeId ?? null,
      external_id: draft.externalId ?? null,
      paid_at: draft.paidAt,
      amount_cents: draft.amount,
      principal_cents: parts.principal,
      discount_cents: parts.discount,
      interest_cents: parts.interest,
      fine_cents: parts.fine,
      fee_cents: draft.fee ?? 0,
      method: draft.method,
      receipt_attachment_id: draft.receiptAttachmentId ?? null,
      status: 'effective',
      reversed_reason: null,
      created_by: context.caller.user.id,
    },
    context.now,
  );
  context.changed('settlement', settlement.id, null, kind.recordedSettlement(settlement));
  return { settlement, debt: await moveSettled(context, kind, debt, parts.principal, effective.length + 1) };
}

/** A settlement that can be undone by hand, with all that its undoing changes, locked when the caller is writing. */
export interface Undoing<Row extends DebtRow> {
  readonly debt: Row;
  readonly settlement: SettlementToUndo;
  readonly account: Tables['financial_accounts'];
}

/**
 * What undoing a settlement takes. Fails with `not_found`, `invalid_state`, `books_closed`, or `already_reconciled`
 * while a reconciliation or a line of the bank stands for it.
 */
export async function requireUndoable<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  debtId: string,
  settlementId: string,
): Promise<Undoing<Row>> {
  const accountId = await requireAccountOf(context, kind, debtId, settlementId);
  const { debt, company, account, accountCompany } = await requireDebtAndAccount(
    context,
    kind,
    debtId,
    accountId,
  );
  const settlement = await requireEffective(context, kind, debt, settlementId);
  // What a bank paid or received is settled: the order's or charge's own states say so, and none is taken from it.
  if (settlement.payment_id !== null || settlement.charge_id !== null) {
    const from = settlement.payment_id === null ? 'received_by_charge' : 'paid_by_bank';
    fail('invalid_state', { from, allowed: ['recorded_by_hand'] });
  }
  requireUnreconciled(settlement);
  requireOpenBooks(company, settlement.paid_at);
  requireOpenBooks(accountCompany, settlement.paid_at);
  return { debt, settlement, account };
}

/** The lines of the question about undoing a settlement. */
export function undoingFacts<Row extends DebtRow>(
  kind: DebtKind<Row>,
  { debt, settlement, account }: Undoing<Row>,
): Fact[] {
  return [
    ...debtFacts(kind, debt),
    moves('settlement_amount', 'Valor do pagamento', 'Amount of the payment', settlement.amount_cents),
    onDate('paid_at', 'Pago em', 'Paid on', settlement.paid_at),
    outside('account', 'Conta', 'Account', account.name),
  ];
}

/**
 * Takes one settlement of a debt that the caller holds locked back, with its entry (`remove`) or without (`keep`: the
 * money is a line of the bank and stays). Closed books are the caller's to refuse, except of a removed entry. Fails
 * with `not_found`, `invalid_state`, and for `remove` with `already_reconciled`.
 */
export async function reverseDebtSettlement<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  debt: Row,
  settlementId: string,
  reason: string,
  entry: 'remove' | 'keep',
): Promise<{ settlement: SettlementRow; debt: Row }> {
  requireStatus(debt.status, ['open', 'partially_paid', 'paid']);
  const settlement = await requireEffective(context, kind, debt, settlementId);
  if (entry === 'remove') requireUnreconciled(settlement);
  const before = asStored(settlement);
  const reversed = await reverseSettlement(context.db, before, reason, context.now);
  if (entry === 'remove' && before.transaction_id !== null) {
    await removeTransaction(context, before.transaction_id);
  }
  context.changed(
    'settlement',
    before.id,
    kind.recordedSettlement(before),
    kind.recordedSettlement(reversed),
  );
  const left = (await settlementsOf(context, kind, debt.id)).filter(isEffective);
  const after = await moveSettled(context, kind, debt, -before.principal_cents, left.length);
  return { settlement: reversed, debt: after };
}

/** Money that is at the bank is recorded whatever its amount, unless a person states parts that cannot be. */
function isSurplusTaken({ transactionSource, bankLine, principal }: SettlingDraft): boolean {
  return transactionSource === 'payment' || (bankLine !== undefined && principal === undefined);
}

/** Each order of the bank, and each payment as the outside calls it, settles once. */
async function requireFirst(
  context: WriteContext,
  effective: readonly SettlementRow[],
  draft: SettlingDraft,
): Promise<void> {
  const { paymentId, externalId, account } = draft;
  const again =
    effective.find(({ payment_id }) => payment_id !== null && payment_id === paymentId) ??
    (externalId === undefined
      ? undefined
      : await findSettlementByExternalId(context, account.id, externalId));
  if (again !== undefined) fail('duplicate', { kind: 'settlement', of: again.id });
}

/** The id of the entry for the money, or of the bank's line that is it; null when nothing or several stand for it. */
async function entryOf<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  debt: Row,
  draft: SettlingDraft,
): Promise<string | null> {
  const { fee = 0 } = draft;
  if (fee > draft.amount) failArgument('fee', 'at most the amount');
  if (draft.bankLine !== undefined) return draft.bankLine.id;
  if (fee === draft.amount) return null;
  return postTransaction(context, {
    account: draft.account,
    date: draft.paidAt,
    direction: kind.direction,
    amount: draft.amount - fee,
    description: debt.description,
    source: draft.transactionSource,
    categoryId: debt.category_id,
    classifiedBy: debt.classified_by === 'rule' ? 'rule' : 'person',
    personId: debt.person_id,
    costCenters: debt.cost_centers as CostCenterShare[],
  });
}

/** Adds principal to (or, negative, takes it from) what is settled, moves the state and records the change. */
function moveSettled<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  debt: Row,
  principal: Cents,
  effectiveSettlements: number,
): Promise<Row> {
  const status = statusAfterSettlement(openCentsOf(debt) - principal, effectiveSettlements);
  const settled = { ...debt, status, settled_cents: debt.settled_cents + principal };
  return changeDebt(context, kind, debt, settled);
}

/** On which account the settlement is, read without a lock: it is locked before the debt. */
async function requireAccountOf<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  debtId: string,
  settlementId: string,
): Promise<string> {
  const { db, workspaceId } = context;
  await requireDebt({ ...context, isWriting: false }, kind, debtId);
  const found = await selectSettlement(db, kind, workspaceId, debtId, settlementId, false);
  return (found ?? failMissing(settlementId)).account_id;
}

async function requireEffective<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  debt: Row,
  id: string,
): Promise<SettlementToUndo> {
  const { db, workspaceId, isWriting } = context;
  const found = await selectSettlement(db, kind, workspaceId, debt.id, id, isWriting);
  const settlement = found ?? failMissing(id);
  requireStatus(settlement.status, ['effective']);
  return settlement;
}

function requireUnreconciled(settlement: SettlementToUndo): void {
  if (settlement.reconciliation_id !== null) {
    fail('already_reconciled', { kind: 'reconciliation', id: settlement.reconciliation_id });
  }
  if ((settlement.reconciled_cents ?? 0) > 0 || settlement.superseded_by !== null) {
    fail('already_reconciled', { kind: 'financial_transaction', id: settlement.transaction_id });
  }
}

function asStored(settlement: SettlementToUndo): SettlementRow {
  const { reconciled_cents: _, superseded_by: __, reconciliation_id: ___, ...stored } = settlement;
  return stored;
}

function failMissing(id: string): never {
  fail('not_found', { kind: 'settlement', id });
}
