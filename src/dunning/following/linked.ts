/** A charge and its receivable: what is paid on one side is paid on the other, once. */

import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Job } from '../../core/ports.ts';
import {
  type ElsewhereReceipt,
  receiptsOf,
  requireReceivable,
  reverseElsewhere,
  settleElsewhere,
} from '../../finance/receivables/index.ts';
import { installmentsOf } from '../agreements/index.ts';
import { closeCharge, type PaymentMethod, requireCharge, requireCharges } from '../charges/index.ts';
import { recordPayment, requirePayment, reversePayment } from '../payments/index.ts';
import {
  type LinkedChargeRow,
  type LinkedPaymentRow,
  selectLinkedCharge,
  selectPayments,
  selectTiedChargeIds,
} from './queries.ts';
import { isRestGivenUp, nameOfPayment, nameOfReceipt, newsForDunning, newsForFinance } from './rules.ts';

export const SETTLE_RECEIVABLE_TASK = 'dunning_settle_receivable';

/** For people, on what the other side undid or called off. */
const REVERSED_THERE = 'Estornado no financeiro';
const REVERSED_HERE = 'Estornado na cobrança';
const CLOSED_THERE = 'Encerrada no financeiro';

const dunningMethods: Readonly<Record<string, PaymentMethod>> = {
  ted: 'transfer',
  debit: 'transfer',
  boleto: 'boleto',
  pix: 'pix',
  card: 'card',
  cash: 'cash',
};
const financeMethods: Readonly<Record<string, ElsewhereReceipt['method']>> = {
  transfer: 'ted',
  boleto: 'boleto',
  pix: 'pix',
  card: 'card',
  cash: 'cash',
};

/** A charge that stands for a receivable, with both sides' records of what was paid. */
interface LinkedPair {
  readonly charge: LinkedChargeRow;
  readonly workspaceId: string;
  readonly receivableId: string;
}

/**
 * Takes over what finance recorded, reversed, wrote off or canceled, and gives the job that tells finance what dunning
 * did; null for a charge that stands for no receivable.
 */
export async function takeOverFromFinance(context: WriteContext, chargeId: string): Promise<Job | null> {
  const pair = await linkedPair(context, chargeId);
  if (pair === null) return null;
  const { workspaceId, receivableId } = pair;
  // The charge first, so that two runs take turns; in one order with those it has an agreement in common with, because
  // a payment of an installment locks all of them.
  await requireCharges(context, await selectTiedChargeIds(context.db, context.organizationId, chargeId));
  const { receivable, receipts } = await context.db.inWorkspace(workspaceId, async () => {
    const finance: Context = { ...context, workspaceId, isWriting: false };
    return {
      receivable: await requireReceivable(finance, receivableId),
      receipts: await receiptsOf(finance, receivableId),
    };
  });
  const news = newsForDunning(receipts, await paymentsOf(context, chargeId));
  for (const payment of news.toReverse) {
    await reversePayment(context, await requirePayment(context, payment.id), REVERSED_THERE);
  }
  for (const receipt of news.toRecord) {
    await recordPayment(context, {
      ...(await paidBy(context, chargeId)),
      amountCents: receipt.amount_cents,
      paidOn: receipt.paid_at,
      method: dunningMethods[receipt.method] ?? 'other',
      feeCents: receipt.fee_cents,
      externalId: nameOfReceipt(receipt.id),
      source: 'finance',
    });
  }
  if (
    ['canceled', 'written_off'].includes(receivable.status) ||
    isRestGivenUp(receivable, receipts, await paymentsOf(context, chargeId))
  ) {
    await closeIfOwed(context, chargeId);
  }
  return {
    task: SETTLE_RECEIVABLE_TASK,
    payload: { organizationId: context.organizationId, workspaceId, chargeId },
    key: `${SETTLE_RECEIVABLE_TASK}/${chargeId}`,
  };
}

/** Tells finance what dunning recorded and reversed. Works in the workspace of the receivable. */
export async function takeOverToFinance(context: WriteContext, chargeId: string): Promise<void> {
  const pair = await linkedPair(context, chargeId);
  if (pair === null || pair.workspaceId !== context.workspaceId) fail('not_found', { kind: 'charge' });
  const { receivableId } = pair;
  await requireReceivable(context, receivableId);
  const receipts = await receiptsOf(context, receivableId);
  const news = newsForFinance(receipts, await paymentsOf(context, chargeId));
  for (const payment of news.toReverse) {
    await reverseElsewhere(context, receivableId, nameOfPayment(payment.id), REVERSED_HERE);
  }
  for (const payment of news.toSettle) await settleElsewhere(context, receivableId, receiptOf(payment));
}

/** What a receipt of finance pays: the charge, or the next installment while an agreement stands in its place. */
async function paidBy(
  context: WriteContext,
  chargeId: string,
): Promise<{ chargeId: string } | { installmentId: string }> {
  const charge = await selectLinkedCharge(context.db, context.organizationId, chargeId);
  if (charge?.status !== 'in_agreement' || charge.agreement_id === null) return { chargeId };
  const installments = await installmentsOf(context, charge.agreement_id);
  const next = installments.find(({ status }) => status === 'open') ?? installments.at(-1);
  return next === undefined ? { chargeId } : { installmentId: next.id };
}

function receiptOf(payment: LinkedPaymentRow): ElsewhereReceipt {
  return {
    externalId: nameOfPayment(payment.id),
    paidAt: payment.paid_on,
    method: financeMethods[payment.method] ?? 'other',
    principal: payment.principal_cents,
    discount: payment.discount_cents,
    interest: payment.interest_cents,
    fine: payment.fine_cents,
    fee: payment.fee_cents,
  };
}

async function closeIfOwed(context: WriteContext, chargeId: string): Promise<void> {
  const charge = await requireCharge(context, chargeId);
  if (charge.status === 'pending' || charge.status === 'overdue') {
    await closeCharge(context, charge, CLOSED_THERE);
  }
}

async function linkedPair(context: Context, chargeId: string): Promise<LinkedPair | null> {
  const charge = await selectLinkedCharge(context.db, context.organizationId, chargeId);
  if (charge?.finance_workspace_id == null || charge.finance_receivable_id === null) return null;
  return {
    charge,
    workspaceId: charge.finance_workspace_id,
    receivableId: charge.finance_receivable_id,
  };
}

async function paymentsOf(context: Context, chargeId: string) {
  const rows = await selectPayments(context.db, context.organizationId, chargeId);
  return rows.map((row) => ({ ...row, usedCents: row.amount_cents - row.excess_cents }));
}
