/**
 * `node bench/daily-run.ts [charges=1000000] [spread=60] [rounds=3]`: the whole day of a portfolio under five rules, from
 * making charges overdue to messages in the queue of the sender, by a worker process of its own whose memory is watched;
 * against one bare `insert … select` of the same messages into the same table, emptied, in the same run. `spread`: on how
 * many days the due dates lie; the fewer, the more steps fall on the day. Ends with 1 below a tenth of the bare rate, or
 * above 300 MB.
 */

import { spawn, execSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import type { DayReport } from './daily-worker.ts';
import { createPortfolio, PORTFOLIO_TODAY } from './portfolio.ts';

const CHARGES = numberOf('charges', 1_000_000);
const SPREAD = numberOf('spread', 60);
const ROUNDS = numberOf('rounds', 3);
const RATIO_MIN = 0.1;
const RESIDENT_MAX_MB = 300;
/** What `npm run kobana` starts Node with. */
const NODE_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=100'];

const home = await mkdtemp(join(tmpdir(), 'kobana-bench-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  process.exitCode = await measure();
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function measure(): Promise<number> {
  console.log(`${CHARGES} charges, due on ${SPREAD} days, ${cpus().length} cores, Node ${process.version}`);
  const daysAfter = Math.min(14, Math.floor(SPREAD / 4));
  const { organizationId } = await createPortfolio(server.ownerUrl, 'Bench', {
    charges: CHARGES,
    daysBefore: SPREAD - daysAfter - 1,
    daysAfter,
    hasSearchWords: false,
  });
  const owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  try {
    const pid = Number((await owner.query("select pg_read_file('postmaster.pid') as t")).rows[0].t.split('\n')[0]);
    if (process.env['DROP']) await owner.query('alter table dunning_step_executions drop constraint dunning_step_executions_organization_id_charge_id_fkey, drop constraint dunning_step_executions_organization_id_step_id_fkey');
    const c0 = cpu(pid);
    const day = await runWorker(organizationId);
    const c1 = cpu(pid);
    console.log('CPU ours', (c1 - c0) / 100, 's');
    const { flipped, planned, messages, moved } = await outcomeOf(owner, organizationId);
    const bare = await bareInsert(owner, messages, pid);
    const ours = messages / (day.totalMs / 1_000);
    const ratio = ours / (messages / (bare / 1_000));
    console.log(
      `${flipped} charges became overdue, ${planned} steps planned, ${messages} messages, ${moved} moved`,
    );
    console.log(
      `  at night ${seconds(day.nightMs)}, in the day ${seconds(day.runMs)}: ${Math.round(ours)} messages a second`,
    );
    console.log(
      `  bare insert of the same rows ${seconds(bare)}: ${Math.round(messages / (bare / 1_000))} a second`,
    );
    console.log(`ratio ${ratio.toFixed(2)} (at least ${RATIO_MIN})`);
    console.log(
      `worker memory: ${day.residentMb.join(', ')} MB over the run, most ${day.residentMostMb} MB (at most ${RESIDENT_MAX_MB})`,
    );
    return ratio >= RATIO_MIN && day.residentMostMb <= RESIDENT_MAX_MB ? 0 : 1;
  } finally {
    await owner.end();
  }
}

function runWorker(organizationId: string): Promise<DayReport> {
  const script = fileURLToPath(new URL('daily-worker.ts', import.meta.url));
  const child = spawn(process.execPath, [...NODE_FLAGS, script], {
    env: {
      ...process.env,
      DATABASE_URL: server.ownerUrl,
      ORGANIZATION_ID: organizationId,
      DAY: PORTFOLIO_TODAY,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.once('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output) as DayReport);
      else reject(new Error(`the worker ended with ${code}`));
    });
  });
}

/** What the day left, and that it left every step exactly once. */
async function outcomeOf(owner: pg.Client, organizationId: string) {
  const { rows } = await owner.query(
    `select (select sum(flipped)::int from dunning_daily_runs) as flipped,
            (select sum(planned)::int from dunning_daily_runs) as planned,
            (select count(*)::int from dunning_notifications) as messages,
            (select count(*)::int from dunning_step_executions where moves > 0) as moved,
            (select count(*)::int from dunning_step_executions where status = 'done' and action = 'message') as done,
            (select count(*)::int from dunning_charges where status = 'pending' and adjusted_due_date < $2) as left_pending
      where $1::uuid is not null`,
    [organizationId, PORTFOLIO_TODAY],
  );
  const outcome = rows[0]!;
  if (outcome.done !== outcome.messages) throw new Error('steps and messages do not match');
  if (outcome.left_pending > 0) throw new Error('a charge that is late is still pending');
  return outcome as { flipped: number; planned: number; messages: number; moved: number };
}

/** The median time to insert the same rows into the emptied table, all in one statement. */
async function bareInsert(owner: pg.Client, expected: number, pid: number): Promise<number> {
  await owner.query('create table bench_messages as select * from dunning_notifications');
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await owner.query('truncate dunning_notifications cascade');
    await owner.query('checkpoint');
    const c0 = cpu(pid);
    const startedAt = performance.now();
    const { rowCount } = await owner.query('insert into dunning_notifications select * from bench_messages');
    times.push(performance.now() - startedAt); console.log('CPU bare', (cpu(pid) - c0) / 100);
    if (rowCount !== expected) throw new Error('not every message was inserted');
  }
  return times.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)]!;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** The number in the argument `name=number`. */
function numberOf(name: string, otherwise: number): number {
  const given = process.argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  if (given === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(given)) throw new Error(`${name} takes a number`);
  return Number(given);
}

function cpu(postmaster: number): number {
  let total = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const f = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ');
      if (Number(f[1]) === postmaster) total += Number(f[11]) + Number(f[12]);
      if (Number(name) === postmaster) total += Number(f[13]) + Number(f[14]);
    } catch {}
  }
  return total;
}
