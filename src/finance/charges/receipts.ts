/** Money received for a charge, however it was told: by the bank's answer or by one of its return files. */

import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { postTransaction, requireAccountAndCompany } from '../accounts/index.ts';
import { requireOpenBooks } from '../companies/index.ts';
import {
  findSettlementByExternalId,
  type SettlementRow,
  setSettlementCharge,
} from '../debt-records/index.ts';
import { isStillOpen } from '../debts/index.ts';
import {
  type ReceivableRow,
  receivableKind,
  requireReceivable,
  settleReceivable,
} from '../receivables/index.ts';
import { settleDeliveries } from './deliveries.ts';
import type { ChargeRow } from './queries.ts';
import { insertDuplicateReceipt, selectKnownReceipts } from './receipt-queries.ts';
import { requireCharge, storeCharge } from './resource.ts';
import { isSamePayment } from './rules.ts';
import type { ChargeMethod } from './schema.ts';

export interface Receipt {
  readonly paidOn: CivilDate;
  /** What the customer paid. */
  readonly amount: Cents;
  /** What the bank kept; the account was credited the difference. */
  readonly fee: Cents;
  readonly method: ChargeMethod;
  /** What the payment is called outside; told twice, it counts once. Return files begin theirs with `cnab:`. */
  readonly externalId: string | null;
  /** Parts as the bank states them; without any, what accrued is allocated. */
  readonly interest?: Cents | undefined;
  readonly discount?: Cents | undefined;
}

export interface ReceiptOutcome {
  readonly outcome: 'settled' | 'duplicate_payment' | 'replayed';
  readonly settlementId: string | null;
}

/**
 * Settles the receivable of a charge with a payment of it; also of a charge that was canceled or written off, since
 * the money came all the same. A payment told before, or booked before under its name, is not booked again. Another
 * payment of a paid charge, or one when nothing is owed any more, leaves charge and receivable as they are: the money
 * is booked and flagged to be given back. Fails with `not_found`, with `books_closed` while the month of the payment is
 * closed, and with `duplicate` when the same money settled something else.
 */
export async function applyReceipt(
  context: WriteContext,
  chargeId: string,
  receipt: Receipt,
): Promise<ReceiptOutcome> {
  const found = await requireCharge({ ...context, isWriting: false }, chargeId);
  // Account, receivable and charge are locked in this order everywhere.
  const { account, company } = await requireAccountAndCompany(context, found.account_id);
  const receivable = await requireReceivable(context, found.receivable_id);
  const charge = await requireCharge(context, chargeId);
  const { externalId } = receipt;
  const known = await selectKnownReceipts(context.db, context.workspaceId, chargeId);
  const told = known.find((before) => isSamePayment(before, receipt));
  if (told !== undefined) return { outcome: 'replayed', settlementId: told.settlement_id };
  const booked =
    externalId === null ? undefined : await findSettlementByExternalId(context, account.id, externalId);
  if (booked !== undefined) return recognise(context, charge, receivable, booked, receipt);
  // Also a payment that the bank kept whole, which is in no entry.
  requireOpenBooks(company, receipt.paidOn);
  const isSecond = charge.status === 'paid' || !isStillOpen(receivable.status);
  if (isSecond) await recordSecond(context, charge, receivable, account, receipt);
  await markPaid(context, charge, receipt);
  if (isSecond) return { outcome: 'duplicate_payment', settlementId: null };
  const { amount, fee, method, interest, discount } = receipt;
  const settlement = await settleReceivable(context, receivable, {
    account,
    paidAt: receipt.paidOn,
    amount,
    fee,
    method,
    interest,
    discount,
    chargeId,
    ...(externalId !== null && { externalId }),
    transactionSource: 'payment',
  });
  return { outcome: 'settled', settlementId: settlement.id };
}

/**
 * The money is in the books under the same name: a line of a statement was reconciled before the charge was told. It
 * is not booked again. Fails with `duplicate` when it settled something else.
 */
async function recognise(
  context: WriteContext,
  charge: ChargeRow,
  receivable: ReceivableRow,
  booked: SettlementRow,
  receipt: Receipt,
): Promise<ReceiptOutcome> {
  if (booked.receivable_id !== receivable.id || booked.charge_id !== null) {
    fail('duplicate', { kind: 'settlement', of: booked.id });
  }
  await setSettlementCharge(context, receivableKind, booked, charge.id);
  await markPaid(context, charge, receipt);
  return { outcome: 'replayed', settlementId: booked.id };
}

async function markPaid(context: WriteContext, charge: ChargeRow, receipt: Receipt): Promise<void> {
  if (charge.status === 'paid') return;
  const settled = await storeCharge(context, charge, paidCharge(charge, receipt));
  await settleDeliveries(context, settled);
}

function paidCharge(charge: ChargeRow, receipt: Receipt): ChargeRow {
  return {
    ...charge,
    status: 'paid',
    registration_status: 'confirmed',
    paid_on: receipt.paidOn,
    end_to_end_id: receipt.method === 'pix' ? receipt.externalId : charge.end_to_end_id,
  };
}

/** The money is on the account all the same, so the books show it, tied to no receivable. */
async function recordSecond(
  context: WriteContext,
  charge: ChargeRow,
  receivable: ReceivableRow,
  account: Tables['financial_accounts'],
  receipt: Receipt,
): Promise<void> {
  const { db, workspaceId, now } = context;
  const { amount, fee, paidOn: receivedOn, externalId } = receipt;
  const transactionId =
    fee >= amount
      ? null
      : await postTransaction(context, {
          account,
          date: receivedOn,
          direction: 'credit',
          amount: amount - fee,
          description: receivable.description,
          source: 'payment',
          personId: receivable.person_id,
          ...(receipt.method === 'pix' && { endToEndId: externalId }),
        });
  const id = context.newId();
  const second = { workspaceId, id, chargeId: charge.id, amount, receivedOn, externalId, transactionId };
  await insertDuplicateReceipt(db, second, now);
  context.changed('duplicate_receipt', id, null, { charge_id: charge.id, transaction_id: transactionId });
}
