/**
 * Runs jobs. The queue belongs to the owner role and is closed to the application; everything a job does to
 * business records goes through the application's own database, under row-level security.
 */

import { type JobHelpers, type LogFunctionFactory, Logger, run, type TaskList } from 'graphile-worker';
import { type JobDefinition, type JobPorts, jobContextOf } from '../core/job.ts';
import type { Db } from '../core/ports.ts';
import { selectTimeZone } from '../db/tenants.ts';
import { queueEverywhere, scheduledTaskOf, scheduleOf } from './daily.ts';
import { PURGE_TASK, purge } from './purge.ts';

const CONCURRENCY = 4;
const POLL_MS = 1_000;
/** Every day at 03:15 UTC, when little else runs in Brazil. */
const PURGE_AT = '03:15';

/** A job names where it works; a null workspace means the organization. */
interface PlacedPayload {
  readonly organizationId: string;
  readonly workspaceId?: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: jobs of every payload are kept in one list.
export type AnyJob<Gateways> = JobDefinition<any, Gateways>;

type WorkerLog = (level: 'info' | 'warn' | 'error', message: string, details?: object) => void;

export interface WorkerOptions<Gateways> {
  /** Connects as the owner of the queue. */
  readonly ownerUrl: string;
  readonly ports: JobPorts;
  /** For identity and catalogues, whose tables belong to no tenant. */
  readonly shared: Db;
  readonly jobs: readonly AnyJob<Gateways>[];
  readonly gateways: Gateways;
  /** Jobs at once. Default 4. */
  readonly concurrency?: number;
  /** How often the queue is looked at for jobs whose time has come, in milliseconds. Default 1 s. */
  readonly pollMs?: number;
  readonly log: WorkerLog;
}

export interface Worker {
  /** Takes no new job and waits for the running ones. */
  stop(): Promise<void>;
  /** Settles when the worker has ended, by `stop` or by a failure. */
  readonly ended: Promise<void>;
}

/** Starts a worker. The database must be migrated. */
export async function startWorker<Gateways>(options: WorkerOptions<Gateways>): Promise<Worker> {
  const { ownerUrl, log } = options;
  const tasks: TaskList = {
    [PURGE_TASK]: () => purge(options.ports, options.shared),
  };
  for (const job of options.jobs) {
    if (tasks[job.task] !== undefined) throw new Error(`two jobs are called ${job.task}`);
    tasks[job.task] = (payload, helpers) => runTask(options, job, payload, helpers);
    const { every } = job;
    if (every === undefined) continue;
    tasks[scheduledTaskOf(job.task)] = () =>
      queueEverywhere(options.ports, options.shared, job.task, every.tenant);
  }
  const concurrency = options.concurrency ?? CONCURRENCY;
  const runner = await run({
    connectionString: ownerUrl,
    // One connection listens for new jobs.
    maxPoolSize: concurrency + 1,
    concurrency,
    pollInterval: options.pollMs ?? POLL_MS,
    noHandleSignals: true,
    logger: new Logger(loggingTo(log)),
    taskList: tasks,
    parsedCronItems: scheduleOf([
      { task: PURGE_TASK, at: PURGE_AT },
      ...options.jobs.flatMap(({ task, every }) =>
        every === undefined ? [] : [{ task: scheduledTaskOf(task), at: every.at }],
      ),
    ]),
  });
  return { stop: () => runner.stop(), ended: runner.promise };
}

/**
 * Runs one job at the place its payload names. A payload that does not parse, or names a place that does not
 * exist, can never succeed: it is logged and fails for good. Everything else that is thrown is tried again later.
 */
export async function runJob<Gateways>(
  options: Pick<WorkerOptions<Gateways>, 'ports' | 'shared' | 'gateways'>,
  job: AnyJob<Gateways>,
  payload: unknown,
): Promise<void> {
  const parsed = job.payload.safeParse(payload);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new HopelessJob(`payload.${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { organizationId, workspaceId = null } = parsed.data as PlacedPayload;
  const timeZone = await selectTimeZone(options.shared, organizationId, workspaceId);
  if (timeZone === undefined) throw new HopelessJob('the payload names a place that does not exist');
  const place = { organizationId, workspaceId, timeZone };
  await job.run(parsed.data, jobContextOf(options.ports, job.task, parsed.data, place, options.gateways));
}

/** A job that no repetition can help. */
class HopelessJob extends Error {
  override readonly name = 'HopelessJob';
}

async function runTask<Gateways>(
  options: WorkerOptions<Gateways>,
  job: AnyJob<Gateways>,
  payload: unknown,
  helpers: JobHelpers,
): Promise<void> {
  const { id, attempts, max_attempts: attemptsMax } = helpers.job;
  try {
    await runJob(options, job, payload);
  } catch (error) {
    const details = { task: job.task, job: id, attempts, attemptsMax, error };
    if (error instanceof HopelessJob) {
      options.log('error', 'a job can never succeed and is not tried again', details);
      await giveUp(helpers);
    } else {
      options.log(attempts >= attemptsMax ? 'error' : 'warn', 'a job failed', details);
    }
    throw error;
  }
}

/** The queue keeps the job for whoever looks for it, but does not run it again. */
async function giveUp(helpers: JobHelpers): Promise<void> {
  // The queue's own functions leave running jobs alone; the column is all that they would change.
  await helpers.query('update graphile_worker._private_jobs set max_attempts = attempts where id = $1', [
    helpers.job.id,
  ]);
}

/** Chatter of the queue about every job is left out; what it warns of is passed on. */
function loggingTo(log: WorkerLog): LogFunctionFactory {
  return (scope) => (level, message) => {
    if (level === 'warning') log('warn', message, { ...scope });
    // A failed task was logged above, with its error.
    else if (level === 'error' && !message.startsWith('Failed task ')) log('error', message, { ...scope });
  };
}
