/** Every report equals a second computation, over random books in a real database. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Book, bookAround, openBookWriter } from '../../../test/support/random-books.ts';
import {
  reckonAging,
  reckonCashFlow,
  reckonMonth,
  reckonStatement,
} from '../../../test/support/reckoning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { addDays, addMonths, lastDayOfMonth, monthOf } from '../../core/dates.ts';
import type { Context, Operation } from '../../core/operation.ts';
import { operations } from './index.ts';

/** A Monday: what was due on the days before is not overdue. */
const TODAY = '2026-10-05';
const BOOKS = 50;
/** Seconds on a quiet machine. */
const SLOW = { timeout: 60_000 };
const zones = ['UTC', 'America/Sao_Paulo', 'Pacific/Auckland'] as const;

let world: World;
let writer: Awaited<ReturnType<typeof openBookWriter>>;

beforeAll(async () => {
  world = await openWorld();
  writer = await openBookWriter(world.url);
});
afterAll(async () => {
  await writer.close();
  await world.close();
});

/** The report over a book, as its tool would give it, with the process in a time zone. */
async function report(name: string, book: Book, args: object, zone: string): Promise<Record<string, any>> {
  const operation: Operation = operations.find((one) => one.name === `finance_reports_${name}`)!;
  const former = process.env.TZ;
  process.env.TZ = zone;
  try {
    const place = { organizationId: world.organizationId, workspaceId: book.workspaceId };
    return await world.runtime.database.read(place, async (db) => {
      const context: Partial<Context> = {
        db,
        ...place,
        today: TODAY,
        timeZone: 'America/Sao_Paulo',
        isWriting: false,
      };
      const output = await operation.run(operation.input.parse(args) as never, context as never);
      return operation.output.parse(output);
    });
  } finally {
    if (former === undefined) delete process.env.TZ;
    else process.env.TZ = former;
  }
}

/** A new book for each run, and a zone that must not matter. */
async function overBooks<Args>(
  args: fc.Arbitrary<Args>,
  check: (book: Book, args: Args, zone: string) => Promise<void>,
) {
  const property = fc.asyncProperty(
    bookAround(TODAY),
    args,
    fc.constantFrom(...zones),
    async (book, chosen, zone) => {
      await writer.write(book);
      await check(book, chosen, zone);
    },
  );
  await fc.assert(property, { numRuns: BOOKS, endOnFailure: true });
}

const company = (book: Book, index: number | null) =>
  index === null ? undefined : book.companyIds[index % book.companyIds.length];
const withCompany = (companyId: string | undefined) =>
  companyId === undefined ? {} : { company_id: companyId };

test(
  'PITFALLS 30: the cash flow equals a second computation, in every time zone of the process',
  SLOW,
  async () => {
    const args = fc.record({
      days: fc.integer({ min: 0, max: 120 }),
      bucket: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      includeOverdue: fc.boolean(),
      company: fc.option(fc.nat(5)),
    });
    await overBooks(args, async (book, { days, bucket, includeOverdue, company: index }, zone) => {
      const [until, companyId] = [addDays(TODAY, days), company(book, index)];
      const input = { until, bucket, include_overdue: includeOverdue, ...withCompany(companyId) };
      const { as_of, currency, filter, ...figures } = await report('cash_flow', book, input, zone);
      expect({ as_of, currency, filter }).toEqual({
        as_of: TODAY,
        currency: 'BRL',
        filter: { until, company_id: companyId ?? null, bucket, include_overdue: includeOverdue },
      });
      expect(figures).toEqual(
        reckonCashFlow(book, { today: TODAY, until, bucket, includeOverdue, companyId }),
      );
    });
  },
);

