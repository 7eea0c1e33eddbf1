import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import { type Cents, formatPercent } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireAccountAndCompany, requireActive } from '../accounts/index.ts';
import { requireOpenBooks } from '../companies/index.ts';
import type { CostCenterShare } from '../cost-centers/index.ts';
import { requirePerson } from '../people/index.ts';
import {
  selectRecentTransactionIds,
  selectTransaction,
  type TransactionFilter,
  type TransactionRow,
  updateTransaction,
} from './queries.ts';
import { isReconciled, requireReconcilable, requireSupersedable } from './rules.ts';
import type { Group, GroupField, Transaction } from './schema.ts';
import type { GroupRow } from './summary-queries.ts';

/** The public record of a row; the audit chain keeps the same. */
export function transactionOf(row: TransactionRow): Transaction {
  const { counterparty_name: name, counterparty_document: documentNumber } = row;
  return {
    id: row.id,
    account_id: row.account_id,
    date: row.date,
    direction: row.direction as Transaction['direction'],
    amount: moneyText(row.amount_cents),
    description: row.description,
    notes: row.notes,
    counterparty: name === null && documentNumber === null ? null : { name, document_number: documentNumber },
    document_number: row.document_number,
    bank_reference: row.bank_reference,
    end_to_end_id: row.end_to_end_id,
    category_id: row.category_id,
    person_id: row.person_id,
    cost_centers: (row.cost_centers as CostCenterShare[]).map(({ id, percent }) => ({
      id,
      percent: formatPercent(percent),
    })),
    classified_by: row.classified_by as Transaction['classified_by'],
    source: row.source as Transaction['source'],
    import_id: row.import_id,
    reconciled_amount: moneyText(row.reconciled_cents),
    reconciled: isReconciled(row),
    ignored: row.ignored,
    superseded_by: row.superseded_by,
    transfer_id: row.transfer_id,
    suspect: row.is_suspect,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** Sums as results show them; the net follows from the two. */
export function totalsOf(sums: { credits: Cents; debits: Cents; count: number }) {
  return {
    credits: moneyText(sums.credits),
    debits: moneyText(sums.debits),
    net: moneyText(sums.credits - sums.debits),
    count: sums.count,
  };
}

/** The public form of a group, with the keys it was grouped by. */
export function groupOf(row: GroupRow, fields: readonly GroupField[]): Group {
  const keys: Record<GroupField, unknown> = {
    day: row.day,
    week: row.week,
    month: row.month,
    direction: row.direction,
    category: namedKey(row.category_id, row.category_name),
    person: namedKey(row.person_id, row.person_name),
  };
  return {
    keys: Object.fromEntries(fields.map((field) => [field, keys[field]])),
    ...totalsOf(row),
  };
}

/** Everything that sums over a filter depend on besides the books themselves. */
export function filterKey<Filter extends TransactionFilter>(workspaceId: string, filter: Filter): string {
  const { cursor: _cursor, limit: _limit, sort: _sort, ...rest } = filter as Record<string, unknown>;
  return JSON.stringify([workspaceId, { ...rest, search: filter.search?.words }]);
}

/** The person of this workspace, if still in use. Fails with `not_found` or `invalid_state`. */
export async function requirePersonInUse(context: Context, id: string): Promise<void> {
  requireActive(await requirePerson(context, id), 'person');
}

/** The entry of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireTransaction(context: Context, id: string): Promise<TransactionRow> {
  const row = await selectTransaction(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'financial_transaction', id });
}

/** The entry with its account and company, locked in the order of the house when the caller is writing. */
export async function requireTransactionAndAccount(
  context: Context,
  id: string,
): Promise<{
  company: Tables['companies'];
  account: Tables['financial_accounts'];
  transaction: TransactionRow;
}> {
  const found = await requireTransaction({ ...context, isWriting: false }, id);
  const { company, account } = await requireAccountAndCompany(context, found.account_id);
  return { company, account, transaction: await requireTransaction(context, id) };
}

/**
 * Says how much of an entry is reconciled. Fails with `not_found`, `exceeds_open_amount`, or `invalid_state` when more
 * is to be reconciled of an ignored one. It changes no balance: closed books are for the caller to look at.
 */
export async function setReconciled(
  context: WriteContext,
  id: string,
  reconciledCents: Cents,
): Promise<void> {
  const before = await requireTransaction(context, id);
  requireReconcilable(before, reconciledCents);
  await changeTransaction(context, before, { reconciled_cents: reconciledCents });
}

/**
 * Our entry gives its place to the bank's line: it is ignored until `restore`. Fails with `not_found`, `books_closed`,
 * `already_reconciled`, or `invalid_state` when it is a line of a statement itself, ignored or superseded.
 */
export async function supersede(context: WriteContext, id: string, byLineId: string): Promise<void> {
  const before = await requireOpenTransaction(context, id);
  requireSupersedable(before, await requireTransaction({ ...context, isWriting: false }, byLineId));
  await changeTransaction(context, before, { ignored: true, superseded_by: byLineId });
}

/** Brings an entry back exactly as it was before `supersede`. Fails with `not_found`, `books_closed`, `invalid_state`. */
export async function restore(context: WriteContext, id: string): Promise<void> {
  const before = await requireOpenTransaction(context, id);
  if (before.superseded_by === null) {
    fail('invalid_state', { kind: 'financial_transaction', id, from: 'counted', allowed: ['superseded'] });
  }
  await changeTransaction(context, before, { ignored: false, superseded_by: null });
}

/** Makes an entry a leg of a transfer between own accounts, or none any more. Fails with `not_found`, `books_closed`. */
export async function setTransfer(
  context: WriteContext,
  id: string,
  transferId: string | null,
): Promise<void> {
  const before = await requireOpenTransaction(context, id);
  await changeTransaction(context, before, { transfer_id: transferId });
}

/** Writes the changed columns and puts the change on record. */
export async function changeTransaction(
  context: WriteContext,
  before: TransactionRow,
  changes: Partial<TransactionRow>,
): Promise<TransactionRow> {
  await updateTransaction(context.db, { ...before, ...changes }, context.now);
  const after = await requireTransaction(context, before.id);
  context.changed('financial_transaction', before.id, transactionOf(before), transactionOf(after));
  return after;
}

export function suggestTransactionIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentTransactionIds(context.db, context.workspaceId, typed);
}

/** The entry, to be changed in books that are open on its date. */
async function requireOpenTransaction(context: WriteContext, id: string): Promise<TransactionRow> {
  const { company, transaction } = await requireTransactionAndAccount(context, id);
  requireOpenBooks(company, transaction.date as CivilDate);
  return transaction;
}

function namedKey(id: string | null | undefined, name: string | null | undefined) {
  return id == null ? null : { id, name: name ?? '' };
}
