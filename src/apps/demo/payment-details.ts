/** How a bill asks to be paid: codes made by our own builders, keys and accounts as the supplier has them. */

import type { CivilDate } from '../../core/dates.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { buildStaticPixCode } from '../../core/documents/pix.ts';
import { buildUtilityBill } from '../../core/documents/utility-bill.ts';
import type { Cents } from '../../core/money.ts';
import type { BankAccount, PixKey, Supplier } from './people.ts';
import type { Random } from './random.ts';
import type { PaidBy } from './trades.ts';

/** As the column `payment_details` holds it. */
export type PaymentDetails =
  | { readonly kind: 'boleto' | 'utility'; readonly barcode: string; readonly typed_line: string }
  | { readonly kind: 'pix_key'; readonly type: PixKey['type']; readonly key: string }
  | { readonly kind: 'pix_code'; readonly code: string }
  | { readonly kind: 'ted'; readonly bank_account: BankAccount };

/** The method a settlement has when the bill was paid in this way. */
export const settlementMethods: Readonly<Record<PaymentDetails['kind'], string>> = {
  boleto: 'boleto',
  utility: 'boleto',
  pix_key: 'pix',
  pix_code: 'pix',
  ted: 'ted',
};

/** The details of a bill of that amount; null when it is paid in cash or the supplier told nothing. */
export function buildPaymentDetails(
  random: Random,
  supplier: Supplier,
  bill: { amount: Cents; dueDate: CivilDate; paidBy: PaidBy },
): PaymentDetails | null {
  const { person, trade } = supplier;
  const { amount, dueDate, paidBy } = bill;
  const [bankAccount] = person.bank_accounts;
  const [pixKey] = person.pix_keys;
  if (paidBy === 'boleto' && bankAccount !== undefined) {
    const parts = { bankCode: bankAccount.bank_code, dueDate, amountCents: amount };
    const { barcode, typedLine } = buildBoleto({ ...parts, freeField: random.digits(25) });
    return { kind: 'boleto', barcode, typed_line: typedLine };
  }
  if (paidBy === 'utility') {
    const { barcode, typedLine } = buildUtilityBill({
      segmentDigit: trade.segment ?? '5',
      valueDigit: random.pick(['6', '8']),
      amountCents: amount,
      issuerAndFreeField: random.digits(29),
    });
    return { kind: 'utility', barcode, typed_line: typedLine };
  }
  if (paidBy === 'ted' && bankAccount !== undefined) return { kind: 'ted', bank_account: bankAccount };
  if (pixKey === undefined) return null;
  if (paidBy === 'pix_key') return { kind: 'pix_key', ...pixKey };
  if (paidBy !== 'pix_code') return null;
  const code = buildStaticPixCode({
    key: pixKey.key,
    keyType: pixKey.type,
    amountCents: amount,
    merchant: person.name,
    city: 'Sao Paulo',
    txid: `T${random.digits(12)}`,
  });
  return { kind: 'pix_code', code };
}
