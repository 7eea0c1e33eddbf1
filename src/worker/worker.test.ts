import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createBill, createPayer } from '../../test/support/banking.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { newId } from '../core/ids.ts';
import type { JobDefinition } from '../core/job.ts';
import { finance } from '../finance/index.ts';
import { jobs } from '../finance/payments/index.ts';
import { createSimulatedBank, financeGatewaysOf } from '../gateways/bank/index.ts';
import { queueEverywhere } from './daily.ts';
import { type AnyJob, startWorker, type Worker, type WorkerOptions } from './index.ts';
import { purge } from './purge.ts';

let world: World;
const logged: { level: string; message: string; details: unknown }[] = [];

beforeAll(async () => {
  world = await openWorld();
  world.setNow(new Date().toISOString());
});
afterAll(() => world.close());

function start<Gateways>(
  list: readonly AnyJob<Gateways>[],
  gateways: Gateways,
  options: Partial<WorkerOptions<Gateways>> = {},
): Promise<Worker> {
  return startWorker({
    ownerUrl: world.url,
    ports: { ...world.runtime.portsOf(finance.catalogue), now: () => new Date() },
    shared: world.runtime.database.shared,
    jobs: list,
    gateways,
    pollMs: 100,
    log: (level, message, details) => logged.push({ level, message, details }),
    ...options,
  });
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isDone()) return;
    await wait(100);
  }
  throw new Error('it did not happen within ten seconds');
}

const addJob = (task: string, payload: object) =>
  world.look('select graphile_worker.add_job($1, $2::json)', [task, JSON.stringify(payload)]);

test('carries an order from the confirmation to the settled payable, by itself', async () => {
  const payer = await createPayer(world);
  const payableId = await createBill(world, payer);
  const worker = await start(jobs, financeGatewaysOf({ simulator: createSimulatedBank({ delayMs: 100 }) }));
  try {
    await world.call('finance_payables_send_to_bank', { id: payableId, account_id: payer.accountId });
    await until(
      async () => (await world.call('finance_payables_get', { id: payableId }))['status'] === 'paid',
    );
  } finally {
    await worker.stop();
  }
  expect(logged.filter(({ level }) => level !== 'info')).toEqual([]);
});

describe('a job', () => {
  const payload = z.strictObject({
    organizationId: z.uuid(),
    workspaceId: z.uuid().nullable(),
    text: z.string(),
  });
  type Payload = z.infer<typeof payload>;

  test('works as the application role at the place its payload names, in its time zone', async () => {
    await world.look("update workspaces set time_zone = 'America/Noronha' where id = $1", [
      world.otherWorkspaceId,
    ]);
    let seen: object | undefined;
    const job: JobDefinition<Payload, null> = {
      task: 'look',
      payload,
      async run(given, context) {
        await context.read(async (read) => {
          const row = await read.db.row<{ role: string; workspace: string }>({
            text: 'select current_user as role, kobana_workspace()::text as workspace',
            values: [],
          });
          seen = { ...row, timeZone: read.timeZone, text: given.text };
        });
      },
    };
    const worker = await start([job], null);
    await addJob('look', {
      organizationId: world.organizationId,
      workspaceId: world.otherWorkspaceId,
      text: 'hello',
    });
    await until(async () => seen !== undefined);
    await worker.stop();
    expect(seen).toEqual({
      role: 'kobana_app',
      workspace: world.otherWorkspaceId,
      timeZone: 'America/Noronha',
      text: 'hello',
    });
    await world.look("update workspaces set time_zone = 'America/Sao_Paulo' where id = $1", [
      world.otherWorkspaceId,
    ]);
  });

  test('whose payload does not parse, or names no place, fails for good with a log line', async () => {
    let runs = 0;
    const job: JobDefinition<Payload, null> = {
      task: 'strict',
      payload,
      async run() {
        runs += 1;
      },
    };
    const worker = await start([job], null);
    logged.length = 0;
    await addJob('strict', { organizationId: world.organizationId, workspaceId: 'x', text: 'a' });
    await addJob('strict', { organizationId: world.organizationId, workspaceId: newId(), text: 'b' });
    const failed = () =>
      world.look<{ attempts: number; max_attempts: number; last_error: string }>(
        `select attempts, max_attempts, last_error from graphile_worker._private_jobs
          where last_error is not null and locked_at is null order by id`,
      );
    await until(async () => (await failed()).length === 2);
    await worker.stop();
    const [unparsed, placeless] = await failed();
    expect(unparsed).toMatchObject({ attempts: 1, max_attempts: 1 });
    expect(unparsed!.last_error).toContain('payload.workspaceId');
    expect(placeless).toMatchObject({ attempts: 1, max_attempts: 1 });
    expect(placeless!.last_error).toContain('a place that does not exist');
    expect(runs).toBe(0);
    expect(logged.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'error: a job can never succeed and is not tried again',
      'error: a job can never succeed and is not tried again',
    ]);
    await world.look('delete from graphile_worker._private_jobs');
  });

  test('that throws is kept to be tried again later', async () => {
    const job: JobDefinition<Payload, null> = {
      task: 'broken',
      payload,
      run: () => Promise.reject(new Error('no luck')),
    };
    const worker = await start([job], null);
    logged.length = 0;
    await addJob('broken', { organizationId: world.organizationId, workspaceId: null, text: 'a' });
    await until(async () => logged.length > 0);
    await worker.stop();
    const [kept] = await world.look<{ attempts: number; max_attempts: number; is_later: boolean }>(
      'select attempts, max_attempts, run_at > now() as is_later from graphile_worker._private_jobs',
    );
    expect(kept).toMatchObject({ attempts: 1, is_later: true });
    expect(kept!.max_attempts).toBeGreaterThan(1);
    expect(logged).toMatchObject([{ level: 'warn', message: 'a job failed', details: { task: 'broken' } }]);
    await world.look('delete from graphile_worker._private_jobs');
  });

  test('is waited for when the worker stops', async () => {
    let isFinished = false;
    let isStarted = false;
    const job: JobDefinition<Payload, null> = {
      task: 'slow',
      payload,
      async run() {
        isStarted = true;
        await wait(400);
        isFinished = true;
      },
    };
    const worker = await start([job], null);
    await addJob('slow', { organizationId: world.organizationId, workspaceId: null, text: 'a' });
    await until(async () => isStarted);
    await worker.stop();
    expect(isFinished).toBe(true);
    await worker.ended;
  });

  test('has a name of its own', async () => {
    const job: JobDefinition<Payload, null> = { task: 'purge', payload, run: async () => {} };
    await expect(start([job], null)).rejects.toThrow('two jobs are called purge');
  });
});

