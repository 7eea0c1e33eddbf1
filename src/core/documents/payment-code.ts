import { type Boleto, type BoletoFailure, readBoleto } from './boleto.ts';
import { digitsOfPaymentCode } from './reading.ts';
import { readUtilityBill, type UtilityBill, type UtilityBillFailure } from './utility-bill.ts';

const UTILITY_FIRST_DIGIT = '8';
const UTILITY_TYPED_LENGTH = 48;

export type PaymentCode = Boleto | UtilityBill;
export type PaymentCodeFailure = BoletoFailure | UtilityBillFailure;

/**
 * Any Brazilian payment code, typed line or barcode: a leading 8 makes it a utility or tax bill (`kind: 'utility'`),
 * anything else a bank boleto (`kind: 'boleto'`). The reference date is the civil date of reading.
 */
export function readPaymentCode(code: string, referenceDate: string): PaymentCode | PaymentCodeFailure {
  const digits = digitsOfPaymentCode(code);
  if (digits?.[0] === UTILITY_FIRST_DIGIT) return readUtilityBill(code);
  if (digits?.length === UTILITY_TYPED_LENGTH) {
    const message =
      'A code of 48 digits is a utility or tax bill and begins with 8. If this is a boleto, it has one digit too many, ' +
      'probably a due factor printed with five digits: ask the issuer for a right one.';
    return { ok: false, field: 'length', message };
  }
  return readBoleto(code, referenceDate);
}
