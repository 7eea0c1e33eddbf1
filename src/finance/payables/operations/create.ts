import { z } from 'zod';
import { operation, type WriteContext } from '../../../core/operation.ts';
import { draftOf, installmentsOf, newArguments } from '../../debts/index.ts';
import { payableWords } from '../arguments.ts';
import { createPayables, type PayableDraft } from '../create.ts';
import {
  type PaymentDetailsInput,
  paymentDetailsArgument,
  readPaymentDetails,
  requireRepeatable,
} from '../payment-details.ts';
import { payableOf } from '../resource.ts';
import { payableSchema } from '../schema.ts';

export const createPayable = operation({
  name: 'finance_payables_create',
  title: 'Create payable',
  summary: 'Register a bill or an installment plan. A probable duplicate is refused unless allowed.',
  effect: 'write',
  scope: 'finance.payables',
  dryRun: true,
  input: { ...newArguments(payableWords), payment_details: paymentDetailsArgument.optional() },
  output: z.object({ items: z.array(payableSchema) }),
  async run({ payment_details: details, ...given }, context) {
    const rows = await createPayables(context, draftsOf(given, details, context));
    return { items: rows.map((row) => payableOf(row, context)) };
  },
});

function draftsOf(
  given: Parameters<typeof draftOf>[0],
  details: PaymentDetailsInput | undefined,
  context: WriteContext,
): PayableDraft[] {
  const { draft, plan } = draftOf(given);
  const paymentDetails = details === undefined ? null : readPaymentDetails(details, context.today);
  const bill: PayableDraft = { ...draft, paymentDetails };
  if (plan === null) return [bill];
  requireRepeatable(paymentDetails);
  return installmentsOf(bill, plan, context.newId());
}