test(
  'PITFALLS 30, 41: the monthly summary equals a second computation, in every time zone of the process',
  SLOW,
  async () => {
    const args = fc.record({ months: fc.integer({ min: -8, max: 3 }), company: fc.option(fc.nat(5)) });
    await overBooks(args, async (book, { months, company: index }, zone) => {
      const [month, companyId] = [addMonths(monthOf(TODAY), months), company(book, index)];
      const input = { month, ...withCompany(companyId) };
      const { as_of, currency, filter, outflow_by_category, inflow_by_category, ...figures } = await report(
        'monthly_summary',
        book,
        input,
        zone,
      );
      const second = reckonMonth(book, { month, today: TODAY, companyId });
      expect(figures).toEqual(second.report);
      for (const [{ lines, others }, all] of [
        [outflow_by_category, second.outflow],
        [inflow_by_category, second.inflow],
      ]) {
        expect(lines.length).toBe(Math.min(10, all.length));
        for (const line of lines) expect(all).toContainEqual(line);
        const amounts = lines.map(({ amount }: { amount: string }) => cents(amount));
        expect(amounts).toEqual(amounts.toSorted((left: number, right: number) => right - left));
        expect(total([...lines, others])).toEqual(total(all));
      }
      expect({ as_of, currency, filter }).toMatchObject({ filter: { month, company_id: companyId ?? null } });
    });
  },
);

test(
  'PITFALLS 30: the aging equals a second computation on today and on past days, in every time zone of the process',
  SLOW,
  async () => {
    const args = fc.record({
      kind: fc.constantFrom('payable' as const, 'receivable' as const),
      daysAgo: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 220 })),
      bands: fc.uniqueArray(fc.integer({ min: 1, max: 250 }), { minLength: 1, maxLength: 12 }),
      groupBy: fc.constantFrom(undefined, 'person' as const, 'company' as const),
    });
    await overBooks(args, async (book, { kind, daysAgo, bands: ends, groupBy }, zone) => {
      const [asOf, bands] = [addDays(TODAY, -daysAgo), ends.toSorted((left, right) => left - right)];
      const input = {
        kind: `${kind}s`,
        as_of: asOf,
        bands,
        ...(groupBy === undefined ? {} : { group_by: groupBy }),
      };
      const { as_of, currency, filter, ...figures } = await report('aging', book, input, zone);
      expect(figures).toEqual(reckonAging(book, { kind, asOf, today: TODAY, bands, groupBy }));
      expect({ as_of, currency, filter }).toEqual({
        as_of: TODAY,
        currency: 'BRL',
        filter: { kind: `${kind}s`, as_of: asOf, bands, group_by: groupBy ?? null },
      });
    });
  },
);

test.each(['cash', 'competence'] as const)(
  'PITFALLS 30, 41: the income statement on %s basis equals a second computation, in every time zone of the process',
  SLOW,
  async (basis) => {
    const args = fc.record({
      monthsAgo: fc.integer({ min: 0, max: 9 }),
      length: fc.integer({ min: 1, max: 9 }),
    });
    await overBooks(args, async (book, { monthsAgo, length }, zone) => {
      const first = addMonths(monthOf(TODAY), -monthsAgo);
      const [from, to] = [`${first}-01`, lastDayOfMonth(addMonths(first, length - 1))];
      const input = { date_from: from, date_to: to, basis };
      const { as_of, currency, filter, ...figures } = await report('income_statement', book, input, zone);
      const second = reckonStatement(book, { from, to, basis });
      const sorted = (side: { lines: { category_id: string }[] }) => ({
        ...side,
        lines: side.lines.toSorted((left, right) => (left.category_id < right.category_id ? -1 : 1)),
      });
      expect({ ...figures, income: sorted(figures['income']), expense: sorted(figures['expense']) }).toEqual({
        ...second,
        income: sorted(second.income),
        expense: sorted(second.expense),
      });
      expect(filter).toEqual({ date_from: from, date_to: to, basis });
    });
  },
);

function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function total(lines: readonly { amount: string; count: number }[]): { amount: number; count: number } {
  return {
    amount: lines.reduce((sum, { amount }) => sum + cents(amount), 0),
    count: lines.reduce((sum, { count }) => sum + count, 0),
  };
}
