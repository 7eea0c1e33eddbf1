import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { date, id, money, moneyOrZero } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { paymentMethods } from '../../charges/index.ts';
import { paidSchema } from '../paid.ts';
import { recordPayment } from '../record.ts';
import { paidOf } from '../resource.ts';

export const createPayment = operation({
  name: 'dunning_payments_create',
  title: 'Record payment',
  summary: 'Record money received for a charge or an installment; told twice by the same id, it counts once.',
  effect: 'write',
  scope: 'dunning.charges',
  dryRun: true,
  input: {
    charge_id: id('the charge').optional(),
    installment_id: id('the installment; instead of a charge').optional(),
    amount: money(),
    paid_at: date().describe("The debtor's day, not after today."),
    method: z.enum(paymentMethods),
    credited_at: date().optional().describe('The day the money was in the account.'),
    fee: moneyOrZero().optional().describe('Kept by the bank, out of the amount.'),
    external_id: cleanText(100).optional().describe('Your own id of the payment.'),
    end_to_end_id: cleanText(40).optional().describe('Of a Pix.'),
    payer: z
      .strictObject({ name: cleanText(200).optional(), document_number: cleanText(20).optional() })
      .optional()
      .describe('Who paid, when it was not the debtor.'),
    expected_amount: money()
      .optional()
      .describe('The amount due on that day that a person has seen; another one stops all.'),
  },
  output: paidSchema,
  async run(input, context) {
    const { credited_at, payer } = input;
    if (credited_at !== undefined && credited_at < input.paid_at) {
      failArgument('credited_at', 'a date not before `paid_at`');
    }
    const payment = await recordPayment(context, {
      chargeId: input.charge_id,
      installmentId: input.installment_id,
      amountCents: input.amount,
      paidOn: input.paid_at,
      method: input.method,
      creditedOn: credited_at,
      feeCents: input.fee,
      externalId: input.external_id,
      endToEndId: input.end_to_end_id,
      payer: payer && { name: payer.name ?? null, document_number: payer.document_number ?? null },
      expectedDueCents: input.expected_amount,
    });
    return paidOf(context, payment);
  },
});
