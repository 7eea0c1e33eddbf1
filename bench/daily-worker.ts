/** The worker of `bench/daily-run.ts`: plans a day and runs it to its end; prints times and memory as one line of JSON. */

import { openRuntime } from '../src/apps/runtime.ts';
import { dunning, jobs } from '../src/dunning/index.ts';
import type { DunningGateways } from '../src/gateways/dunning.ts';
import { runJob } from '../src/worker/index.ts';

export interface DayReport {
  readonly nightMs: number;
  readonly runMs: number;
  readonly totalMs: number;
  /** Resident memory at the start, and at the end of each of so many equal parts of the run. */
  readonly residentMb: readonly number[];
  readonly residentMostMb: number;
}

const SAMPLE_MS = 100;
const PARTS = 10;
const { DATABASE_URL: databaseUrl, ORGANIZATION_ID: organizationId, DAY: day } = process.env;

let now = new Date(`${day}T03:05:00Z`);
const runtime = openRuntime({
  databaseUrl: databaseUrl!,
  secretKeys: ['a key for benches of thirty-two bytes or more'],
  environment: 'bench',
  now: () => now,
  logFailure: (error, what) => console.error(what, error),
});
const samples: number[] = [];
const sample = () => samples.push(Math.round(process.memoryUsage.rss() / 1_048_576));
sample();
const timer = setInterval(sample, SAMPLE_MS);

const startedAt = performance.now();
await run('dunning_daily_run');
const nightAt = performance.now();
// Thursday, 18:30 in São Paulo: every step of the day has come, and every state has an open hour.
now = new Date(`${day}T21:30:00Z`);
for (let left = 1; left > 0; left = await countDue()) await run('dunning_run_steps');
const endedAt = performance.now();
clearInterval(timer);
sample();
await runtime.close();

const report: DayReport = {
  nightMs: nightAt - startedAt,
  runMs: endedAt - nightAt,
  totalMs: endedAt - startedAt,
  residentMb: Array.from(
    { length: PARTS + 1 },
    (_, part) => samples[Math.round((part * (samples.length - 1)) / PARTS)]!,
  ),
  residentMostMb: Math.max(...samples),
};
console.log(JSON.stringify(report));

function run(task: string): Promise<void> {
  const job = jobs.find((known) => known.task === task)!;
  const ports = runtime.portsOf(dunning.catalogue);
  // Planning and queuing reach nobody; what is sent is sent by another job.
  const gateways = {} as DunningGateways;
  return runJob({ ports, shared: runtime.database.shared, gateways }, job, { organizationId });
}

async function countDue(): Promise<number> {
  return runtime.database.read({ organizationId: organizationId!, workspaceId: null }, async (db) => {
    const row = await db.row<{ count: number }>({
      text: `select count(*) as count from dunning_step_executions
              where organization_id = $1 and status = 'scheduled' and due_at <= $2`,
      values: [organizationId, now],
    });
    return row!.count;
  });
}
