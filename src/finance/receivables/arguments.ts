import type { DebtWords } from '../debts/index.ts';

/** How receivables are spoken of in the arguments they share with payables. */
export const receivableWords: DebtWords = {
  company: 'the company that is owed',
  person: 'the customer',
  category: 'an income category without children',
  plannedAccount: 'the account it is expected on',
  lookalike: 'the receivable that looks alike and is another one',
  description: 'What is charged for.',
  competence: 'Month of the income; default: of the issue date, else of the due date.',
  withholdings: 'Taxes the customer withholds: not received.',
  plannedDate: 'When it is expected.',
  installments: 'Splits the amount into equal receivables.',
  search: 'Description, document number, or customer.',
};