describe('a job of every day', () => {
  const place = z.strictObject({ organizationId: z.uuid(), workspaceId: z.uuid() });
  type Place = z.infer<typeof place>;

  const dailyJob = (at: string, seen: Place[]): JobDefinition<Place, null> => ({
    task: 'daily',
    payload: place,
    every: { at, tenant: 'workspace' },
    async run(payload) {
      seen.push(payload);
    },
  });

  test('runs once in every workspace of every organization', async () => {
    const seen: Place[] = [];
    const worker = await start([dailyJob('03:05', seen)], null);
    // What the schedule does at that time.
    await addJob('daily_scheduled', {});
    await until(async () => seen.length >= 3);
    await worker.stop();
    const places = await world.look<{ organizationId: string; workspaceId: string }>(
      'select organization_id as "organizationId", id as "workspaceId" from workspaces',
    );
    const inOrder = (list: Place[]) => list.map(({ workspaceId }) => workspaceId).sort();
    expect(inOrder(seen)).toEqual(inOrder(places));
    expect(seen).toEqual(expect.arrayContaining(places));
  });

  test('waits once for each workspace when nobody took it the day before', async () => {
    const ports = world.runtime.portsOf(finance.catalogue);
    await queueEverywhere(ports, world.runtime.database.shared, 'daily', 'workspace');
    await queueEverywhere(ports, world.runtime.database.shared, 'daily', 'workspace');
    const [waiting] = await world.look<{ count: string }>(
      "select count(*) from graphile_worker.jobs where task_identifier = 'daily'",
    );
    expect(waiting!.count).toBe('3');
    await world.look('delete from graphile_worker._private_jobs');
  });

  test('is on the schedule of the queue, to be made up for', async () => {
    const worker = await start([dailyJob('23:59', [])], null);
    await until(async () => {
      const known = await world.look('select identifier from graphile_worker._private_known_crontabs');
      return known.some(({ identifier }) => identifier === 'daily_scheduled');
    });
    await worker.stop();
  });

  test.each(['24:00', '3:05', '03:60', 'noon'])('has a time of day, not %s', async (at) => {
    await expect(start([dailyJob(at, [])], null)).rejects.toThrow('is no time of day as HH:MM');
  });
});

test('the purge deletes what has served its time, in every tenant, and nothing else', async () => {
  const tenants = [world.organizationId, world.workspaceId, world.foreignWorkspaceId];
  for (const tenant of tenants) {
    for (const [key, hours] of [
      ['old', 25],
      ['new', 23],
    ]) {
      await world.look(
        `insert into idempotency_keys (tenant_id, user_id, operation, key, arguments_digest, answer, created_at)
         values ($1, $1, 'test', $2, '', '{}', now() - make_interval(hours => $3))`,
        [tenant, key, hours],
      );
    }
  }
  for (const [id, days] of [
    ['old', 31],
    ['new', 29],
  ]) {
    await world.look(
      `insert into used_confirmations (organization_id, id, status, user_id, client_id, operation, arguments_digest, used_at)
       values ($1, $2, 'used', $1, '', 'test', '', now() - make_interval(days => $3))`,
      [world.organizationId, id, days],
    );
  }
  await purge({ database: world.runtime.database, now: () => new Date() }, world.runtime.database.shared);
  const keys = await world.look<{ tenant_id: string; key: string }>(
    "select tenant_id, key from idempotency_keys where operation = 'test'",
  );
  expect(keys.map(({ key }) => key)).toEqual(['new', 'new', 'new']);
  expect(keys.map(({ tenant_id }) => tenant_id).sort()).toEqual([...tenants].sort());
  const used = await world.look<{ id: string }>("select id from used_confirmations where operation = 'test'");
  expect(used).toEqual([{ id: 'new' }]);
});
