/**
 * `node bench/daily-kill.ts [kills=50] [charges=20000] [seed]`: two workers plan and send the messages of a portfolio and
 * are killed with SIGKILL at random moments, one or the other, and started again, until nothing is left to do. Then every
 * step that was due is there once, every message came to the provider once, inside the hours of its debtor, and no debtor
 * had more than one in a day. Ends with 1 when anything is not so.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { civilDateAt, civilTimeAt } from '../src/core/dates.ts';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { type ContactPolicy, hoursOn, timeZoneOf } from '../src/dunning/contact-law/index.ts';
import { createPortfolio, type Portfolio } from './portfolio.ts';

const KILLS = numberOf('kills', 50);
const CHARGES = numberOf('charges', 20_000);
const SEED = numberOf('seed', Date.now() % 1_000_000);
const WORKERS = 2;
/** A worker that has just begun is killed within so long. */
const MOMENT_MS = 2_500;
/** From one look at what is left to the next. */
const LOOK_MS = 250;
/** Kills of one day at most, so that several days see some. */
const KILLS_A_DAY = Math.ceil(KILLS / 3);
/**
 * When the days begin: three minutes before most states close, in the morning, on Saturday, and a last one in which nobody
 * is killed, so that everything comes to its end. No worker lives while the clock jumps.
 */
const STARTS = [
  '2026-10-08T22:57:00Z',
  '2026-10-09T12:30:00Z',
  '2026-10-10T14:00:00Z',
  '2026-10-13T14:00:00Z',
];
const DAY_MS_MAX = 240_000;

/** As an organization has it that decided nothing. */
const policy: ContactPolicy = {
  version: '',
  windows: {},
  isEmailInWindows: true,
  quietHours: null,
  dailyCapPerPerson: 1,
  dailyCaps: {},
  channels: ['email', 'sms', 'whatsapp', 'phone', 'letter'],
};

interface Arrival {
  /** How often it was handed over: a key that is known is answered and not taken again. */
  handed: number;
  readonly at: Date;
}

const arrivals = new Map<string, Arrival>();
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const random = randomOf(SEED);

