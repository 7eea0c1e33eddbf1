/**
 * `node bench/statement-import.ts [lines] [rounds]`: a CSV statement through `finance_statement_imports_create`, against a bare
 * COPY of the same rows into the same table by the owner, in turns in one run. The application role cannot COPY into a
 * table with row-level security, so the bar is one that no ordinary connection reaches. For the memory a server has, give
 * Node the options of `npm run kobana`.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openRuntime } from '../src/apps/runtime.ts';
import { newId } from '../src/core/ids.ts';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { createOwners } from '../test/support/owner.ts';

const LINES = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const SAMPLE_MS = 20;

const home = await mkdtemp(join(tmpdir(), 'kobana-bench-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  await measure();
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const runtime = openRuntime({
    databaseUrl: server.ownerUrl,
    secretKeys: ['a key for benches of thirty-two bytes or more'],
    environment: 'bench',
    logFailure: (error, what) => console.error(what, error),
  });
  const owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  const { workspaceId, tokens } = await createOwners(runtime.database.shared, 'Bench', 1);
  const companyId = await createCompany(owner, workspaceId);
  const caller = (await runtime.authenticator.authenticate(tokens[0]!, 'finance', new Date()))!;
  const create = async (accountId: string, text: string) => {
    const outcome = await runtime.invokers.finance.call(
      runtime.invokers.finance.catalogue.byName.get('finance_statement_imports_create')!,
      {
        account_id: accountId,
        file: { name: 'extrato.csv', content_base64: Buffer.from(text).toString('base64') },
      },
      caller,
      { surface: 'mcp', confirmation: { capabilities: undefined, state: undefined, responses: undefined } },
    );
    if (outcome.kind !== 'done') throw new Error('asked');
    return outcome.output as { counts: { created: number } };
  };
  const times = { ours: [] as number[], again: [] as number[], copy: [] as number[] };
  await create(await createAccount(owner, workspaceId, companyId), statementText(2_000));
  console.log(`${LINES} lines, ${cpus().length} cores, Node ${process.version}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const accountId = await createAccount(owner, workspaceId, companyId);
    const text = statementText(LINES);
    const first = await watched(() => create(accountId, text));
    if (first.result.counts.created !== LINES) throw new Error('not every line was created');
    const again = await watched(() => create(accountId, text));
    if (again.result.counts.created !== 0) throw new Error('a line was created again');
    const copyMs = await copy(owner, accountId, await createAccount(owner, workspaceId, companyId));
    times.ours.push(first.ms);
    times.again.push(again.ms);
    times.copy.push(copyMs);
    console.log(
      `round ${round + 1}: ours ${rate(first.ms)}/s (resident ${first.residentMb} MB, longest pause ${first.pauseMs} ms), ` +
        `again ${rate(again.ms)}/s, bare COPY ${rate(copyMs)}/s, ratio ${(copyMs / first.ms).toFixed(2)}`,
    );
  }
  const [ours, copied] = [median(times.ours), median(times.copy)];
  console.log(
    `median: ours ${rate(ours)}/s, again ${rate(median(times.again))}/s, bare COPY ${rate(copied)}/s, ratio ${(copied / ours).toFixed(2)}`,
  );
  await owner.end();
  await runtime.close();
}

/** Movements of a year, one in five a text that came before. */
function statementText(lines: number): string {
  const rows = ['Data;Histórico;Documento;Valor'];
  for (let index = 0; index < lines; index += 1) {
    const day = new Date(Date.UTC(2025, 0, 1 + Math.floor((index * 365) / lines)));
    const [year, month, date] = day.toISOString().slice(0, 10).split('-');
    const text = index % 5 === 0 ? 'TARIFA PIX ENVIADO' : `PIX RECEBIDO CLIENTE ${index % 9_973} LTDA`;
    const sign = index % 3 === 0 ? '-' : '';
    const cents = String((index * 37) % 100).padStart(2, '0');
    rows.push(`${date}/${month}/${year};${text};${index};${sign}${1 + (index % 5_000)},${cents}`);
  }
  return `${rows.join('\n')}\n`;
}

/** How long it took, how much memory the process held at most, and the longest time it did nothing else. */
async function watched<T>(
  work: () => Promise<T>,
): Promise<{ result: T; ms: number; residentMb: number; pauseMs: number }> {
  let resident = 0;
  let pauseMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    resident = Math.max(resident, process.memoryUsage.rss());
    pauseMs = Math.max(pauseMs, performance.now() - last - SAMPLE_MS);
    last = performance.now();
  }, SAMPLE_MS);
  const startedAt = performance.now();
  try {
    const result = await work();
    const ms = performance.now() - startedAt;
    return { result, ms, residentMb: Math.round(resident / 1_048_576), pauseMs: Math.round(pauseMs) };
  } finally {
    clearInterval(timer);
  }
}

/** The rows of one account again for another one, by COPY alone. */
async function copy(owner: pg.Client, fromAccount: string, toAccount: string): Promise<number> {
  const { rows } = await owner.query<{ columns: string }>(
    `select string_agg(attname, ', ' order by attnum) as columns from pg_attribute
      where attrelid = 'financial_transactions'::regclass and attnum > 0 and not attisdropped`,
  );
  const columns = rows[0]!.columns;
  const values = columns
    .split(', ')
    .map((column) => (column === 'id' ? 'uuidv7()' : column === 'account_id' ? '$2::uuid' : column))
    .map((value) => `coalesce(replace((${value})::text, E'\\\\', E'\\\\\\\\'), E'\\\\N')`);
  const found = await owner.query<{ line: string }>(
    `select concat_ws(E'\\t', ${values.join(', ')}) as line
       from financial_transactions where account_id = $1 order by date, id`,
    [fromAccount, toAccount],
  );
  const lines = found.rows.map(({ line }) => `${line}\n`);
  const chunks: string[] = [];
  for (let at = 0; at < lines.length; at += 500) chunks.push(lines.slice(at, at + 500).join(''));
  const startedAt = performance.now();
  await pipeline(
    Readable.from(chunks),
    owner.query(copyFrom(`copy financial_transactions (${columns}) from stdin`)),
  );
  return performance.now() - startedAt;
}

async function createCompany(owner: pg.Client, workspaceId: string): Promise<string> {
  const id = newId();
  await owner.query(
    `insert into companies (workspace_id, id, document_number, legal_name, created_by)
     values ($1, $2, '00000000000191', 'Bench Ltda', $2)`,
    [workspaceId, id],
  );
  return id;
}

async function createAccount(owner: pg.Client, workspaceId: string, companyId: string): Promise<string> {
  const id = newId();
  await owner.query(
    `insert into financial_accounts (workspace_id, id, company_id, name, kind, opening_balance_cents, opening_date, created_by)
     values ($1, $2::uuid, $3, 'Account ' || $2::uuid, 'checking', 0, '2020-01-01', $2::uuid)`,
    [workspaceId, id, companyId],
  );
  return id;
}

function rate(ms: number): string {
  return Math.round((LINES / ms) * 1_000).toLocaleString('en');
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
