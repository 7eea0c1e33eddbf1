import { date, id, money } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { bookBalanceOf } from '../../accounts/index.ts';
import { paymentDetailsArgument, requirePayable } from '../../payables/index.ts';
import { orderFacts } from '../facts.ts';
import {
  createOrder,
  type PreparedOrder,
  prepareOrder,
  requireExpectedAmount,
  requirePayer,
  requireSafeOrder,
} from '../orders.ts';
import { paymentOf } from '../resource.ts';
import type { CrossedLimits } from '../safety.ts';
import { paymentSchema } from '../schema.ts';

/**
 * Belongs to the payables by its name, because that is where a person looks for it, and to the payments by what it
 * makes.
 */
export const sendPayableToBank = operation({
  name: 'finance_payables_send_to_bank',
  title: 'Send payment to the bank',
  titlePortuguese: 'Enviar pagamento ao banco',
  summary: 'Create the payment order of one bill at the bank, for the amount due on the payment date.',
  effect: 'destructive',
  scope: 'finance.payables',
  alsoScopes: ['finance.payments.send'],
  hints: { openWorld: true },
  input: {
    id: id('the payable'),
    account_id: id('the account that pays'),
    scheduled_for: date().optional().describe('Default: today for Pix, else the next business day.'),
    expected_amount: money().optional().describe('The amount a person has seen; another one stops it.'),
    payment_details: paymentDetailsArgument.optional().describe("Default: the payable's own."),
  },
  output: paymentSchema,
  async question(input, context) {
    const { order, crossed } = await prepare(input, context);
    return orderFacts(order, crossed, await bookBalanceOf(context, order.account));
  },
  async run(input, context) {
    const { order } = await prepare(input, context);
    const payment = await createOrder(context, order);
    return paymentOf(payment, context.scopes);
  },
});

interface Input {
  readonly id: string;
  readonly account_id: string;
  readonly scheduled_for?: string | undefined;
  readonly expected_amount?: number | undefined;
  readonly payment_details?: Parameters<typeof prepareOrder>[3]['payment_details'];
}

async function prepare(
  input: Input,
  context: Context,
): Promise<{ order: PreparedOrder; crossed: CrossedLimits }> {
  // Looked up first, so that whoever mistypes hears of the payable; locked after the account, as everywhere.
  await requirePayable({ ...context, isWriting: false }, input.id);
  const payer = await requirePayer(context, input.account_id);
  const payable = await requirePayable(context, input.id);
  const order = await prepareOrder(context, payable, payer, input);
  requireExpectedAmount(input.expected_amount, order.amount);
  return { order, crossed: await requireSafeOrder(context, payer, order) };
}
