/** The one way lines of statements are tied to records, and the exact way back. */

import type { Context, WriteContext } from '../../core/operation.ts';
import { requireOpenBooks } from '../companies/index.ts';
import {
  reverseDebtSettlement,
  type SettlingDraft,
  setSettlementEntry,
  settleDebt,
} from '../debt-records/index.ts';
import { requireTransaction, restore, setReconciled, setTransfer, supersede } from '../transactions/index.ts';
import { replaceLeg, requireTransfer } from '../transfers/index.ts';
import { gather, needed, type Records, type Reference } from './gather.ts';
import type { PreparedDocument, PreparedReconciliation } from './prepare.ts';
import {
  insertReconciliation,
  type LinkedDocumentRow,
  type ReconciliationRow,
  updateUndone,
} from './queries.ts';
import { reconciliationOf, requireReconciliation } from './resource.ts';
import { requireActive } from './rules.ts';

/** Makes a reconciliation that was prepared in this transaction. */
export async function createReconciliation(
  context: WriteContext,
  prepared: PreparedReconciliation,
  origin: 'manual' | 'suggestion',
): Promise<ReconciliationRow> {
  const documents: LinkedDocumentRow[] = [];
  for (const [position, document] of prepared.documents.entries()) {
    documents.push({ position, ...(await linked(context, prepared, document)) });
  }
  for (const { row, amount } of prepared.lines) {
    await setReconciled(context, row.id, row.reconciled_cents + amount);
  }
  const id = context.newId();
  await insertReconciliation(
    context.db,
    {
      workspaceId: context.workspaceId,
      id,
      accountId: prepared.account.id,
      direction: prepared.direction,
      total: prepared.total,
      origin,
      createdBy: context.caller.user.id,
      transactions: prepared.lines.map(({ row, amount }) => ({
        transaction_id: row.id,
        amount_cents: amount,
      })),
      documents,
    },
    context.now,
  );
  const made = await requireReconciliation(context, id);
  context.changed('reconciliation', id, null, reconciliationOf(made));
  return made;
}

async function linked(
  context: WriteContext,
  prepared: PreparedReconciliation,
  document: PreparedDocument,
): Promise<Omit<LinkedDocumentRow, 'position'>> {
  const { lines } = prepared;
  const line = lines[0]!.row;
  const amount_cents = document.taken;
  switch (document.source) {
    case 'debt': {
      const { kind, row } = document.debt;
      const { settlement } = await settleDebt(context, kind, row, draftOf(prepared, document));
      return {
        kind: kind.name,
        document_id: row.id,
        settlement_id: settlement.id,
        made_settlement: true,
        superseded_transaction_id: null,
        amount_cents,
      };
    }
    case 'settlement': {
      const { debt, settlement, entryId } = document;
      await supersede(context, entryId, line.id);
      await setSettlementEntry(context, debt.kind, settlement, lines.length === 1 ? line.id : null);
      return {
        kind: 'settlement',
        document_id: settlement.id,
        settlement_id: settlement.id,
        made_settlement: false,
        superseded_transaction_id: entryId,
        amount_cents,
      };
    }
    case 'transfer': {
      const { transfer, entryId } = document;
      await supersede(context, entryId, line.id);
      await setTransfer(context, line.id, transfer.id);
      await replaceLeg(context, transfer, prepared.direction, line.id);
      return {
        kind: 'transfer',
        document_id: transfer.id,
        settlement_id: null,
        made_settlement: false,
        superseded_transaction_id: entryId,
        amount_cents,
      };
    }
  }
}

function draftOf(
  { account, date, lines, documents }: PreparedReconciliation,
  { debt, parts }: Extract<PreparedDocument, { source: 'debt' }>,
): SettlingDraft {
  const { fee, ...paid } = parts;
  const only = lines.length === 1 ? lines[0]!.row : null;
  // Told by the bank's own name for it, the same money is not settled again when its charge reports it.
  const isOneReceipt = debt.kind.name === 'receivable' && documents.length === 1;
  const endToEndId = isOneReceipt ? only?.end_to_end_id : null;
  return {
    account,
    paidAt: date,
    amount: paid.principal - paid.discount + paid.interest + paid.fine,
    ...paid,
    ...(debt.kind.name === 'receivable' && { fee }),
    ...(endToEndId != null && { externalId: endToEndId }),
    method: lines.every(({ row }) => row.end_to_end_id !== null) ? 'pix' : 'other',
    transactionSource: 'settlement',
    bankLine: { id: only?.id ?? null },
  };
}

