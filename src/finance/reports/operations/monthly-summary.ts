import { id, moneyText, month } from '../../../core/fields.ts';
import type { Cents } from '../../../core/money.ts';
import { operation } from '../../../core/operation.ts';
import { requireCompany } from '../../companies/index.ts';
import { type SumRow, selectCategoryPlaces, selectMonth } from '../queries.ts';
import { bookedOf, sumOf, totalOf } from '../resource.ts';
import { balanceDays, summaryMonth, topOf } from '../rules.ts';
import { monthlySummarySchema } from '../schema.ts';
import { type Booked, type CategoryPlace, pathOf } from '../statement.ts';

const CATEGORY_LINES_MAX = 10;

export const monthlySummary = operation({
  name: 'finance_reports_monthly_summary',
  title: 'Monthly summary',
  summary: 'Paid, received and left open in a month, by category, with balances; own transfers excluded.',
  effect: 'read',
  scope: 'finance.reports',
  input: {
    month: month().optional().describe('Default: the current month.'),
    company_id: id('the company').optional(),
  },
  output: monthlySummarySchema,
  async run(input, context) {
    const { db, workspaceId, today } = context;
    const period = summaryMonth(input.month, today);
    if (input.company_id !== undefined) await requireCompany(context, input.company_id);
    const balances = balanceDays(period, today);
    const companyId = input.company_id;
    const rows = await selectMonth(db, workspaceId, { ...period, today, balances, companyId });
    const categories = await selectCategoryPlaces(db, workspaceId);
    const [paid, received] = [totalOf(rows, 'settled', 'out'), totalOf(rows, 'settled', 'in')];
    const [debits, credits] = [totalOf(rows, 'other', 'out'), totalOf(rows, 'other', 'in')];
    const balance = totalOf(rows, 'balance', null);
    const credited = received.amount - received.fee;
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: { month: period.month, company_id: input.company_id ?? null },
      from: period.from,
      to: period.to,
      is_over: period.to < today,
      balance: {
        start: { date: balances.start, amount: moneyText(balance.principal) },
        end: { date: balances.end, amount: moneyText(balance.amount) },
        accounts: balance.count,
      },
      paid: partsOf(paid),
      received: { ...partsOf(received), fee: moneyText(received.fee), credited: moneyText(credited) },
      other_entries: { credits: sumOf(credits), debits: sumOf(debits) },
      net: moneyText(credited + credits.amount - paid.amount - debits.amount),
      left_open: { payables: leftOf(rows, 'out'), receivables: leftOf(rows, 'in') },
      outflow_by_category: linesOf(rows, 'out', categories),
      inflow_by_category: linesOf(rows, 'in', categories),
    };
  },
});

function partsOf(total: ReturnType<typeof totalOf>) {
  return {
    amount: moneyText(total.amount),
    principal: moneyText(total.principal),
    discount: moneyText(total.discount),
    interest: moneyText(total.interest),
    fine: moneyText(total.fine),
    count: total.count,
  };
}

function leftOf(rows: readonly SumRow[], direction: 'in' | 'out') {
  const [ahead, overdue] = [totalOf(rows, 'open', direction), totalOf(rows, 'overdue', direction)];
  return {
    amount: moneyText(ahead.amount + overdue.amount),
    count: ahead.count + overdue.count,
    overdue_amount: moneyText(overdue.amount),
    overdue_count: overdue.count,
  };
}

function linesOf(rows: readonly SumRow[], direction: 'in' | 'out', categories: readonly CategoryPlace[]) {
  const booked = rows
    .filter((row) => row.direction === direction && (row.part === 'settled' || row.part === 'other'))
    .map(bookedOf);
  const byId = new Map(categories.map((category) => [category.id, category]));
  const lines = [...Map.groupBy(booked, ({ categoryId }) => categoryId)].map(([categoryId, own]) => {
    const category = categoryId === null ? undefined : byId.get(categoryId);
    const path = category === undefined ? [] : pathOf(category, byId);
    return { categoryId, path, key: `${path.join('\0')}\0${categoryId}`, ...added(own) };
  });
  const top = topOf(lines, CATEGORY_LINES_MAX);
  return {
    lines: top.lines.map((line) => ({ category_id: line.categoryId, path: line.path, ...sumOf(line) })),
    others: sumOf(top.others),
  };
}

function added(booked: readonly Booked[]): { amount: Cents; count: number } {
  return {
    amount: booked.reduce((sum, { amount }) => sum + amount, 0),
    count: booked.reduce((sum, { count }) => sum + count, 0),
  };
}
