import { z } from 'zod';
import { date, id, moneyOut, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { amountsOf } from '../amounts.ts';
import { waysToPay } from '../payment-codes.ts';
import { codesOf, requireCharge } from '../resource.ts';
import { requireCollectable } from '../rules.ts';

export const getPaymentOptions = operation({
  name: 'dunning_charges_payment_options',
  title: 'Payment options',
  summary: 'What to pay on a date and with which code; warns when a code asks for another amount.',
  effect: 'read',
  scope: 'dunning.charges',
  input: { id: id('the charge'), as_of: date().optional().describe('The day of paying; default today.') },
  output: z.object({
    charge_id: z.string(),
    as_of: z.string(),
    currency: z.literal('BRL'),
    amount_due: moneyOut().describe('On the date.'),
    options: z.array(
      z.object({
        method: z.enum(['boleto', 'pix', 'link']),
        code: z.string().describe('Typed line, Pix code or address.'),
        barcode: z.string().nullable(),
        amount: z.string().nullable().describe('What the code itself asks for; null when the payer says it.'),
        warnings: z.array(z.enum(['amount_differs', 'past_due_date'])),
      }),
    ),
  }),
  async run(input, context) {
    const row = await requireCharge(context, input.id);
    requireCollectable(row);
    const on = input.as_of ?? context.today;
    const { amountDue } = await amountsOf(context, row, on);
    const codes = codesOf(row);
    return {
      charge_id: row.id,
      as_of: on,
      currency: 'BRL' as const,
      amount_due: moneyText(amountDue),
      options: waysToPay(codes, context.today).map(({ method, code, amountCents, dueDate }) => ({
        method,
        code,
        barcode: method === 'boleto' ? codes.barcode : null,
        amount: amountCents === null ? null : moneyText(amountCents),
        warnings: [
          ...(amountCents !== null && amountCents !== amountDue ? (['amount_differs'] as const) : []),
          ...(dueDate !== null && dueDate < on ? (['past_due_date'] as const) : []),
        ],
      })),
    };
  },
});
