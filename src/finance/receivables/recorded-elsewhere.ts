/**
 * Receipts that another product recorded. Both sides know one by the same external id, so that each settles once,
 * however often it is told.
 */

import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { findDefaultAccountId } from '../accounts/index.ts';
import { requireOpenBooks } from '../companies/index.ts';
import {
  isEffective,
  requireDebtAndAccount,
  reverseDebtSettlement,
  type SettlementRow,
  settlementsOf,
} from '../debt-records/index.ts';
import { isStillOpen, type SettlementMethod } from '../debts/index.ts';
import { type ReceivableRow, receivableKind, requireReceivable } from './resource.ts';
import { settleReceivable } from './settle.ts';

/** `principal - discount + interest + fine` is what the customer paid; the account receives it less the fee. */
export interface ElsewhereReceipt {
  readonly externalId: string;
  readonly paidAt: CivilDate;
  readonly method: SettlementMethod;
  readonly principal: Cents;
  readonly discount: Cents;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
}

/** Every settlement of the receivable, reversed ones included, oldest first. */
export function receiptsOf(context: Context, receivableId: string): Promise<SettlementRow[]> {
  return settlementsOf(context, receivableKind, receivableId);
}

/**
 * Settles with a receipt recorded elsewhere, on the account the receivable is planned on, else on the company's first.
 * False when it settled before, or when nothing is open any more. Fails with `books_closed` or `not_found`.
 */
export async function settleElsewhere(
  context: WriteContext,
  receivableId: string,
  receipt: ElsewhereReceipt,
): Promise<boolean> {
  const accountId = await accountOf(context, receivableId);
  const found = await requireDebtAndAccount(context, receivableKind, receivableId, accountId);
  if (!isStillOpen(found.debt.status)) return false;
  const settlements = await receiptsOf(context, receivableId);
  if (settlements.some(({ external_id }) => external_id === receipt.externalId)) return false;
  requireOpenBooks(found.company, receipt.paidAt);
  requireOpenBooks(found.accountCompany, receipt.paidAt);
  const { principal, discount, interest, fine } = receipt;
  await settleReceivable(context, found.debt, {
    ...receipt,
    account: found.account,
    amount: principal - discount + interest + fine,
    transactionSource: 'settlement',
  });
  return true;
}

/** Takes back the settlement of a receipt that was reversed elsewhere; false when there is none. */
export async function reverseElsewhere(
  context: WriteContext,
  receivableId: string,
  externalId: string,
  reason: string,
): Promise<boolean> {
  const settlement = (await receiptsOf(context, receivableId))
    .filter(isEffective)
    .find(({ external_id }) => external_id === externalId);
  if (settlement === undefined) return false;
  const { debt, company, accountCompany } = await requireDebtAndAccount(
    context,
    receivableKind,
    receivableId,
    settlement.account_id,
  );
  requireOpenBooks(company, settlement.paid_at);
  requireOpenBooks(accountCompany, settlement.paid_at);
  await reverseDebtSettlement(context, receivableKind, debt, settlement.id, reason, 'remove');
  return true;
}

async function accountOf(context: WriteContext, receivableId: string): Promise<string> {
  const receivable: ReceivableRow = await requireReceivable({ ...context, isWriting: false }, receivableId);
  const id = receivable.planned_account_id ?? (await findDefaultAccountId(context, receivable.company_id));
  return id ?? fail('not_found', { kind: 'financial_account' });
}
