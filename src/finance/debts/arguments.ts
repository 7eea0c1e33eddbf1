/** Arguments that registering, changing and settling a debt take, whoever owes it, and what they mean. */

import { z } from 'zod';
import type { CivilDate } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import { date, id, money, moneyOrZero, month, text } from '../../core/fields.ts';
import type { InputOf } from '../../core/operation.ts';
import { costCentersArgument } from '../schema.ts';
import { chargesArgument, termsOf } from './charges.ts';
import { intervals, type Plan } from './installments.ts';
import { competenceMonthOf } from './rules.ts';
import { type DebtDraft, settlementMethods, withholdingKinds } from './schema.ts';

const WITHHOLDINGS_MAX = 10;
const INSTALLMENTS_MAX = 120;
const IDS_MAX = 200;
const countError = `a whole number from 2 to ${INSTALLMENTS_MAX}`;

const installmentsArgument = z.strictObject({
  count: z
    .int({ error: countError })
    .min(2, { error: countError })
    .max(INSTALLMENTS_MAX, { error: countError }),
  first_due_date: date(),
  interval: z.enum(intervals).default('monthly'),
});

/** The words of one kind of debt. */
export interface DebtWords {
  readonly company: string;
  readonly person: string;
  readonly category: string;
  readonly plannedAccount: string;
  readonly lookalike: string;
  readonly description: string;
  readonly competence: string;
  readonly withholdings: string;
  readonly plannedDate: string;
  readonly installments: string;
  readonly search: string;
}

/** What a new debt is made of. */
export const newArguments = (words: DebtWords) => ({
  company_id: id(words.company),
  person_id: id(words.person),
  description: text(300).describe(words.description),
  amount: money().describe('Face value, of all installments together.'),
  due_date: date().optional().describe('Required unless `installments` is given.'),
  issue_date: date().optional(),
  competence_month: month().describe(words.competence).optional(),
  document_number: documentNumber().optional(),
  series: text(20).optional(),
  category_id: id(words.category).optional(),
  cost_centers: costCentersArgument.optional(),
  withholdings: withholdingsArgument(words).optional(),
  abatement: moneyOrZero().optional(),
  charges: chargesArgument.optional(),
  planned_date: date().describe(words.plannedDate).optional(),
  planned_account_id: id(words.plannedAccount).optional(),
  installments: installmentsArgument.optional().describe(words.installments),
  allow_duplicate_of: id(words.lookalike).optional(),
});

/** What may change of a debt; null takes away what need not be there. */
export const changeArguments = (words: DebtWords) => ({
  person_id: id(words.person).optional(),
  description: text(300).describe(words.description).optional(),
  amount: money().optional(),
  due_date: date().optional(),
  issue_date: date().nullable().optional(),
  competence_month: month().optional(),
  document_number: documentNumber().nullable().optional(),
  series: text(20).nullable().optional(),
  category_id: id(words.category).nullable().optional(),
  cost_centers: costCentersArgument.optional(),
  withholdings: withholdingsArgument(words).optional(),
  abatement: moneyOrZero().optional(),
  charges: chargesArgument.nullable().optional(),
  planned_date: date().describe(words.plannedDate).nullable().optional(),
  planned_account_id: id(words.plannedAccount).nullable().optional(),
});

/** What a list and a call about many debts may be narrowed by, besides states. */
export const filterArguments = (words: DebtWords) => ({
  overdue: z.boolean().optional().describe('Still open after the due date or its next business day.'),
  company_id: id('the company').optional(),
  person_id: id(words.person).optional(),
  due_from: date().optional(),
  due_to: date().optional(),
  category_id: id('the category').optional(),
  search: text(100).optional().describe(words.search),
});

/** The arguments of a call that changes many debts alike; `states` narrows its filter too. */
export const bulkArguments = <States extends z.ZodRawShape>(words: DebtWords, states: States) => {
  const { category_id, cost_centers, planned_date, planned_account_id } = changeArguments(words);
  return {
    ids: z
      .array(id('the record'), { error: `a list of 1 to ${IDS_MAX} ids` })
      .min(1, { error: 'at least one id' })
      .max(IDS_MAX, { error: `at most ${IDS_MAX} ids` })
      .optional()
      .describe('Which ones; or `filter`.'),
    filter: z
      .strictObject({ ...states, ...filterArguments(words) })
      .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
        error: 'at least one condition',
      })
      .optional()
      .describe(`Which ones, at most ${IDS_MAX}; or \`ids\`.`),
    set: z
      .strictObject({ category_id, cost_centers, planned_date, planned_account_id })
      .refine((set) => Object.values(set).some((value) => value !== undefined), {
        error: 'at least one field to change',
      })
      .describe('The change; null takes a value away.'),
  };
};

/** The parts of a settlement, the date and the way it was made. */
export const settlementArguments = {
  paid_at: date().describe('Not after today.'),
  principal: moneyOrZero().optional().describe('Face value paid off, discount included.'),
  discount: moneyOrZero().optional(),
  interest: moneyOrZero().optional(),
  fine: moneyOrZero().optional(),
  method: z.enum(settlementMethods).default('other'),
};

export type NewDebtInput = InputOf<ReturnType<typeof newArguments>>;
export type DebtChanges = InputOf<ReturnType<typeof changeArguments>>;

/** The draft that the arguments describe, and the plan it is to be split by. Fails with `invalid_argument`. */
export function draftOf(given: NewDebtInput): { draft: DebtDraft; plan: Plan | null } {
  const { installments } = given;
  const dueDate =
    installments?.first_due_date ?? given.due_date ?? failArgument('due_date', 'a date as YYYY-MM-DD');
  if (given.due_date !== undefined && given.due_date !== dueDate) {
    failArgument('due_date', 'the same date as `installments.first_due_date`, or none');
  }
  const draft: DebtDraft = {
    companyId: given.company_id,
    personId: given.person_id,
    description: given.description,
    amountCents: given.amount,
    dueDate,
    issueDate: given.issue_date,
    competenceMonth: wholeMonthOf(given, dueDate),
    documentNumber: given.document_number,
    series: given.series,
    categoryId: given.category_id,
    costCenters: given.cost_centers,
    withholdings: given.withholdings?.map(({ kind, amount }) => ({ kind, cents: amount })),
    abatementCents: given.abatement,
    terms: given.charges === undefined ? null : termsOf(given.charges),
    plannedDate: given.planned_date,
    plannedAccountId: given.planned_account_id,
    allowDuplicateOf: given.allow_duplicate_of,
  };
  if (installments === undefined) return { draft, plan: null };
  const { count, interval } = installments;
  return { draft, plan: { count, firstDueDate: dueDate, interval } };
}

/** One purchase is one expense, one sale one income: its month does not move with the installments. */
function wholeMonthOf(given: NewDebtInput, dueDate: CivilDate): string {
  return competenceMonthOf({
    competenceMonth: given.competence_month,
    issueDate: given.issue_date,
    dueDate,
  });
}

function documentNumber() {
  return text(60).describe('Number on the document.');
}

function withholdingsArgument(words: DebtWords) {
  return z
    .array(z.strictObject({ kind: z.enum(withholdingKinds), amount: money() }))
    .max(WITHHOLDINGS_MAX, { error: `at most ${WITHHOLDINGS_MAX} withholdings` })
    .describe(words.withholdings);
}
