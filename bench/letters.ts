/**
 * `node bench/letters.ts [charges=2000]`: the statement of one debtor with many charges, half of them paid in part, read
 * as a client reads it from a serving process; how long it takes and how far the memory of the process rises above the
 * process at rest. Ends with 1 above 150 MB.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '../src/core/ids.ts';
import { openDatabase } from '../src/db/database.ts';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { insertMembership, insertOrganization, insertUser } from '../src/identity/queries.ts';
import { createToken } from '../src/identity/tokens.ts';
import { startServer } from './processes.ts';
import { legacyCall } from './targets.ts';

const CHARGES = Number(process.argv.find((argument) => argument.startsWith('charges='))?.slice(8) ?? 2_000);
const ROUNDS = 5;
const RISE_MAX_MB = 150;
const DAY_MS = 86_400_000;

interface Debts {
  readonly token: string;
  readonly personId: string;
  readonly chargeIds: readonly string[];
}

const home = await mkdtemp(join(tmpdir(), 'kobana-bench-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  const debts = await createDebts(server.ownerUrl);
  const first = await startServer(server.ownerUrl, home);
  await payHalf(`${first.url}/dunning/mcp`, debts).finally(() => first.stop());
  // Another process, which has done nothing yet.
  const ours = await startServer(server.ownerUrl, home);
  process.exitCode = await measure(`${ours.url}/dunning/mcp`, ours.pid, debts).finally(() => ours.stop());
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function payHalf(url: string, { token, chargeIds }: Debts): Promise<void> {
  const paid = chargeIds.filter((_, index) => index % 2 === 0);
  for (const charge_id of paid) {
    const args = { charge_id, amount: '1.23', paid_at: '2026-01-02', method: 'pix' };
    await post(url, token, 'tools/call', { name: 'dunning_payments_create', arguments: args });
  }
  console.log(`${CHARGES} charges of one debtor, ${paid.length} payments`);
}

async function measure(url: string, pid: number, { token, personId }: Debts): Promise<number> {
  console.log(`${cpus().length} cores, Node ${process.version}`);
  await post(url, token, 'tools/call', { name: 'dunning_me', arguments: {} });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = await megabytes(pid, 'VmRSS');
  // Starts the peak anew at what is resident now.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const times: number[] = [];
  let size = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const uri = `kobana://dunning/people/${personId}/statement-pdf`;
    const { contents } = await post(url, token, 'resources/read', { uri });
    times.push(performance.now() - began);
    size = Buffer.from(contents[0]!.blob, 'base64').length;
  }
  const peak = await megabytes(pid, 'VmHWM');
  const median = times.toSorted((left, right) => left - right)[ROUNDS >> 1]!;
  console.log(`statement of ${size} bytes in ${median.toFixed(0)} ms (median of ${ROUNDS})`);
  console.log(`at rest ${idle} MB, at most ${peak} MB: ${peak - idle} MB above (target: ${RISE_MAX_MB})`);
  return peak - idle > RISE_MAX_MB ? 1 : 0;
}

interface Result {
  readonly isError?: boolean;
  readonly contents: readonly { readonly blob: string }[];
}

async function post(url: string, token: string, method: string, params: object): Promise<Result> {
  const { headers, body } = legacyCall(url, method, params, {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const response = await fetch(url, { method: 'POST', headers, body });
  const { result, error } = (await response.json()) as { result: Result; error?: unknown };
  if (error !== undefined || result.isError === true) throw new Error(JSON.stringify(error ?? result));
  return result;
}

async function megabytes(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1024);
}

async function createDebts(ownerUrl: string): Promise<Debts> {
  const database = openDatabase({ connectionString: ownerUrl, size: 1 });
  const [organizationId, userId, personId] = [newId(), newId(), newId()];
  const db = database.shared;
  await insertOrganization(db, { id: organizationId, name: 'Bench' });
  await insertUser(db, { id: userId, email: 'bench@example.com', name: 'Bench', locale: 'en' });
  await insertMembership(db, { organizationId, userId, workspaceId: null, role: 'owner' });
  const expiresAt = new Date(Date.now() + DAY_MS);
  const request = { userId, organizationId, product: 'dunning', access: 'write', expiresAt } as const;
  const { token } = await createToken(db, request);
  await database.close();
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(
    `insert into dunning_people (organization_id, id, name, kind, is_consumer, search_text, created_by)
     values ($1, $2, 'Devedora de muitas cobranças Ltda', 'legal', false, '', $3)`,
    [organizationId, personId, userId],
  );
  const { rows } = await client.query(
    `insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                                  description, document_number, terms, status, search_text, created_by)
     select $1, uuid_v7(), $2, 10000 + n, 10000 + n, date '2020-01-06' + 7 * (n % 300), date '2020-01-06' + 7 * (n % 300),
            'Mensalidade ' || n || ' do curso de português, turma da manhã, unidade São João', 'NF-' || n,
            '{"discounts": [], "fine": {"kind": "percent", "percent": 20000}, "graceDays": 0,
              "interest": {"kind": "percent_per_month", "percent": 10000, "days": "calendar"}}', 'overdue', '', $3
       from generate_series(1, $4::int) n returning id`,
    [organizationId, personId, userId, CHARGES],
  );
  await client.query('vacuum analyze');
  await client.end();
  return { token, personId, chargeIds: rows.map(({ id }) => id) };
}
