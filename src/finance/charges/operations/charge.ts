import { z } from 'zod';
import { id, money } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { issueFacts } from '../facts.ts';
import {
  type IssueRequest,
  issueCharge,
  type PreparedCharge,
  prepareCharge,
  requireExpectedAmount,
  requireIssuer,
} from '../issuing.ts';
import { chargeDetailOf } from '../resource.ts';
import { chargeDetailSchema, email, methodsArgument, validDaysArgument } from '../schema.ts';

/** Belongs to the receivables by its name, where a person looks for it, and to the charges by what it makes. */
export const chargeReceivable = operation({
  name: 'finance_receivables_charge',
  title: 'Charge customer',
  titlePortuguese: 'Emitir cobrança',
  summary:
    'Issue a boleto, a Pix code or both for the open principal of a receivable, and send it if asked to.',
  effect: 'destructive',
  scope: 'finance.receivables',
  alsoScopes: ['finance.charges.send'],
  hints: { openWorld: true },
  input: {
    id: id('the receivable'),
    methods: methodsArgument,
    account_id: id('the account that receives'),
    send_to: z
      .union([z.literal('customer'), email()], { error: 'an e-mail address, or "customer"' })
      .optional()
      .describe('E-mail address, or "customer" for the first one registered; without it nothing is sent.'),
    valid_days_after_due: validDaysArgument,
    expected_amount: money().optional().describe('The amount a person has seen; another one stops it.'),
  },
  output: chargeDetailSchema,
  async question(input, context) {
    return issueFacts(await prepare(input, context));
  },
  async run(input, context) {
    const charge = await issueCharge(context, await prepare(input, context));
    return chargeDetailOf(context, charge);
  },
});

async function prepare(
  input: IssueRequest & { readonly id: string; readonly expected_amount?: number | undefined },
  context: Context,
): Promise<PreparedCharge> {
  const issuer = await requireIssuer(context, input.account_id);
  const prepared = await prepareCharge(context, input.id, issuer, input);
  requireExpectedAmount(input.expected_amount, prepared.amount);
  return prepared;
}
