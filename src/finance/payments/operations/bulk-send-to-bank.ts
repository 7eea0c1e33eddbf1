import { z } from 'zod';
import { date, id, money, moneyOut, moneyText } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { bookBalanceOf, maskedAccount } from '../../accounts/index.ts';
import { planFacts } from '../facts.ts';
import { createOrder, type OrderPlan, planOrders, requireExpectedAmount, totalOf } from '../orders.ts';

const IDS_MAX = 100;

/** Named after the payables it pays, like `finance_payables_send_to_bank`. */
export const sendPayablesToBank = operation({
  name: 'finance_payables_bulk_send_to_bank',
  title: 'Send payments to the bank',
  titlePortuguese: 'Enviar vários pagamentos ao banco',
  summary:
    'Create the payment orders of many bills, one each; bills that a rule refuses come back in `failed`.',
  effect: 'destructive',
  scope: 'finance.payables',
  alsoScopes: ['finance.payments.send'],
  hints: { openWorld: true },
  dryRun: true,
  input: {
    ids: z
      .array(id('a payable'), { error: `a list of 1 to ${IDS_MAX} ids` })
      .min(1, { error: 'at least one id' })
      .max(IDS_MAX, { error: `at most ${IDS_MAX} ids` })
      .describe('The payables.'),
    account_id: id('the account that pays'),
    scheduled_for: date().optional().describe('Default: today for Pix, else the next business day.'),
    expected_total: money().optional().describe('The total a person has seen; another one stops all.'),
  },
  output: z.object({
    requested: z.int(),
    total: moneyOut().describe('Of the orders made.'),
    succeeded: z.array(
      z.object({
        id: z.string().describe('The payable.'),
        payment_id: z.string(),
        amount: moneyOut(),
        scheduled_for: z.string(),
      }),
    ),
    failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
  async question(input, context) {
    const plan = await prepare(input, context);
    const [first] = plan.refused;
    // A yes that could do nothing is not asked for.
    if (plan.orders.length === 0 && first !== undefined) throw first.error;
    const { account } = plan.orders[0]!;
    return planFacts(plan, maskedAccount(account), await bookBalanceOf(context, account));
  },
  async run(input, context) {
    const { orders, refused } = await prepare(input, context);
    const succeeded = [];
    for (const order of orders) {
      const payment = await createOrder(context, order);
      succeeded.push({
        id: order.payable.id,
        payment_id: payment.id,
        amount: moneyText(payment.amount_cents),
        scheduled_for: payment.scheduled_for,
      });
    }
    return {
      requested: orders.length + refused.length,
      total: moneyText(totalOf(orders)),
      succeeded,
      failed: refused.map(({ id, error }) => ({ id, code: error.code, message: error.message })),
    };
  },
});

interface Input {
  readonly ids: readonly string[];
  readonly account_id: string;
  readonly scheduled_for?: string | undefined;
  readonly expected_total?: number | undefined;
}

async function prepare(input: Input, context: Context): Promise<OrderPlan> {
  const plan = await planOrders(context, input.ids, input.account_id, {
    scheduled_for: input.scheduled_for,
  });
  requireExpectedAmount(input.expected_total, totalOf(plan.orders));
  return plan;
}
