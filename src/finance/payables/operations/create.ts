import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { date, id, money, moneyOrZero, text } from '../../../core/fields.ts';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import { costCentersArgument } from '../../schema.ts';
import {
  competenceArgument,
  descriptionArgument,
  documentNumberArgument,
  plannedDateArgument,
  withholdingsArgument,
} from '../arguments.ts';
import { chargesArgument, termsOf } from '../charges.ts';
import { competenceMonthOf, createPayables, type PayableDraft } from '../create.ts';
import { installmentsOf, intervals } from '../installments.ts';
import { paymentDetailsArgument, readPaymentDetails } from '../payment-details.ts';
import { payableOf } from '../resource.ts';
import { payableSchema } from '../schema.ts';

const INSTALLMENTS_MAX = 120;
const countError = `a whole number from 2 to ${INSTALLMENTS_MAX}`;

const input = {
  company_id: id('the company that owes'),
  person_id: id('the supplier'),
  description: descriptionArgument(),
  amount: money().describe('Face value of the whole bill.'),
  due_date: date().optional().describe('Required unless `installments` is given.'),
  issue_date: date().optional(),
  competence_month: competenceArgument().optional(),
  document_number: documentNumberArgument().optional(),
  series: text(20).optional(),
  category_id: id('an expense category without children').optional(),
  cost_centers: costCentersArgument.optional(),
  withholdings: withholdingsArgument.optional(),
  abatement: moneyOrZero().optional(),
  charges: chargesArgument.optional(),
  payment_details: paymentDetailsArgument.optional(),
  planned_date: plannedDateArgument().optional(),
  planned_account_id: id('the account it is meant to be paid from').optional(),
  installments: z
    .strictObject({
      count: z
        .int({ error: countError })
        .min(2, { error: countError })
        .max(INSTALLMENTS_MAX, { error: countError }),
      first_due_date: date(),
      interval: z.enum(intervals).default('monthly'),
    })
    .optional()
    .describe('Splits the amount into equal bills.'),
  allow_duplicate_of: id('the bill that looks alike and is another one').optional(),
};

export const createPayable = operation({
  name: 'finance_payables_create',
  title: 'Create payable',
  summary: 'Register a bill or an installment plan. A probable duplicate is refused unless allowed.',
  effect: 'write',
  scope: 'finance.payables',
  dryRun: true,
  input,
  output: z.object({ items: z.array(payableSchema) }),
  async run(given, context) {
    const drafts = draftsOf(given, context);
    const rows = await createPayables(context, drafts);
    return { items: rows.map((row) => payableOf(row, context)) };
  },
});

function draftsOf(given: InputOf<typeof input>, context: WriteContext): PayableDraft[] {
  const { installments } = given;
  const dueDate =
    installments?.first_due_date ?? given.due_date ?? failArgument('due_date', 'a date as YYYY-MM-DD');
  if (given.due_date !== undefined && given.due_date !== dueDate) {
    failArgument('due_date', 'the same date as `installments.first_due_date`, or none');
  }
  const bill: PayableDraft = {
    companyId: given.company_id,
    personId: given.person_id,
    description: given.description,
    amountCents: given.amount,
    dueDate,
    issueDate: given.issue_date,
    // One purchase is one expense: its month does not move with the installments.
    competenceMonth: competenceMonthOf({
      competenceMonth: given.competence_month,
      issueDate: given.issue_date,
      dueDate,
    }),
    documentNumber: given.document_number,
    series: given.series,
    categoryId: given.category_id,
    costCenters: given.cost_centers,
    withholdings: given.withholdings?.map(({ kind, amount }) => ({ kind, cents: amount })),
    abatementCents: given.abatement,
    terms: given.charges === undefined ? null : termsOf(given.charges),
    paymentDetails:
      given.payment_details === undefined ? null : readPaymentDetails(given.payment_details, context.today),
    plannedDate: given.planned_date,
    plannedAccountId: given.planned_account_id,
    allowDuplicateOf: given.allow_duplicate_of,
  };
  if (installments === undefined) return [bill];
  const { count, interval } = installments;
  return installmentsOf(bill, { count, firstDueDate: dueDate, interval }, context.newId());
}
