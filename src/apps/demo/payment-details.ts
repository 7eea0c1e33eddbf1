/** How a bill asks to be paid: codes made by our own builders, keys and accounts as the supplier has them. */

import type { CivilDate } from '../../core/dates.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { buildStaticPixCode } from '../../core/documents/pix.ts';
import { buildUtilityBill } from '../../core/documents/utility-bill.ts';
import type { Cents } from '../../core/money.ts';
import type { BankAccount, PixKey, Supplier } from './people.ts';
import type { Random } from './random.ts';
import type { PaidBy } from './trades.ts';

/** Names in Pix codes are this long at most. Source: Pix initiation manual. */
const MERCHANT_MAX = 25;

/** As the column `payment_details` holds it. */
export type PaymentDetails =
  | {
      readonly kind: 'boleto' | 'utility';
      readonly barcode: string;
      readonly typed_line: string;
      readonly amount_cents: Cents;
    }
  | { readonly kind: 'pix_key'; readonly key: string; readonly key_type: PixKey['type'] }
  | {
      readonly kind: 'pix_code';
      readonly code: string;
      readonly key: string;
      readonly url: null;
      readonly merchant: string;
      readonly amount_cents: Cents;
    }
  | ({
      readonly kind: 'ted';
      readonly account_kind: BankAccount['kind'];
      readonly holder_name: string;
    } & Pick<BankAccount, 'bank_code' | 'agency' | 'number' | 'digit' | 'holder_document'>);

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
    return { kind: 'boleto', barcode, typed_line: typedLine, amount_cents: amount };
  }
  if (paidBy === 'utility') {
    const { barcode, typedLine } = buildUtilityBill({
      segmentDigit: trade.segment ?? '5',
      valueDigit: random.pick(['6', '8']),
      amountCents: amount,
      issuerAndFreeField: random.digits(29),
    });
    return { kind: 'utility', barcode, typed_line: typedLine, amount_cents: amount };
  }
  if (paidBy === 'ted' && bankAccount !== undefined) {
    const { bank_code, agency, number, digit, kind: account_kind, holder_document } = bankAccount;
    return {
      kind: 'ted',
      bank_code,
      agency,
      number,
      digit,
      account_kind,
      holder_name: person.name,
      holder_document,
    };
  }
  if (pixKey === undefined) return null;
  if (paidBy === 'pix_key') return { kind: 'pix_key', key: pixKey.key, key_type: pixKey.type };
  if (paidBy !== 'pix_code') return null;
  const merchant = asciiOf(person.name).slice(0, MERCHANT_MAX).trim();
  const code = buildStaticPixCode({
    key: pixKey.key,
    keyType: pixKey.type,
    amountCents: amount,
    merchant,
    city: 'Sao Paulo',
    txid: `T${random.digits(12)}`,
  });
  return { kind: 'pix_code', code, key: pixKey.key, url: null, merchant, amount_cents: amount };
}

function asciiOf(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