const home = await mkdtemp(join(tmpdir(), 'kobana-daily-kill-'));
const server = await openEmbedded(home);
const provider = await listen();
try {
  await migrate(server.ownerUrl);
  process.exitCode = await run();
} finally {
  provider.close();
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function run(): Promise<number> {
  console.log(`seed ${SEED}, ${KILLS} kills, ${CHARGES} charges`);
  const portfolio = await createPortfolio(server.ownerUrl, 'Bench', {
    charges: CHARGES,
    chargesPerDebtor: 1.3,
    daysBefore: 36,
    daysAfter: 11,
    hasSearchWords: false,
  });
  const owner = new pg.Pool({ connectionString: server.ownerUrl, max: 2 });
  const startedAt = performance.now();
  let kills = 0;
  try {
    for (const [index, start] of STARTS.entries()) {
      aheadMs = Date.parse(start) - Date.now();
      const mostToday = index === STARTS.length - 1 ? 0 : Math.min(KILLS_A_DAY, KILLS - kills);
      const killed = await liveDay(owner, portfolio, mostToday);
      kills += killed;
      const { length } = await waiting(owner);
      console.log(
        `${start}: ${killed} kills, ${arrivals.size} messages so far, ${length} wait for their turn or their hour`,
      );
    }
    const findings = await findingsOf(owner, portfolio);
    console.log(`${kills} kills in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    const handed = [...arrivals.values()].reduce((sum, arrival) => sum + arrival.handed, 0);
    console.log(`${arrivals.size} messages taken; handed over ${handed} times`);
    console.log(
      findings.length === 0 ? 'every step once, every message once, all in their hours' : findings.join('\n'),
    );
    return findings.length === 0 && kills === KILLS ? 0 : 1;
  } finally {
    await owner.end();
  }
}

/** Two workers work until nothing is due any more, and are killed so many times meanwhile. */
async function liveDay(owner: pg.Pool, { organizationId }: Portfolio, killsMost: number): Promise<number> {
  const workers: ChildProcess[] = [];
  const deadline = Date.now() + DAY_MS_MAX;
  await enqueue(owner, organizationId, 'dunning_daily_run');
  let kills = 0;
  let nextKillAt = 0;
  try {
    for (;;) {
      while (workers.length < WORKERS) workers.push(await startWorker());
      if (nextKillAt === 0) nextKillAt = Date.now() + random() * MOMENT_MS;
      await enqueue(owner, organizationId, 'dunning_run_steps');
      await enqueue(owner, organizationId, 'dunning_send_messages');
      await wait(Math.max(0, Math.min(LOOK_MS, nextKillAt - Date.now())));
      if (kills < killsMost && Date.now() >= nextKillAt) {
        const [doomed] = workers.splice(Math.floor(random() * workers.length), 1);
        await end(doomed!);
        kills += 1;
        nextKillAt = 0;
      }
      const isOver = kills >= killsMost && (await isDone(owner));
      if (isOver || Date.now() > deadline) return kills;
    }
  } finally {
    await Promise.all(workers.map(end));
  }
}

/** Nothing is due now, nothing is on its way, and the day is planned. */
async function isDone(owner: pg.Pool): Promise<boolean> {
  const { rows } = await owner.query(
    `select 1 where exists (select from dunning_step_executions where status = 'scheduled' and due_at <= $1)
        or exists (select from dunning_notifications where status in ('scheduled', 'queued') and scheduled_for <= $1)
        or not exists (select from dunning_daily_runs where run_on = ($1::timestamptz at time zone 'America/Sao_Paulo')::date
                                                        and finished_at is not null)`,
    [clock()],
  );
  return rows.length === 0;
}

/** Steps and messages that have not come to their end. */
async function waiting(owner: pg.Pool): Promise<{ id: string }[]> {
  const { rows } = await owner.query(
    `select id from dunning_step_executions where status = 'scheduled'
     union all select id from dunning_notifications where status in ('scheduled', 'queued')`,
  );
  return rows;
}

async function findingsOf(owner: pg.Pool, portfolio: Portfolio): Promise<string[]> {
  const findings: string[] = [];
  const look = async (what: string, text: string, values: unknown[] = []) => {
    const { rows } = await owner.query(`${text} limit 5`, values);
    if (rows.length > 0) findings.push(`${what}: ${rows.map((row) => JSON.stringify(row)).join(', ')}`);
  };
  // The first day's steps, reckoned by the dates alone: open charges whose step fell on it.
  await look(
    'steps of the first day that are not there once',
    `select c.id, s.id as step, count(e.id) from dunning_charges c
       join dunning_rule_steps s on s.organization_id = c.organization_id and s.rule_id = c.collection_rule_id
       left join dunning_step_executions e on e.organization_id = c.organization_id and e.charge_id = c.id and e.step_id = s.id
      where c.organization_id = $1 and c.status in ('pending', 'overdue')
        and date '2026-10-08' = case when s.offset_days > 0 then c.adjusted_due_date else c.due_date end + s.offset_days
      group by 1, 2 having count(e.id) <> 1`,
    [portfolio.organizationId],
  );
  await look(
    'messages that were done and not made, or made twice',
    `select e.id, count(n.id) from dunning_step_executions e
       left join dunning_notifications n on n.execution_id = e.id
      where e.action = 'message' and e.status = 'done' group by 1 having count(n.id) <> 1`,
  );
  await look(
    'messages in a state that nobody expects',
    `select status, status_reason, count(*) from dunning_notifications where status not in ('sent', 'skipped', 'queued', 'scheduled') group by 1, 2`,
  );
  await look(
    'debtors with more than one message in a day',
    `select person_id, contact_on, count(*) from dunning_contact_slots group by 1, 2 having count(*) > 1`,
  );
  const { rows: sent } = await owner.query(
    `select n.id, p.state from dunning_notifications n
       join dunning_people p on p.organization_id = n.organization_id and p.id = n.person_id where n.status = 'sent'`,
  );
  const states = new Map(sent.map(({ id, state }) => [id as string, state as string]));
  for (const [key, { at }] of arrivals) {
    const state = states.get(key);
    if (state === undefined) findings.push(`taken by the provider and not recorded as sent: ${key}`);
    else if (!isInHours(state, at))
      findings.push(`outside the hours of ${state}: ${key} at ${at.toISOString()}`);
  }
  for (const key of states.keys()) if (!arrivals.has(key)) findings.push(`sent and never taken: ${key}`);
  return findings.slice(0, 20);
}

function isInHours(state: string, at: Date): boolean {
  const zone = timeZoneOf(state);
  const hours = hoursOn(policy, state, 'sms', civilDateAt(at, zone));
  const time = civilTimeAt(at, zone);
  return hours !== null && time >= hours.from && time < hours.to;
}

function enqueue(owner: pg.Pool, organizationId: string, task: string) {
  return owner.query('select graphile_worker.add_job($1, $2::json, job_key => $3, max_attempts => 20)', [
    task,
    JSON.stringify({ organizationId }),
    `${task}/bench`,
  ]);
}

async function startWorker(): Promise<ChildProcess> {
  const address = provider.address();
  const script = fileURLToPath(new URL('engine-worker.ts', import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      DATABASE_URL: server.ownerUrl,
      MESSAGES_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/messages`,
      CLOCK_AHEAD_MS: String(aheadMs),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('a worker ended by itself'))),
  ]);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** The provider: takes a key once, answers repeated ones with the same, and says which it knows. */
async function listen() {
  const http = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET') {
      const key = request.url!.split('/').at(-1)!;
      return arrivals.has(key) ? answer(200, { id: key }) : answer(404, {});
    }
    const key = String(request.headers['idempotency-key']);
    request.resume().on('end', () => {
      const known = arrivals.get(key);
      if (known === undefined) arrivals.set(key, { handed: 1, at: clock() });
      else known.handed += 1;
      answer(201, { id: key });
    });
    return undefined;
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return http;
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The number in the argument `name=number`. */
function numberOf(name: string, otherwise: number): number {
  const given = process.argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  if (given === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(given)) throw new Error(`${name} takes a number`);
  return Number(given);
}
