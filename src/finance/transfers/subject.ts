/** Transfers that a bank makes, as the machinery of bank commands sees them, and what its answers do. */

import type { WriteContext } from '../../core/operation.ts';
import type { Absent, BankOrderStatus, TransferRequest } from '../../gateways/bank/port.ts';
import { bankAccountOf, requireAccount } from '../accounts/index.ts';
import type { BankSubject } from '../bank-commands/index.ts';
import { requireCompany } from '../companies/index.ts';
import { requireSides } from './accounts.ts';
import { postLegs } from './legs.ts';
import { selectTransfer, type TransferRow } from './queries.ts';
import { requireTransfer, storeTransfer, transferOf } from './resource.ts';
import { cancelKeyOf, isContradiction, isLive, transferAfterAnswer, transferKeyOf } from './rules.ts';

export const transferSubject: BankSubject<TransferRow, TransferRequest, BankOrderStatus> = {
  kind: 'transfer',
  tasks: { send: 'transfer_send', poll: 'transfer_poll' },
  require: requireTransfer,
  find: (context, id) => selectTransfer(context.db, context.workspaceId, id, false),
  isLive,
  submitKeyOf: transferKeyOf,
  cancelKeyOf,
  accountIdOf: (transfer) => transfer.from_account_id,
  cancelRequestedAt: (transfer) => transfer.cancel_requested_at,
  scheduledFor: (transfer) => transfer.scheduled_for,
  async requestOf(context, transfer) {
    const from = await requireAccount(context, transfer.from_account_id);
    const to = await requireAccount(context, transfer.to_account_id);
    const holder = await requireCompany(context, to.company_id);
    return {
      idempotencyKey: transferKeyOf(transfer),
      method: transfer.method,
      amount: transfer.amount_cents,
      scheduledFor: transfer.scheduled_for,
      from: bankAccountOf(from),
      to: bankAccountOf(to),
      holder: { name: holder.legal_name, documentNumber: holder.document_number },
      description: transfer.description,
    };
  },
  changeRegistration: (context, transfer, registration_status) =>
    change(context, { ...transfer, registration_status }),
  cancelUnsent: (context, transfer) => change(context, { ...transfer, status: 'canceled' }),
  apply: applyBankAnswer,
  deskOf: (bank) => bank.transfers,
  fail: (context, transfer, rejected_reason) =>
    change(context, { ...transfer, status: 'failed', registration_status: 'failed', rejected_reason }),
};

/**
 * Applies an answer of the bank and gives the transfer after it. `confirmed` posts both entries once, on the bank's
 * own day; a final answer that contradicts the one on record changes nothing and is kept in the audit chain. Fails with
 * `not_found`, and with `books_closed` while that day is closed.
 */
async function applyBankAnswer(
  context: WriteContext,
  id: string,
  answer: BankOrderStatus | Absent,
): Promise<TransferRow> {
  const { db, workspaceId } = context;
  const known = await selectTransfer(db, workspaceId, id, false);
  // Companies and accounts are locked before the transfer everywhere.
  const sides =
    known !== undefined && answer.status === 'confirmed' && isLive(known)
      ? await requireSides(context, known.from_account_id, known.to_account_id)
      : undefined;
  const before = await requireTransfer(context, id);
  if (isContradiction(before, answer)) {
    context.changed('transfer', id, transferOf(before), { contradicted_by: answer });
  }
  const after = transferAfterAnswer(before, answer);
  if (after === before) return before;
  if (answer.status !== 'confirmed' || sides === undefined) return storeTransfer(context, before, after);
  const legs = await postLegs(context, before, sides, answer.settledOn);
  return storeTransfer(context, before, { ...after, ...legs });
}

async function change(context: WriteContext, after: TransferRow): Promise<void> {
  await storeTransfer(context, await requireTransfer(context, after.id), after);
}
