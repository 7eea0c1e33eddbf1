/** How agreements end, each way with what becomes of the money paid on them. */

import type { WriteContext } from '../../core/operation.ts';
import { closeByAgreement, enterAgreement, leaveAgreement } from '../charges/index.ts';
import { cancelNotifications } from '../notifications/index.ts';
import { closingCredits, debtsOf, newCredits } from './crediting.ts';
import { creditsOf, creditsOfCompletion, type Receipt } from './credits.ts';
import { slotOf, writeSlots } from './installments.ts';
import {
  deleteCredits,
  insertCredits,
  type ReceiptRow,
  selectReceipts,
  updateInstallmentsCanceled,
  updateSharesLive,
} from './part-queries.ts';
import type { AgreementRow } from './queries.ts';
import { chargesOf, installmentsOf, sharesOf, storeAgreement } from './resource.ts';
import type { AgreementStatus, Ender } from './schema.ts';

export interface Ending {
  readonly status: Extract<AgreementStatus, 'rejected' | 'expired' | 'canceled' | 'broken'>;
  readonly by: Ender;
  readonly reason: string | null;
}

/** A proposal that comes to nothing: nobody was bound by it. */
export async function endProposal(
  context: WriteContext,
  agreement: AgreementRow,
  ending: Ending,
): Promise<AgreementRow> {
  await cancelNotifications(context, { agreementId: agreement.id }, ending.status);
  await updateInstallmentsCanceled(context.db, context.organizationId, agreement.id);
  return storeAgreement(context, agreement, endedColumns(context, ending));
}

/**
 * A live agreement that ends before it is paid: its discount is lost, every payment made under it is credited to its
 * charges on the day it counts from, and they are collected again (MODEL §14.20).
 */
export async function endEarly(
  context: WriteContext,
  agreement: AgreementRow,
  ending: Ending,
): Promise<AgreementRow> {
  const { db, organizationId } = context;
  const rows = await chargesOf(context, agreement.id);
  const receipts = (await selectReceipts(db, organizationId, agreement.id)).map(receiptOf);
  const credits = creditsOf(await debtsOf(context, rows), receipts);
  await insertCredits(db, organizationId, agreement.id, newCredits(context, credits));
  await updateSharesLive(db, organizationId, agreement.id, false);
  await cancelNotifications(context, { agreementId: agreement.id }, ending.status);
  const installments = await installmentsOf(context, agreement.id);
  const { version } = agreement;
  await writeSlots(context, { version, status: ending.status }, installments, installments.map(slotOf));
  await leaveAgreement(context, rows);
  return storeAgreement(context, agreement, endedColumns(context, ending));
}

/** Everything is paid: the payments are credited to the charges, and what the agreement gives up closes them. */
export async function complete(
  context: WriteContext,
  agreement: AgreementRow,
  paid: readonly ReceiptRow[],
): Promise<void> {
  const { db, organizationId } = context;
  const rows = await chargesOf(context, agreement.id);
  const shares = (await sharesOf(context, agreement.id)).map((row) => ({
    chargeId: row.charge_id,
    dueDate: row.due_date,
    principal: row.principal_cents,
    interest: row.interest_cents,
    fine: row.fine_cents,
    discount: row.discount_cents,
  }));
  const credits = creditsOfCompletion(shares, paid.map(receiptOf));
  const closing = await closingCredits(context, rows, credits, { asOf: agreement.as_of, shares });
  await insertCredits(db, organizationId, agreement.id, [...newCredits(context, credits), ...closing]);
  await updateSharesLive(db, organizationId, agreement.id, false);
  await closeByAgreement(context, rows);
}

/**
 * A completed agreement of which a payment turned out to be none: it lives again. Fails with `charge_in_agreement` when
 * one of its charges has gone under another one since.
 */
export async function revive(context: WriteContext, agreement: AgreementRow): Promise<void> {
  const { db, organizationId } = context;
  const rows = await chargesOf(context, agreement.id);
  await deleteCredits(db, organizationId, agreement.id);
  await enterAgreement(context, rows, agreement.id);
  await updateSharesLive(db, organizationId, agreement.id, true);
}

export function receiptOf({ id, effective_on: on, used_cents: cents }: ReceiptRow): Receipt {
  return { id, on, cents };
}

function endedColumns({ now }: WriteContext, { status, by, reason }: Ending): Partial<AgreementRow> {
  return { status, ended_at: now.toISOString(), ended_by: by, ended_reason: reason };
}
