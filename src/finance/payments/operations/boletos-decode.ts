import { readPaymentCode } from '../../../core/documents/payment-code.ts';
import { fail } from '../../../core/errors.ts';
import { moneyText, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { paymentCodeSchema } from '../schema.ts';

export const decodeBoleto = operation({
  name: 'finance_boletos_decode',
  title: 'Read boleto',
  summary: 'Read the typed line or barcode of a bank boleto, utility or tax bill; check digits are verified.',
  effect: 'read',
  scope: 'finance.payments',
  input: { code: text(100).describe('44, 47 or 48 digits; spaces, dots and hyphens may stay.') },
  output: paymentCodeSchema,
  async run(input, context) {
    const code = readPaymentCode(input.code, context.today);
    if (!code.ok) fail('invalid_barcode', { field: code.field, reason: code.message });
    const isBoleto = code.kind === 'boleto';
    return {
      kind: code.kind,
      barcode: code.barcode,
      typed_line: code.typedLine,
      bank_code: isBoleto ? code.bankCode : null,
      segment: isBoleto ? null : code.segment,
      issuer_code: isBoleto ? null : code.issuerCode,
      amount: code.amountCents === null ? null : moneyText(code.amountCents),
      due_date: code.dueDate,
      free_field: code.freeField,
      check_digits_ok: true as const,
      warnings: [...code.warnings],
    };
  },
});
