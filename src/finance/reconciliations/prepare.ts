/** Everything that would refuse a reconciliation, and what it will do when nothing does. */

import type { CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireOpenBooks } from '../companies/index.ts';
import { openCentsOf } from '../debt-records/index.ts';
import { requireStatus } from '../debts/index.ts';
import { requireNoLiveOrder } from '../payables/index.ts';
import type { TransactionRow } from '../transactions/index.ts';
import { requireLine, type TransferRow } from '../transfers/index.ts';
import { type Debt, gather, needed, type Records } from './gather.ts';
import { takenBy } from './matching/fit.ts';
import type { Direction, Parts } from './matching/types.ts';
import { type SettlementRow, selectActiveLink } from './queries.ts';
import {
  type DocumentRequest,
  partsOf,
  type ReconciliationRequest,
  requireBalance,
  requireDirection,
  requireRest,
  requireSound,
  sideOf,
} from './rules.ts';

export interface PreparedLine {
  readonly row: TransactionRow;
  readonly amount: Cents;
}

/** A document with what it takes of the lines. */
export type PreparedDocument =
  | { readonly source: 'debt'; readonly debt: Debt; readonly parts: Parts; readonly taken: Cents }
  | {
      readonly source: 'settlement';
      readonly debt: Debt;
      readonly settlement: SettlementRow;
      /** Our entry, whose place the lines take. */
      readonly entryId: string;
      readonly taken: Cents;
    }
  | {
      readonly source: 'transfer';
      readonly transfer: TransferRow;
      readonly entryId: string;
      readonly taken: Cents;
    };

export interface PreparedReconciliation {
  readonly account: Tables['financial_accounts'];
  readonly direction: Direction;
  readonly lines: readonly PreparedLine[];
  readonly documents: readonly PreparedDocument[];
  readonly total: Cents;
  /** The day of the last line: what it settles is settled on that day. */
  readonly date: CivilDate;
}

/** Where a document is looked at: the lines it would be paid by. */
interface Side {
  readonly records: Records;
  readonly accountId: string;
  readonly direction: Direction;
  readonly date: CivilDate;
  readonly lines: readonly PreparedLine[];
}

/**
 * Checks a reconciliation against the records, which are locked when writing. Fails with `not_found`,
 * `invalid_argument`, `already_reconciled`, `exceeds_open_amount`, `invalid_state`, `unbalanced`, or `books_closed`.
 */
export async function prepareReconciliation(
  context: Context,
  request: ReconciliationRequest,
): Promise<PreparedReconciliation> {
  requireSound(request);
  const records = await gather(context, [request]);
  const lines = request.transactions.map(({ id, amount }) => {
    const row = needed(records.transactions, 'financial_transaction', id);
    requireLine(row);
    requireRest(row, amount);
    return { row, amount };
  });
  const { accountId, direction } = sideOf(lines.map(({ row }) => row));
  const account = needed(records.accounts, 'financial_account', accountId);
  const dates = lines.map(({ row }) => row.date).sort();
  requireOpenBooks(needed(records.companies, 'company', account.company_id), ...dates);
  const side = { records, accountId, direction, date: dates.at(-1)!, lines };
  const documents: PreparedDocument[] = [];
  for (const [index, document] of request.documents.entries()) {
    documents.push(await preparedDocument(context, side, index, document));
  }
  const total = requireBalance(
    lines.map(({ amount }) => amount),
    documents.map(({ taken }) => taken),
  );
  return { account, direction, lines, documents, total, date: side.date };
}

function preparedDocument(
  context: Context,
  side: Side,
  index: number,
  document: DocumentRequest,
): Promise<PreparedDocument> {
  switch (document.kind) {
    case 'settlement':
      return preparedSettlement(context, side, index, document.id);
    case 'transfer':
      return preparedTransfer(context, side, index, document.id);
    default:
      return preparedDebt(context, side, index, document);
  }
}

async function preparedDebt(
  context: Context,
  { records, direction, date }: Side,
  index: number,
  document: DocumentRequest,
): Promise<PreparedDocument> {
  const debt = needed(records.debts, document.kind, document.id);
  requireDirection(index, document.kind, null, direction);
  requireStatus(debt.row.status, ['open', 'partially_paid']);
  // An order on its way would pay the bill a second time; its own settlement is what the line belongs to.
  if (document.kind === 'payable') await requireNoLiveOrder(context, document.id);
  requireOpenBooks(needed(records.companies, 'company', debt.row.company_id), date);
  const parts = partsOf(document, openCentsOf(debt.row));
  return { source: 'debt', debt, parts, taken: takenBy(parts) };
}

async function preparedSettlement(
  context: Context,
  { records, accountId, direction }: Side,
  index: number,
  id: string,
): Promise<PreparedDocument> {
  const settlement = needed(records.settlements, 'settlement', id);
  const debtId = settlement.payable_id ?? settlement.receivable_id!;
  const debt = needed(records.debts, settlement.payable_id === null ? 'receivable' : 'payable', debtId);
  requireDirection(index, 'settlement', debt.kind.direction, direction);
  requireStatus(settlement.status, ['effective']);
  if (settlement.account_id !== accountId) {
    failArgument(`documents.${index}.id`, 'a settlement on the account of the lines');
  }
  const entry =
    settlement.transaction_id === null ? undefined : records.transactions.get(settlement.transaction_id);
  if (entry === undefined || !['settlement', 'payment'].includes(entry.source) || entry.ignored) {
    return failReconciled(context, 'settlement', id, direction);
  }
  const taken = settlement.amount_cents - settlement.fee_cents;
  return { source: 'settlement', debt, settlement, entryId: entry.id, taken };
}

async function preparedTransfer(
  context: Context,
  { records, accountId, direction, lines }: Side,
  index: number,
  id: string,
): Promise<PreparedDocument> {
  const transfer = needed(records.transfers, 'transfer', id);
  const own = ownDirection(transfer, accountId);
  if (own === null) failArgument(`documents.${index}.id`, 'a transfer from or to the account of the line');
  requireDirection(index, 'transfer', own, direction);
  requireStatus(transfer.status, ['confirmed']);
  const entryId = own === 'debit' ? transfer.debit_transaction_id : transfer.credit_transaction_id;
  const entry = entryId === null ? undefined : records.transactions.get(entryId);
  if (entry === undefined || entry.source !== 'transfer' || entry.ignored) {
    return failReconciled(context, 'transfer', id, direction);
  }
  const [line] = lines;
  if (line!.row.reconciled_cents > 0) {
    fail('already_reconciled', { kind: 'financial_transaction', id: line!.row.id });
  }
  requireBalance([line!.row.amount_cents], [transfer.amount_cents]);
  return { source: 'transfer', transfer, entryId: entry.id, taken: transfer.amount_cents };
}

function ownDirection(transfer: TransferRow, accountId: string): Direction | null {
  if (transfer.from_account_id === accountId) return 'debit';
  return transfer.to_account_id === accountId ? 'credit' : null;
}

/** Names the reconciliation that has it, where one does. */
async function failReconciled(
  { db, workspaceId }: Context,
  kind: string,
  id: string,
  direction: Direction,
): Promise<never> {
  const link = await selectActiveLink(db, workspaceId, id, direction);
  return fail('already_reconciled', { kind, id, ...(link && { reconciliation_id: link.id }) });
}
