/**
 * `node bench/scale.ts [rows]`: pages, searches, totals and reports over a million payables and a million entries, against
 * the same over ten thousand beside them in the same database, and reports against a bare sum over the rows they read. In
 * turns in one run. Writes the plans of the hottest statements to `bench/plans`.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { addDays } from '../src/core/dates.ts';
import type { Context, Operation } from '../src/core/operation.ts';
import type { Db } from '../src/core/ports.ts';
import { type AppDatabase, openDatabase } from '../src/db/database.ts';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { sql } from '../src/db/sql.ts';
import { finance } from '../src/finance/index.ts';
import { createScaleBooks, SCALE_TODAY, type ScaleBooks } from './scale-books.ts';

const LARGE = Number(process.argv[2] ?? 1_000_000);
const SMALL = 10_000;
const ROUNDS = Number(process.argv[3] ?? 15);
const TIME_ZONE = 'America/Sao_Paulo';
const PAGE_RATIO_MAX = 1.5;
const REPORT_RATIO_MAX = 3;

interface Measure {
  readonly name: string;
  readonly operation: string;
  /** Of a round: a filter that is new each time finds no remembered total. */
  readonly args: object | ((round: number) => object);
  /** Plans are kept of these. */
  readonly isHot?: boolean;
  /** Compared to a bare sum over these tables instead of to the small workspace. */
  readonly sums?: readonly ('payables' | 'financial_transactions')[];
}

const payables = 'finance_payables_list';
const entries = 'finance_financial_transactions_list';

const pages: readonly Measure[] = [
  { name: 'payables, first page', operation: payables, args: {}, isHot: true },
  { name: 'payables, largest first', operation: payables, args: { sort: '-amount' } },
  { name: 'payables, newest first', operation: payables, args: { sort: '-created_at' } },
  { name: 'payables, due from today', operation: payables, args: { due_from: SCALE_TODAY }, isHot: true },
  { name: 'payables, overdue', operation: payables, args: { overdue: true }, isHot: true },
  { name: 'payables, paid ones', operation: payables, args: { status: 'paid' } },
  {
    name: 'payables, search for a number',
    operation: payables,
    args: { search: 'material 76543' },
    isHot: true,
  },
  {
    name: 'payables, search for a common word',
    operation: payables,
    args: { search: 'material' },
    isHot: true,
  },
  {
    name: 'payables, search that one in a hundred has',
    operation: payables,
    args: { search: 'material 99' },
  },
  { name: 'entries, first page', operation: entries, args: {}, isHot: true },
  { name: 'entries, largest first', operation: entries, args: { sort: '-amount' } },
  {
    name: 'entries of a month',
    operation: entries,
    args: { date_from: '2026-09-01', date_to: '2026-09-30' },
  },
  {
    name: 'entries, search for a number',
    operation: entries,
    args: { search: 'recebido 76543' },
    isHot: true,
  },
  { name: 'entries, search for a common word', operation: entries, args: { search: 'recebido' } },
  { name: 'entries, search that one in a hundred has', operation: entries, args: { search: 'recebido 99' } },
];

const reports: readonly Measure[] = [
  {
    name: 'payables, page and total of a new filter',
    operation: payables,
    args: (round) => ({ due_from: addDays('2024-06-01', round + 2) }),
    sums: ['payables'],
  },
  {
    name: 'entries, page and totals of a new filter',
    operation: entries,
    args: (round) => ({ date_from: addDays('2024-06-01', round + 2) }),
    sums: ['financial_transactions'],
  },
  {
    name: 'cash flow',
    operation: 'finance_reports_cash_flow',
    args: {},
    isHot: true,
    sums: ['payables', 'financial_transactions'],
  },
  {
    name: 'monthly summary',
    operation: 'finance_reports_monthly_summary',
    args: { month: '2026-09' },
    isHot: true,
    sums: ['payables', 'financial_transactions'],
  },
  {
    name: 'aging',
    operation: 'finance_reports_aging',
    args: { kind: 'payables' },
    isHot: true,
    sums: ['payables'],
  },
  {
    name: 'aging by person',
    operation: 'finance_reports_aging',
    args: { kind: 'payables', group_by: 'person' },
    sums: ['payables'],
  },
  {
    name: 'aging of a past day',
    operation: 'finance_reports_aging',
    args: { kind: 'payables', as_of: '2026-06-30' },
    sums: ['payables'],
  },
  {
    name: 'income statement, a year, cash',
    operation: 'finance_reports_income_statement',
    args: { date_from: '2025-10-01', date_to: '2026-09-30', basis: 'cash' },
    isHot: true,
    sums: ['payables', 'financial_transactions'],
  },
  {
    name: 'income statement, a year, competence',
    operation: 'finance_reports_income_statement',
    args: { date_from: '2025-10-01', date_to: '2026-09-30', basis: 'competence' },
    sums: ['payables'],
  },
];