/** A reconciliation that can be undone, with the records it is about, locked when the caller is writing. */
export interface Undoing {
  readonly reconciliation: ReconciliationRow;
  readonly records: Records;
}

/** Everything that would refuse the undoing. Fails with `not_found`, `invalid_state` or `books_closed`. */
export async function prepareUndoing(context: Context, id: string): Promise<Undoing> {
  const found = await requireReconciliation({ ...context, isWriting: false }, id);
  requireActive(found);
  const records = await gather(context, [referenceOf(found)]);
  const reconciliation = await requireReconciliation(context, id);
  requireActive(reconciliation);
  const account = needed(records.accounts, 'financial_account', reconciliation.account_id);
  const company = needed(records.companies, 'company', account.company_id);
  for (const { transaction_id } of reconciliation.transactions) {
    requireOpenBooks(company, needed(records.transactions, 'financial_transaction', transaction_id).date);
  }
  for (const { made_settlement, settlement_id } of reconciliation.documents) {
    if (!made_settlement || settlement_id === null) continue;
    const { settlement, debt } = settledBy(records, settlement_id);
    requireOpenBooks(needed(records.companies, 'company', debt.row.company_id), settlement.paid_at);
  }
  return { reconciliation, records };
}

/** Undoes exactly one reconciliation: its own settlements, its own links, and nothing else. */
export async function undoReconciliation(
  context: WriteContext,
  { reconciliation, records }: Undoing,
  reason: string,
): Promise<ReconciliationRow> {
  const { db, workspaceId, now } = context;
  const { id } = reconciliation;
  for (const document of [...reconciliation.documents].reverse()) {
    await unlinked(context, reconciliation, records, document, reason);
  }
  for (const { transaction_id, amount_cents } of reconciliation.transactions) {
    const line = await requireTransaction(context, transaction_id);
    await setReconciled(context, line.id, line.reconciled_cents - amount_cents);
  }
  await updateUndone(db, workspaceId, id, { reason, by: context.caller.user.id }, now);
  const undone = await requireReconciliation(context, id);
  context.changed('reconciliation', id, reconciliationOf(reconciliation), reconciliationOf(undone));
  return undone;
}

async function unlinked(
  context: WriteContext,
  reconciliation: ReconciliationRow,
  records: Records,
  document: LinkedDocumentRow,
  reason: string,
): Promise<void> {
  const { settlement_id, made_settlement, superseded_transaction_id: entryId } = document;
  if (settlement_id !== null) {
    const { settlement, debt } = settledBy(records, settlement_id);
    if (made_settlement) {
      await reverseDebtSettlement(context, debt.kind, debt.row, settlement_id, reason, 'keep');
      return;
    }
    await restore(context, entryId!);
    await setSettlementEntry(context, debt.kind, settlement, entryId);
    return;
  }
  const transfer = await requireTransfer(context, document.document_id);
  await restore(context, entryId!);
  for (const { transaction_id } of reconciliation.transactions)
    await setTransfer(context, transaction_id, null);
  await replaceLeg(context, transfer, reconciliation.direction as 'credit' | 'debit', entryId!);
}

function settledBy({ settlements, debts }: Records, settlementId: string) {
  const settlement = needed(settlements, 'settlement', settlementId);
  const debtId = settlement.payable_id ?? settlement.receivable_id!;
  return { settlement, debt: needed(debts, 'debt', debtId) };
}

function referenceOf({ transactions, documents }: ReconciliationRow): Reference {
  return {
    transactions: transactions.map(({ transaction_id }) => ({ id: transaction_id })),
    documents: documents.map(({ kind, document_id, settlement_id }) =>
      settlement_id === null ? { kind, id: document_id } : { kind: 'settlement' as const, id: settlement_id },
    ),
  };
}
