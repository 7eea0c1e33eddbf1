import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

/** What every report begins with: the day it was made and its unit. */
const heading = { as_of: z.string().describe('The day it was computed.'), currency: z.literal('BRL') };

const sum = z.object({ amount: moneyOut(), count: z.int() });

const flow = {
  inflow: moneyOut(),
  outflow: moneyOut(),
  net: moneyOut(),
  inflow_count: z.int(),
  outflow_count: z.int(),
};

export const cashFlowSchema = z
  .object({
    ...heading,
    filter: z.object({
      until: z.string(),
      company_id: z.string().nullable(),
      bucket: z.enum(['day', 'week', 'month']),
      include_overdue: z.boolean(),
    }),
    balance_today: z
      .object({ amount: moneyOut(), accounts: z.int() })
      .describe('Book balances at the end of today of active accounts, without cards and investments.'),
    overdue: z
      .object({ ...flow, included: z.boolean() })
      .describe(
        'Expected before today and still open; when included, counted today before the first bucket.',
      ),
    buckets: z
      .array(z.object({ from: z.string(), to: z.string(), ...flow, balance: moneyOut() }))
      .describe(
        'From today on. Open principal, by planned date or due business day; future recurrences not counted.',
      ),
    total: z.object(flow).describe('The buckets, and what is overdue where it is included.'),
    balance_end: moneyOut(),
    lowest: z
      .object({ date: z.string(), balance: moneyOut() })
      .describe('The day that ends with the least, found by day.'),
  })
  .meta({
    id: 'cash_flow_report',
    description: 'Balance today and what is expected to move it, with the lowest point.',
  });

const left = sum
  .extend({ overdue_amount: moneyOut(), overdue_count: z.int() })
  .describe('Due in the month and open today.');

const categoryLine = sum.extend({
  category_id: z.string().nullable().describe('Null: without category.'),
  path: z.array(z.string()).describe('Names from the top down.'),
});

const byCategory = z.object({ lines: z.array(categoryLine), others: sum });

const parts = {
  amount: moneyOut().describe('principal - discount + interest + fine.'),
  principal: moneyOut(),
  discount: moneyOut(),
  interest: moneyOut(),
  fine: moneyOut(),
  count: z.int(),
};

export const monthlySummarySchema = z
  .object({
    ...heading,
    filter: z.object({ month: z.string(), company_id: z.string().nullable() }),
    from: z.string(),
    to: z.string(),
    is_over: z.boolean().describe('False while the month still runs or is to come.'),
    balance: z
      .object({
        start: z.object({ date: z.string(), amount: moneyOut() }),
        end: z.object({ date: z.string(), amount: moneyOut() }),
        accounts: z.int(),
      })
      .describe('Book balances at the end of the dates, of all accounts but cards and investments.'),
    paid: z.object(parts).describe('Settlements of payables in the month.'),
    received: z
      .object({ ...parts, fee: moneyOut(), credited: moneyOut().describe('amount - fee.') })
      .describe('Settlements of receivables in the month.'),
    other_entries: z
      .object({ credits: sum, debits: sum })
      .describe('Entries that no settlement stands for; own transfers and ignored ones excluded.'),
    net: moneyOut().describe('received.credited + other credits - paid.amount - other debits.'),
    left_open: z.object({ payables: left, receivables: left }),
    outflow_by_category: byCategory.describe('Paid principal - discount, and other debits; largest first.'),
    inflow_by_category: byCategory.describe('Received principal - discount, and other credits.'),
  })
  .meta({
    id: 'monthly_summary_report',
    description: 'What was paid, received and left open in a month; own transfers excluded.',
  });

const agingSums = {
  not_yet_due: sum,
  overdue: sum,
  total: sum,
  bands: z.array(sum.extend({ from_days: z.int(), to_days: z.int().nullable() })),
};

export const agingSchema = z
  .object({
    ...heading,
    filter: z.object({
      kind: z.enum(['payables', 'receivables']),
      as_of: z.string().describe('The day whose end the amounts are of.'),
      bands: z.array(z.int()),
      group_by: z.enum(['person', 'company']).nullable(),
    }),
    ...agingSums,
    groups: z
      .array(z.object({ id: z.string(), name: z.string(), ...agingSums }))
      .describe('Largest totals first; empty without `group_by`.'),
    groups_count: z.int().describe('Of all groups, also those not shown.'),
  })
  .meta({ id: 'aging_report', description: 'Open principal by delay, counted from the due date.' });

const statementLine = sum.extend({
  category_id: z.string(),
  parent_id: z.string().nullable(),
  name: z.string(),
  path: z.array(z.string()).describe('Names from the top down.'),
  level: z.int().describe('1 to 3.'),
  statement_group: z.string().nullable(),
});

const statementSide = {
  lines: z.array(statementLine).describe('The tree; a category holds what is below it.'),
  uncategorised: sum.describe('Documents without category.'),
};

export const incomeStatementSchema = z
  .object({
    ...heading,
    filter: z.object({
      date_from: z.string(),
      date_to: z.string(),
      basis: z.enum(['cash', 'competence']),
    }),
    income: z.object({
      ...statementSide,
      interest: moneyOut(),
      fine: moneyOut(),
      total: moneyOut().describe('Level 1 + uncategorised + interest + fine.'),
    }),
    expense: z.object({
      ...statementSide,
      interest: moneyOut(),
      fine: moneyOut(),
      fee: moneyOut().describe('Kept back by banks.'),
      total: moneyOut().describe('Level 1 + uncategorised + interest + fine + fee.'),
    }),
    result: moneyOut().describe('income.total - expense.total.'),
    discounts: z
      .object({ granted: moneyOut(), obtained: moneyOut() })
      .describe('Cash basis: already taken off the lines of the categories.'),
    written_off: sum.describe('Competence basis: given up, already in the expense lines.'),
    not_counted: z
      .object({ credits: sum, debits: sum })
      .describe('Cash basis: entries without category that no settlement stands for.'),
  })
  .meta({ id: 'income_statement_report', description: 'Income and expense by category, and the result.' });
