import type { DebtWords } from '../debts/index.ts';

/** How payables are spoken of in the arguments they share with receivables. */
export const payableWords: DebtWords = {
  company: 'the company that owes',
  person: 'the supplier',
  category: 'an expense category without children',
  plannedAccount: 'the account it is meant to be paid from',
  lookalike: 'the bill that looks alike and is another one',
  description: 'What is paid.',
  competence: 'Month of the expense; default: of the issue date, else of the due date.',
  withholdings: 'Taxes withheld: not paid to the supplier.',
  plannedDate: 'When it is meant to be paid.',
  installments: 'Splits the amount into equal bills.',
  search: 'Description, document number, or supplier.',
};
