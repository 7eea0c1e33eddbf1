import { z } from 'zod';
import { monthOf } from '../../../core/dates.ts';
import { date, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import {
  type SumRow,
  selectCashStatement,
  selectCategoryPlaces,
  selectCompetenceStatement,
} from '../queries.ts';
import { bookedOf, sumOf, totalOf } from '../resource.ts';
import { statementPeriod } from '../rules.ts';
import { incomeStatementSchema } from '../schema.ts';
import { type StatementSide, statementOf } from '../statement.ts';

export const incomeStatement = operation({
  name: 'finance_reports_income_statement',
  title: 'Income statement',
  summary: 'Income and expense by category and the result, when money moved or by month of competence.',
  effect: 'read',
  scope: 'finance.reports',
  input: {
    date_from: date().describe('Competence: the first day of a month.'),
    date_to: date().describe('At most 730 days later. Competence: the last day of a month.'),
    basis: z
      .enum(['cash', 'competence'])
      .describe('`cash`: when money moved; `competence`: when it was owed.'),
  },
  output: incomeStatementSchema,
  async run({ date_from, date_to, basis }, { db, workspaceId, today }) {
    const period = statementPeriod(date_from, date_to, basis);
    const months = { from: monthOf(date_from), to: monthOf(date_to) };
    const rows =
      basis === 'cash'
        ? await selectCashStatement(db, workspaceId, period)
        : await selectCompetenceStatement(db, workspaceId, months, period);
    const categories = await selectCategoryPlaces(db, workspaceId);
    const { income, expense } = statementOf(rows.filter(isCounted).map(bookedOf), categories);
    const [received, paid] = [totalOf(rows, 'settled', 'in'), totalOf(rows, 'settled', 'out')];
    const incomeTotal = income.total.amount + received.interest + received.fine;
    const expenseTotal = expense.total.amount + paid.interest + paid.fine + received.fee;
    const uncounted = rows.filter((row) => !isCounted(row));
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: { date_from, date_to, basis },
      income: {
        ...sideOf(income),
        interest: moneyText(received.interest),
        fine: moneyText(received.fine),
        total: moneyText(incomeTotal),
      },
      expense: {
        ...sideOf(expense),
        interest: moneyText(paid.interest),
        fine: moneyText(paid.fine),
        fee: moneyText(received.fee),
        total: moneyText(expenseTotal),
      },
      result: moneyText(incomeTotal - expenseTotal),
      discounts: { granted: moneyText(received.discount), obtained: moneyText(paid.discount) },
      written_off: sumOf(totalOf(rows, 'written_off', 'out')),
      not_counted: {
        credits: sumOf(totalOf(uncounted, 'other', 'in')),
        debits: sumOf(totalOf(uncounted, 'other', 'out')),
      },
    };
  },
});

/** Nobody knows yet what an entry without category is: income, an owner's money, a bill that is still open. */
function isCounted({ part, category_id }: SumRow): boolean {
  return part !== 'other' || category_id !== null;
}

function sideOf({ lines, uncategorised }: StatementSide) {
  return {
    lines: lines.map((line) => ({
      category_id: line.categoryId,
      parent_id: line.parentId,
      name: line.name,
      path: [...line.path],
      level: line.level,
      statement_group: line.statementGroup,
      ...sumOf(line),
    })),
    uncategorised: sumOf(uncategorised),
  };
}
