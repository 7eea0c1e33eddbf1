/**
 * `node bench/reconciliation.ts [seed=1] [sizes=1000,10000,50000]`: months of lines and as many records in a real
 * database, and what is suggested for them: how much of what belongs together is found, whether anything certain is
 * wrong, and how the time grows. Ends with 1 when less than 99 % is found, or anything certain is wrong.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openRuntime } from '../src/apps/runtime.ts';
import { newId } from '../src/core/ids.ts';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { materialOf } from '../src/finance/reconciliations/candidates.ts';
import { suggestionsOf } from '../src/finance/reconciliations/matching/match.ts';
import { createOwners } from '../test/support/owner.ts';
import { insertMonth, monthOf } from '../test/support/statement-month.ts';

const SEED = Number(process.argv[2] ?? 1);
const SIZES = (process.argv[3] ?? '1000,10000,50000').split(',').map(Number);
const ROUNDS = 3;
const DOCUMENT = '00000000000191';
const settings = { dateToleranceDays: 3, amountTolerance: 0 };

interface Figures {
  readonly lines: number;
  readonly records: number;
  readonly loadMs: number;
  readonly matchMs: number;
  readonly found: number;
  readonly planted: number;
  readonly certain: number;
  readonly wrong: number;
}

const home = await mkdtemp(join(tmpdir(), 'kobana-bench-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  process.exitCode = await measureAll();
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function measureAll(): Promise<number> {
  const runtime = openRuntime({
    databaseUrl: server.ownerUrl,
    secretKeys: ['a key for benches of thirty-two bytes or more'],
    environment: 'bench',
    logFailure: (error, what) => console.error(what, error),
  });
  const owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  console.log(`seed ${SEED}, ${cpus().length} cores, Node ${process.version}, best of ${ROUNDS} rounds`);
  const all: Figures[] = [];
  for (const size of SIZES) all.push(await measure(runtime, owner, size));
  console.table(
    all.map(({ lines, records, loadMs, matchMs, found, planted, certain, wrong }) => ({
      lines,
      records,
      'load ms': Math.round(loadMs),
      'match ms': Math.round(matchMs),
      // Level where time grows as n log n does.
      'match µs per line and log2': ((matchMs * 1_000) / (lines * Math.log2(lines))).toFixed(2),
      'found %': ((100 * found) / planted).toFixed(2),
      certain,
      'certain and wrong': wrong,
    })),
  );
  await owner.end();
  await runtime.close();
  return all.every(({ found, planted, wrong }) => wrong === 0 && found >= planted * 0.99) ? 0 : 1;
}

async function measure(
  runtime: ReturnType<typeof openRuntime>,
  owner: pg.Client,
  size: number,
): Promise<Figures> {
  const { organizationId, workspaceId } = await createOwners(runtime.database.shared, `Bench ${size}`, 1);
  const [companyId, accountId, otherAccountId] = [newId(), newId(), newId()];
  await owner.query(
    `insert into companies (workspace_id, id, document_number, legal_name, created_by) values ($1, $2, $3, 'Bench', $1)`,
    [workspaceId, companyId, DOCUMENT],
  );
  await owner.query(
    `insert into financial_accounts (workspace_id, id, company_id, name, kind, opening_balance_cents, opening_date, created_by)
     values ($1, $3, $2, 'A', 'checking', 0, '2020-01-01', $1), ($1, $4, $2, 'B', 'checking', 0, '2020-01-01', $1)`,
    [workspaceId, companyId, accountId, otherAccountId],
  );
  const company = { id: companyId, document: DOCUMENT };
  const month = monthOf({ workspaceId, userId: workspaceId, company, accountId, otherAccountId }, size, SEED);
  await insertMonth((text, values) => owner.query(text, values), month);
  await owner.query('vacuum analyze');
  const window = { accountId, companyId, from: month.from, to: month.to, toleranceDays: 3 };
  let [loadMs, matchMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let figures: Omit<Figures, 'loadMs' | 'matchMs'> | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const material = await runtime.database.read({ organizationId, workspaceId }, (db) =>
      materialOf({ db, workspaceId }, window, { document_number: DOCUMENT }),
    );
    const loadedAt = performance.now();
    const suggestions = suggestionsOf(material.lines, material.candidates, settings);
    loadMs = Math.min(loadMs, loadedAt - startedAt);
    matchMs = Math.min(matchMs, performance.now() - loadedAt);
    const keyed = suggestions.map(({ lines, candidates, certainty }) => ({
      key: [...lines, ...candidates]
        .map(({ id }) => id)
        .sort()
        .join(' '),
      isCertain: certainty === 'certain',
    }));
    const keys = new Set(keyed.map(({ key }) => key));
    const planted = new Set(month.planted.map(({ key }) => key));
    const certain = keyed.filter(({ isCertain }) => isCertain);
    figures = {
      lines: material.lines.length,
      records: material.candidates.length,
      found: month.planted.filter(({ key }) => keys.has(key)).length,
      planted: planted.size,
      certain: certain.length,
      wrong: certain.filter(({ key }) => !planted.has(key)).length,
    };
  }
  return { ...figures!, loadMs, matchMs };
}
