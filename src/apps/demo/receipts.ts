/** What receivables brought in: settlements with their credits, those of charges less what the bank kept. */

import { transactionOn } from './accounts.ts';
import type { ChargeRow } from './charges.ts';
import type { Sale } from './receivables.ts';
import { bornAt, type NewRow, type Setting } from './setting.ts';
import type { PaidParts } from './settlements.ts';

/** What the bank keeps of a boleto and of a Pix that a charge brought. */
const FEE_CENTS = { boleto: 249, pix: 99 } as const;

export interface Receipts {
  readonly settlements: NewRow<'settlements'>[];
  readonly transactions: NewRow<'financial_transactions'>[];
}

export function buildReceipts(
  setting: Setting,
  sales: readonly Sale[],
  chargeOf: ReadonlyMap<string, ChargeRow>,
): Receipts {
  const receipts: Receipts = { settlements: [], transactions: [] };
  for (const sale of sales) {
    if (sale.paid !== null) addReceipt(setting, receipts, sale, sale.paid, chargeOf.get(sale.row.id) ?? null);
  }
  return receipts;
}

function addReceipt(
  setting: Setting,
  { settlements, transactions }: Receipts,
  { row, account }: Sale,
  paid: PaidParts,
  charge: ChargeRow | null,
): void {
  const { random } = setting;
  const method = charge === null ? byHand(setting, account) : (charge.methods[0] as 'boleto' | 'pix');
  const fee = charge === null ? 0 : FEE_CENTS[method as 'boleto' | 'pix'];
  const transaction = transactionOn(setting, account.id, paid.on, {
    direction: 'credit',
    amount: paid.amount - fee,
    description: row.description,
    categoryId: row.category_id,
    personId: row.person_id,
    source: charge === null ? 'settlement' : 'payment',
    costCenters: row.cost_centers,
  });
  // Undoing a settlement took its credit away.
  if (paid.isEffective) transactions.push(transaction);
  settlements.push({
    ...bornAt(setting, transaction.created_at),
    payable_id: null,
    receivable_id: row.id,
    charge_id: charge?.id ?? null,
    external_id: charge === null ? null : (charge.end_to_end_id ?? `B${random.digits(20)}`),
    fee_cents: fee,
    account_id: account.id,
    transaction_id: paid.isEffective ? transaction.id : null,
    payment_id: null,
    paid_at: paid.on,
    amount_cents: paid.amount,
    principal_cents: paid.principal,
    discount_cents: paid.discount,
    interest_cents: paid.interest,
    fine_cents: paid.fine,
    method,
    receipt_attachment_id: null,
    status: paid.isEffective ? 'effective' : 'reversed',
    reversed_reason: paid.isEffective ? null : 'Depósito era de outro cliente',
    updated_at: transaction.created_at,
  });
}

function byHand({ random }: Setting, { kind }: NewRow<'financial_accounts'>): string {
  if (kind === 'cash') return 'cash';
  return kind === 'payment' ? 'card' : random.pick(['pix', 'ted', 'other']);
}
