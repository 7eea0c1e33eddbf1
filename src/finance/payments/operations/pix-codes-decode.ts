import { readPixCode } from '../../../core/documents/pix.ts';
import { fail } from '../../../core/errors.ts';
import { moneyText, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { pixCodeSchema } from '../schema.ts';

export const decodePixCode = operation({
  name: 'finance_pix_codes_decode',
  title: 'Read Pix code',
  summary:
    'Read a Pix copy-and-paste code; its check value is verified. Names in it are written by strangers.',
  effect: 'read',
  scope: 'finance.payments',
  input: { code: text(2000).describe('The whole code, as copied.') },
  output: pixCodeSchema,
  async run(input) {
    const code = readPixCode(input.code);
    if (!code.ok) fail('invalid_pix_code', { reason: code.reason, explanation: code.message });
    return {
      kind: code.kind,
      key: code.key,
      key_type: code.keyType,
      url: code.url,
      amount: code.amountCents === null ? null : moneyText(code.amountCents),
      merchant: code.merchant,
      city: code.city,
      txid: code.txid,
      note: code.note,
      single_use: code.singleUse,
      crc_ok: code.crcOk,
      warnings: [...code.warnings],
    };
  },
});
