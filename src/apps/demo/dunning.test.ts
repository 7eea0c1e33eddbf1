/** The portfolio of the sample: every figure is what the operations themselves would have made of it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asOwner, cloneDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { TEST_KEY } from '../../../test/support/world.ts';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import { replayCharge } from '../../dunning/charges/index.ts';
import { dunning, jobs } from '../../dunning/index.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { runJob } from '../../worker/index.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { type DemoReport, loadDemo } from './index.ts';

/** A Tuesday in the middle of the hours of contact. */
const NOW = new Date('2026-10-06T15:00:00Z');
const TODAY = '2026-10-06';

let testDatabase: TestDatabase;
let runtime: Runtime;
let demo: DemoReport;

const look = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<Row>(testDatabase.url, text, values);
const count = async (text: string) =>
  Number((await look<{ count: string }>(`select count(*) from ${text}`))[0]!.count);

beforeAll(async () => {
  testDatabase = await cloneDatabase();
  runtime = openRuntime({
    databaseUrl: testDatabase.url,
    secretKeys: [TEST_KEY],
    environment: 'test',
    poolSize: 2,
    now: () => NOW,
    logFailure: (error, what) => console.error(what, error),
  });
  const started = performance.now();
  demo = await loadDemo(testDatabase.url, runtime);
  console.info(`sample loaded in ${Math.round(performance.now() - started)} ms`);
});

afterAll(async () => {
  await runtime.close();
  await testDatabase.drop();
});

/** Runs work as a job of the organization would, in one transaction. */
async function inJob(run: (context: JobContext<DunningGateways>) => Promise<void>): Promise<void> {
  const job: JobDefinition<{ organizationId: string }, DunningGateways> = {
    task: 'look_again',
    payload: z.strictObject({ organizationId: z.uuid() }),
    run: (_payload, context) => run(context),
  };
  await runJob(
    {
      ports: runtime.portsOf(dunning.catalogue),
      shared: runtime.database.shared,
      gateways: {} as DunningGateways,
    },
    job,
    { organizationId: demo.ids.organization_id },
  );
}

/** Runs a job of dunning on the sample. */
async function runTask(task: string, payload: object): Promise<void> {
  const job = jobs.find((known) => known.task === task)!;
  await runJob(
    {
      ports: runtime.portsOf(dunning.catalogue),
      shared: runtime.database.shared,
      gateways: {} as DunningGateways,
    },
    job,
    payload,
  );
}

/** What there is of each kind of record: any change of it shows. */
async function fingerprint(): Promise<Record<string, unknown>> {
  const tables = [
    'charges',
    'payments',
    'agreements',
    'installments',
    'promises',
    'disputes',
    'negativations',
    'protests',
    'people',
    'contacts',
    'holds',
    'step_executions',
    'notifications',
    'campaigns',
    'legal_commands',
    'legal_events',
  ];
  const prints: Record<string, unknown> = {};
  for (const table of tables) {
    const [row] = await look(
      `select count(*)::int as rows, md5(string_agg(t::text, '' order by t::text)) as md5 from dunning_${table} t`,
    );
    prints[table] = row;
  }
  return prints;
}

describe('the whole of it', () => {
  it('replays every charge and finds no difference: open amounts, ledgers, uses of payments, states', async () => {
    const before = await fingerprint();
    const rows = await look<{ id: string }>('select id from dunning_charges order by id');
    expect(rows).toHaveLength(2_000);
    await inJob((context) =>
      context.write(async (write) => {
        for (const { id } of rows) await replayCharge(write, id);
      }),
    );
    const changed = await look(
      `select c.status, c.dunning_state, c.source, c.agreement_id is not null as agreed, c.version, c.ledger
         from dunning_charges c where updated_at = $1`,
      [NOW.toISOString()],
    );
    expect(changed.slice(0, 5)).toEqual([]);
    expect(await fingerprint()).toEqual(before);
  }, 60_000);
});
