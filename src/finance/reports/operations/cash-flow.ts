import { z } from 'zod';
import { date, id, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireCompany } from '../../companies/index.ts';
import { type ExpectedRow, selectExpected } from '../queries.ts';
import { flowOf } from '../resource.ts';
import { cashFlowOf, type ExpectedFlow, outlookEnd } from '../rules.ts';
import { cashFlowSchema } from '../schema.ts';

export const cashFlowReport = operation({
  name: 'finance_reports_cash_flow',
  title: 'Cash flow outlook',
  summary: 'Balance today and what is expected to move it, by day, week or month, with the lowest point.',
  effect: 'read',
  scope: 'finance.reports',
  input: {
    until: date().optional().describe('Default: 90 days from today; at most 366.'),
    company_id: id('the company').optional(),
    bucket: z.enum(['day', 'week', 'month']).default('week').describe('Weeks begin on Monday.'),
    include_overdue: z.boolean().default(true).describe('Count what is overdue, on today.'),
  },
  output: cashFlowSchema,
  async run(input, context) {
    const { db, workspaceId, today } = context;
    const until = outlookEnd(input.until, today);
    if (input.company_id !== undefined) await requireCompany(context, input.company_id);
    const rows = await selectExpected(db, workspaceId, { today, until, companyId: input.company_id });
    const balance = rows.find(({ part }) => part === 'balance')!;
    const flow = cashFlowOf({
      today,
      until,
      bucket: input.bucket,
      isOverdueCounted: input.include_overdue,
      balance: balance.cents,
      expected: rows.filter(({ part }) => part === 'flow').map(expectedOf),
    });
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: {
        until,
        company_id: input.company_id ?? null,
        bucket: input.bucket,
        include_overdue: input.include_overdue,
      },
      balance_today: { amount: moneyText(balance.cents), accounts: balance.records },
      overdue: { ...flowOf(flow.overdue), included: input.include_overdue },
      buckets: flow.buckets.map((bucket) => ({
        from: bucket.from,
        to: bucket.to,
        ...flowOf(bucket),
        balance: moneyText(bucket.balance),
      })),
      total: flowOf(flow.total),
      balance_end: moneyText(flow.balanceEnd),
      lowest: { date: flow.lowest.date, balance: moneyText(flow.lowest.balance) },
    };
  },
});

function expectedOf({ direction, day, cents, records }: ExpectedRow): ExpectedFlow {
  return direction === 'in'
    ? { day, inflow: cents, inflowCount: records, outflow: 0, outflowCount: 0 }
    : { day, inflow: 0, inflowCount: 0, outflow: cents, outflowCount: records };
}