const home = await mkdtemp(join(tmpdir(), 'kobana-scale-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  const small = await createScaleBooks(server.ownerUrl, 'Small', SMALL);
  const large = await createScaleBooks(server.ownerUrl, 'Large', LARGE);
  await vacuum(server.ownerUrl);
  const database = openDatabase({ connectionString: server.ownerUrl, size: 1 });
  console.log(await measureAll(database, small, large));
  await database.close();
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function vacuum(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

async function measureAll(database: AppDatabase, small: ScaleBooks, large: ScaleBooks): Promise<string> {
  const times = new Map<string, number[]>();
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
  };
  for (let round = -1; round < ROUNDS; round += 1) {
    // The first round fills caches and prepares statements.
    if (round === 0) times.clear();
    // What reads everything has emptied the caches: the page that comes next is not to pay for it.
    for (const books of [large, small]) await run(database, books, pages[0]!, round);
    for (const measure of [...pages, ...reports]) {
      await timed(`${measure.name}/large`, () => run(database, large, measure, round));
      if (measure.sums === undefined)
        await timed(`${measure.name}/small`, () => run(database, small, measure, round));
    }
    for (const table of ['payables', 'financial_transactions'] as const) {
      await timed(table, () => bareSum(database, large, table));
    }
  }
  for (const measure of [...pages, ...reports]) if (measure.isHot) await writePlans(database, large, measure);
  return reportOf((name) => median(times.get(name)!));
}

function run(
  database: AppDatabase,
  books: ScaleBooks,
  { operation: name, args }: Measure,
  round: number,
  watch = (db: Db) => db,
) {
  const operation: Operation = finance.catalogue.byName.get(name)!;
  return database.read(books, async (db) => {
    const context: Partial<Context> = {
      db: watch(db),
      organizationId: books.organizationId,
      workspaceId: books.workspaceId,
      isWriting: false,
      now: new Date(`${SCALE_TODAY}T12:00:00Z`),
      today: SCALE_TODAY,
      timeZone: TIME_ZONE,
      scopes: new Set(),
    };
    const input = operation.input.parse(typeof args === 'function' ? args(round) : args);
    return operation.run(input as never, context as never);
  });
}

function bareSum(database: AppDatabase, books: ScaleBooks, table: 'payables' | 'financial_transactions') {
  const { workspaceId } = books;
  const statement = {
    payables: sql`select sum(amount_cents) from payables where workspace_id = ${workspaceId}`,
    financial_transactions: sql`select sum(amount_cents) from financial_transactions where workspace_id = ${workspaceId}`,
  };
  return database.read(books, (db) => db.row(statement[table]));
}

/** Every statement of the call with its plan, values left as they were bound. */
async function writePlans(database: AppDatabase, books: ScaleBooks, measure: Measure): Promise<void> {
  const plans: string[] = [];
  await run(database, books, measure, ROUNDS, (db) => {
    const explained: Db['rows'] = async (statement) => {
      const text = `explain (analyze, buffers) ${statement.text}`;
      const lines = await db.rows<{ 'QUERY PLAN': string }>({ text, values: statement.values });
      plans.push(`${statement.text.trim()}\n\n${lines.map((line) => line['QUERY PLAN']).join('\n')}\n`);
      return db.rows(statement);
    };
    return {
      rows: explained,
      row: async <Row>(statement: Parameters<Db['row']>[0]) => (await explained<Row>(statement))[0],
      run: (statement) => db.run(statement),
    };
  });
  const folder = new URL('plans/', import.meta.url);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(`${measure.name.replace(/[^a-z]+/g, '-')}.txt`, folder), plans.join('\n\n'));
}

function reportOf(medianOf: (name: string) => number): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const verdict = (ratio: number, max: number) => `${ratio.toFixed(2)}${ratio > max ? ' (not reached)' : ''}`;
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0);
  const pageLines = pages.map(({ name }) => {
    const [large, small] = [medianOf(`${name}/large`), medianOf(`${name}/small`)];
    return line([name, ms(large), ms(small), verdict(large / small, PAGE_RATIO_MAX)]);
  });
  const reportLines = reports.map(({ name, sums }) => {
    const bare = sums!.reduce((sum, table) => sum + medianOf(table), 0);
    const own = medianOf(`${name}/large`);
    return line([name, ms(own), ms(bare), verdict(own / bare, REPORT_RATIO_MAX)]);
  });
  return [
    `${LARGE} payables and ${LARGE} entries beside ${SMALL} of each; ${cpus().length} cores, ${process.version}; medians of ${ROUNDS} rounds.`,
    '',
    line(['page', `${LARGE} (ms)`, `${SMALL} (ms)`, `ratio, at most ${PAGE_RATIO_MAX}`]),
    line(['---', '---', '---', '---']),
    ...pageLines,
    '',
    line(['report', 'ms', 'bare sum over the same tables (ms)', `ratio, at most ${REPORT_RATIO_MAX}`]),
    line(['---', '---', '---', '---']),
    ...reportLines,
  ].join('\n');
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
