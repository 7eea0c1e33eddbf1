import { z } from 'zod';
import { id, money, moneyOut, moneyText } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { planFacts, totalOf } from '../facts.ts';
import {
  type IssuePlan,
  type IssueRequest,
  issueCharge,
  planCharges,
  requireExpectedAmount,
} from '../issuing.ts';
import { methodsArgument, validDaysArgument } from '../schema.ts';

const IDS_MAX = 200;

/** Named after the receivables it charges, like `finance_receivables_charge`. */
export const chargeReceivables = operation({
  name: 'finance_receivables_bulk_charge',
  title: 'Charge customers',
  titlePortuguese: 'Emitir várias cobranças',
  summary: 'Issue charges for many receivables, one each; those that a rule refuses come back in `failed`.',
  effect: 'destructive',
  scope: 'finance.receivables',
  alsoScopes: ['finance.charges.send'],
  hints: { openWorld: true },
  dryRun: true,
  input: {
    ids: z
      .array(id('a receivable'), { error: `a list of 1 to ${IDS_MAX} ids` })
      .min(1, { error: 'at least one id' })
      .max(IDS_MAX, { error: `at most ${IDS_MAX} ids` })
      .describe('The receivables.'),
    methods: methodsArgument,
    account_id: id('the account that receives'),
    send: z.boolean().default(false).describe('Send each to the first e-mail address of its customer.'),
    valid_days_after_due: validDaysArgument,
    expected_total: money().optional().describe('The total a person has seen; another one stops all.'),
  },
  output: z.object({
    requested: z.int(),
    total: moneyOut().describe('Of the charges made.'),
    succeeded: z.array(
      z.object({
        id: z.string().describe('The receivable.'),
        charge_id: z.string(),
        amount: moneyOut(),
        due_date: z.string(),
      }),
    ),
    failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
  async question(input, context) {
    const plan = await prepare(input, context);
    const [first] = plan.refused;
    // A yes that could do nothing is not asked for.
    if (plan.charges.length === 0 && first !== undefined) throw first.error;
    return planFacts(plan, input.methods);
  },
  async run(input, context) {
    const { charges, refused } = await prepare(input, context);
    const succeeded = [];
    for (const [done, prepared] of charges.entries()) {
      context.progress({ done, total: charges.length });
      const charge = await issueCharge(context, prepared);
      succeeded.push({
        id: charge.receivable_id,
        charge_id: charge.id,
        amount: moneyText(charge.amount_cents),
        due_date: charge.due_date,
      });
    }
    return {
      requested: charges.length + refused.length,
      total: moneyText(totalOf(charges)),
      succeeded,
      failed: refused.map(({ id, error }) => ({ id, code: error.code, message: error.message })),
    };
  },
});

async function prepare(
  input: Omit<IssueRequest, 'send_to'> & {
    readonly ids: readonly string[];
    readonly send: boolean;
    readonly expected_total?: number | undefined;
  },
  context: Context,
): Promise<IssuePlan> {
  const plan = await planCharges(context, input.ids, {
    ...input,
    send_to: input.send ? 'customer' : undefined,
  });
  requireExpectedAmount(input.expected_total, totalOf(plan.charges));
  return plan;
}
