/** The two entries of a transfer: posted when it is made, let go of when it is called off. */

import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { postTransaction, removeTransaction } from '../accounts/index.ts';
import { requireOpenBooks } from '../companies/index.ts';
import { requireTransaction, setTransfer, type TransactionRow } from '../transactions/index.ts';
import { requireSides, type Side } from './accounts.ts';
import { insertTransfer, type TransferRow } from './queries.ts';
import { requireTransfer, storeTransfer, transferOf } from './resource.ts';
import { requireOneTransfer } from './rules.ts';

/** The id of an entry, by the side of the transfer it is. */
export interface LegIds {
  readonly debit_transaction_id: string;
  readonly credit_transaction_id: string;
}

/** Posts both entries on a day. Fails with `books_closed` when either company has closed it. */
export async function postLegs(
  context: WriteContext,
  transfer: TransferRow,
  sides: { from: Side; to: Side },
  date: CivilDate,
): Promise<LegIds> {
  const { from, to } = sides;
  const shared = {
    date,
    amount: transfer.amount_cents,
    source: 'transfer' as const,
    transferId: transfer.id,
  };
  const debit = transfer.description ?? `Transferência para ${to.account.name}`;
  const credit = transfer.description ?? `Transferência de ${from.account.name}`;
  return {
    debit_transaction_id: await postTransaction(context, {
      ...shared,
      account: from.account,
      direction: 'debit',
      description: debit,
    }),
    credit_transaction_id: await postTransaction(context, {
      ...shared,
      account: to.account,
      direction: 'credit',
      description: credit,
    }),
  };
}

/** Two lines that can be one transfer, locked when the caller is writing, with their accounts. */
export interface PreparedLink {
  readonly debit: TransactionRow;
  readonly credit: TransactionRow;
  readonly from: Side;
  readonly to: Side;
}

/**
 * Checks that two lines can be declared one transfer. Fails with `not_found`, `invalid_argument`, `invalid_state`,
 * `already_reconciled`, `unbalanced`, or `books_closed`.
 */
export async function prepareLink(context: Context, ids: LegIds): Promise<PreparedLink> {
  const reading = { ...context, isWriting: false };
  const found = {
    debit: await requireTransaction(reading, ids.debit_transaction_id),
    credit: await requireTransaction(reading, ids.credit_transaction_id),
  };
  requireOneTransfer(found.debit, found.credit);
  const { from, to } = await requireSides(context, found.debit.account_id, found.credit.account_id);
  const rows = new Map<string, TransactionRow>();
  for (const id of [found.debit.id, found.credit.id].sort()) {
    rows.set(id, await requireTransaction(context, id));
  }
  const debit = rows.get(found.debit.id)!;
  const credit = rows.get(found.credit.id)!;
  requireOneTransfer(debit, credit);
  requireOpenBooks(from.company, debit.date);
  requireOpenBooks(to.company, credit.date);
  return { debit, credit, from, to };
}

/** Declares two lines one transfer; both count as dealt with, and as neither income nor expense, from then on. */
export async function linkTransfer(context: WriteContext, link: PreparedLink): Promise<TransferRow> {
  const { debit, credit } = link;
  const id = context.newId();
  const isPix = debit.end_to_end_id !== null && debit.end_to_end_id === credit.end_to_end_id;
  await insertTransfer(
    context.db,
    {
      workspace_id: context.workspaceId,
      id,
      from_account_id: debit.account_id,
      to_account_id: credit.account_id,
      amount_cents: debit.amount_cents,
      method: isPix ? 'pix' : 'internal',
      scheduled_for: debit.date,
      description: null,
      origin: 'linked',
      status: 'confirmed',
      registration_status: 'none',
      bank_reference: null,
      bank_settled_on: null,
      rejected_reason: null,
      cancel_reason: null,
      cancel_requested_at: null,
      debit_transaction_id: debit.id,
      credit_transaction_id: credit.id,
      created_by: context.caller.user.id,
    },
    context.now,
  );
  for (const line of [debit, credit]) await setTransfer(context, line.id, id);
  const transfer = await requireTransfer(context, id);
  context.changed('transfer', id, null, transferOf(transfer));
  return transfer;
}

/** Lets go of two linked lines, which are then exactly as they were before. Fails with `books_closed`. */
export async function unlinkTransfer(context: WriteContext, legs: readonly TransactionRow[]): Promise<void> {
  for (const { id } of legs) await setTransfer(context, id, null);
}

/** Takes back the entries, which the transfer has let go of. Fails with `already_reconciled` or `books_closed`. */
export async function removeLegs(context: WriteContext, legs: readonly TransactionRow[]): Promise<void> {
  for (const { id } of legs) await removeTransaction(context, id);
}

/**
 * The two entries of a transfer, locked when the caller is writing. Fails with `already_reconciled` when a bank's line
 * took the place of one that was posted: that reconciliation is undone first.
 */
export async function requireLegs(context: Context, transfer: TransferRow): Promise<TransactionRow[]> {
  const ids = [transfer.debit_transaction_id, transfer.credit_transaction_id].filter((id) => id !== null);
  const legs: TransactionRow[] = [];
  for (const id of ids.sort()) legs.push(await requireTransaction(context, id));
  const line = legs.find(({ source }) => transfer.origin === 'ordered' && source !== 'transfer');
  if (line !== undefined) fail('already_reconciled', { kind: 'financial_transaction', id: line.id });
  return legs;
}

/** Makes another entry the debit or the credit of a transfer: the bank's line, or ours again. */
export function replaceLeg(
  context: WriteContext,
  transfer: TransferRow,
  direction: 'credit' | 'debit',
  transactionId: string,
): Promise<TransferRow> {
  return storeTransfer(context, transfer, { ...transfer, [`${direction}_transaction_id`]: transactionId });
}
