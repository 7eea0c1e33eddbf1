/**
 * Kills a real `kobana serve` at random moments while people confirm payments, and then looks whether anything ran
 * twice, ran unrecorded, or was lost. The database survives; only the serving process dies.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../src/core/ids.ts';
import { verifyChain } from '../../src/db/events.ts';
import { insertMembership, insertUser } from '../../src/identity/queries.ts';
import { createToken } from '../../src/identity/tokens.ts';
import { createPayer, createSupplier, type Payer } from './banking.ts';
import { type ServeProcess, startServe } from './processes.ts';
import { type Answer, callOf, createRawClient } from './raw-client.ts';
import { formCapable, type World } from './world.ts';

const SEND = 'finance_payables_send_to_bank';
const KEY = 'a key that every process of this run is given';
const SENDERS = 6;
/** After so many findings the run ends: what is wrong is wrong from then on. */
const FINDINGS_MAX = 20;
/** A process is killed after fewer answers than this, and then within so many milliseconds. */
const ANSWERS_MAX = 60;
const MOMENT_MS = 10;

export interface KillOptions {
  /** How often the process is killed. */
  readonly moments: number;
  /** Chooses the moments. */
  readonly seed: number;
  readonly log?: (line: string) => void;
}

export interface KillReport {
  readonly kills: number;
  /** Payments in the database at the end. */
  readonly payments: number;
  /** Confirmed calls that were answered with their payment. */
  readonly answered: number;
  /** Confirmed calls whose connection broke, and what the same call said when it was sent again. */
  readonly broken: { readonly ranThen: number; readonly replayed: number };
  /**
   * Told as a replay although nothing had run: the database was still undoing what the dead process had begun. It
   * is the safe side, and the answer says to read the record first (PROTOCOL C-18).
   */
  readonly replayedInVain: number;
  /** One line for everything that must not be. */
  readonly findings: readonly string[];
}

interface Run {
  readonly world: World;
  readonly payer: Payer;
  readonly payables: string[];
  /** The process that serves now, or the one that is starting. */
  server: Promise<ServeProcess>;
  isOver: boolean;
  /** Answers of all processes so far. */
  answers: number;
  readonly answered: { payableId: string; paymentId: string }[];
  readonly replayed: string[];
  ranThen: number;
  readonly findings: string[];
}

/** Runs it on a world of its own. */
export async function runKills(world: World, options: KillOptions): Promise<KillReport> {
  const started: Promise<ServeProcess>[] = [];
  const start = () => {
    const starting = startServe(world.url, [KEY]);
    // Whoever waits for it learns of a failure; until somebody does, it must not end this process.
    starting.catch(() => {});
    started.push(starting);
    return starting;
  };
  const payer = await createPayer(world);
  const run: Run = {
    world,
    payer,
    payables: await createPayables(world, payer, 500 + options.moments * 150),
    server: start(),
    isOver: false,
    answers: 0,
    answered: [],
    replayed: [],
    ranThen: 0,
    findings: [],
  };
  const sending = Promise.all((await createSenders(world)).map((token) => keepSending(run, token)));
  try {
    await Promise.race([sending, killAtMoments(run, start, options)]);
    // The last process answers what is still open.
    run.isOver = true;
    await sending;
  } finally {
    run.isOver = true;
    const processes = await Promise.allSettled(started);
    await Promise.all(
      processes.map((process) => process.status === 'fulfilled' && process.value.end('SIGKILL')),
    );
  }
  return { kills: options.moments, ...(await reportOf(run)) };
}

async function killAtMoments(
  run: Run,
  start: () => Promise<ServeProcess>,
  { moments, seed, log = () => {} }: KillOptions,
): Promise<void> {
  const random = randomOf(seed);
  for (let kill = 1; kill <= moments; kill += 1) {
    const doomed = await run.server;
    // The next one starts meanwhile, so that the service is away only for a moment.
    const next = start();
    const enough = run.answers + Math.floor(random() * ANSWERS_MAX);
    while (run.answers < enough) await wait(1);
    await wait(random() * MOMENT_MS);
    const dead = doomed.end('SIGKILL');
    run.server = next;
    await dead;
    if (kill % 20 === 0) log(`${kill} kills, ${run.answered.length} payments answered`);
  }
}

/** One person who confirms one payment after the other, and repeats a call whose connection broke. */
async function keepSending(run: Run, token: string): Promise<void> {
  while (!run.isOver) {
    const payableId = run.payables.pop();
    if (payableId === undefined) throw new Error('too few payables for this run');
    const args = { id: payableId, account_id: run.payer.accountId };
    const state = await askUntilAsked(run, token, args);
    let isRepeated = false;
    for (;;) {
      const answer = await send(run, token, callOf(SEND, args, state));
      if (answer !== null) {
        note(run, payableId, answer, isRepeated);
        break;
      }
      isRepeated = true;
    }
  }
}

async function askUntilAsked(run: Run, token: string, args: object): Promise<string> {
  for (;;) {
    const answer = await send(run, token, callOf(SEND, args));
    const state = answer?.body.result?.requestState;
    if (typeof state === 'string') return state;
    if (answer !== null) {
      if (errorCodeOf(answer) !== 'rate_limited') run.findings.push(`asking gave ${answer.text}`);
      if (run.findings.length > FINDINGS_MAX) throw new Error(run.findings.join('\n'));
      await wait(50);
    }
  }
}

/** The answer, or null when the process died first. */
async function send(run: Run, token: string, params: Record<string, unknown>): Promise<Answer | null> {
  const { url } = await run.server;
  try {
    const answer = await createRawClient(url, token).m('tools/call', params, { capabilities: formCapable });
    run.answers += 1;
    return answer;
  } catch {
    return null;
  }
}

function note(run: Run, payableId: string, answer: Answer, isRepeated: boolean): void {
  const paymentId = answer.body.result?.structuredContent?.id;
  if (typeof paymentId === 'string') {
    run.answered.push({ payableId, paymentId });
    if (isRepeated) run.ranThen += 1;
  } else if (isRepeated && errorCodeOf(answer) === 'confirmation_replayed') {
    run.replayed.push(payableId);
  } else {
    run.findings.push(`a ${isRepeated ? 'repeated' : 'first'} yes gave ${answer.text}`);
  }
}

function errorCodeOf(answer: Answer): string | undefined {
  return answer.body.result?._meta?.['com.kobana/error']?.error?.code;
}

/** Every order, command, job, event and used confirmation is there once and belongs to the others. */
const mustBeEmpty: Readonly<Record<string, string>> = {
  'payables with more than one payment':
    'select payable_id::text as id from payments group by 1 having count(*) > 1',
  'confirmations with more than one event':
    'select confirmation as id from sends group by 1 having count(*) > 1',
  'events of calls that failed': "select confirmation as id from sends where outcome <> 'done'",
  'payments without exactly one event':
    'select p.id::text from payments p where (select count(*) from made where made.id = p.id::text) <> 1',
  'events whose payment does not exist':
    'select id from made where not exists (select 1 from payments p where p.id::text = made.id)',
  'events without exactly one payment':
    'select confirmation as id from sends where (select count(*) from made where made.confirmation = sends.confirmation) <> 1',
  'used confirmations without their event':
    'select id from used_confirmations u where not exists (select 1 from sends where sends.confirmation = u.id)',
  'events whose confirmation is not used':
    "select confirmation as id from sends where not exists (select 1 from used_confirmations u where u.id = sends.confirmation and u.status = 'used')",
  'payments without exactly one command':
    'select p.id::text from payments p where (select count(*) from bank_commands c where c.payment_id = p.id) <> 1',
  'commands without exactly one job':
    "select c.id::text from bank_commands c left join graphile_worker._private_jobs j on j.payload->>'commandId' = c.id::text group by c.id having count(j.id) <> 1",
};

async function reportOf(run: Run): Promise<Omit<KillReport, 'kills'>> {
  const { world, findings, answered, replayed } = run;
  for (const [what, query] of Object.entries(mustBeEmpty)) {
    const rows = await world.look<{ id: string }>(`with ${SENDS}, ${MADE} ${query} limit 3`);
    if (rows.length > 0) findings.push(`${what}: ${rows.map(({ id }) => id).join(', ')}`);
  }
  const payments = await world.look<{ id: string; payable_id: string }>(
    'select id, payable_id from payments',
  );
  const payableOf = new Map(payments.map(({ id, payable_id }) => [id, payable_id]));
  for (const { paymentId, payableId } of answered) {
    if (payableOf.get(paymentId) !== payableId) findings.push(`answered, then lost: ${paymentId}`);
  }
  const paid = new Set(payableOf.values());
  const replayedInVain = replayed.filter((id) => !paid.has(id)).length;
  const accounted = answered.length + replayed.length - replayedInVain;
  if (payments.length !== accounted) findings.push(`${payments.length} payments for ${accounted} answers`);
  const chain = await world.runtime.database.read(world, (db) => verifyChain(db, world.workspaceId));
  if (chain.broken !== null) findings.push(`the chain breaks at ${JSON.stringify(chain.broken)}`);
  return {
    payments: payments.length,
    answered: answered.length,
    broken: { ranThen: run.ranThen, replayed: replayed.length - replayedInVain },
    replayedInVain,
    findings,
  };
}

/** The events of sending, with their confirmation. */
const SENDS = `sends as materialized (
  select position, body::jsonb->'confirmation'->>'id' as confirmation, body::jsonb->>'outcome' as outcome
    from events where operation = '${SEND}')`;

/** The payments that events say they made. */
const MADE = `made as materialized (
  select change->>'id' as id, e.body::jsonb->'confirmation'->>'id' as confirmation
    from events e, jsonb_array_elements(e.body::jsonb->'changes') change
   where e.operation = '${SEND}' and change->>'kind' = 'payment' and change->'before' = 'null'::jsonb)`;

/** Open payables by the thousand, past the operations: the run needs one for each confirmation. */
async function createPayables(world: World, payer: Payer, count: number): Promise<string[]> {
  const rows = await world.look<{ id: string }>(
    `insert into payables (workspace_id, id, company_id, person_id, description, amount_cents, due_date, adjusted_due_date,
                           competence_month, payment_details, status, approval_status, search_text, created_by)
     select $1, gen_random_uuid(), $2, $3, 'Compra ' || n, 1000 + n, current_date + 30, current_date + 30,
            to_char(current_date, 'YYYY-MM'), '{"kind": "pix_key", "key": "pix@example.com", "key_type": "email"}',
            'open', 'not_required', 'compra', $1
       from generate_series(1, $4::int) n
     returning id`,
    [world.workspaceId, payer.companyId, await createSupplier(world), count],
  );
  return rows.map(({ id }) => id);
}

/** Tokens of several persons, because questions are limited by person. */
async function createSenders(world: World): Promise<string[]> {
  const db = world.runtime.database.shared;
  const { organizationId, workspaceId } = world;
  const tokens: string[] = [];
  for (let number = 1; number <= SENDERS; number += 1) {
    const userId = newId();
    const email = `sender-${number}@example.com`;
    await insertUser(db, { id: userId, email, name: `Sender ${number}`, locale: 'pt-BR' });
    await insertMembership(db, { organizationId, userId, workspaceId: null, role: 'finance' });
    const { token } = await createToken(db, {
      userId,
      organizationId,
      product: 'finance',
      access: 'write',
      workspaceId,
      expiresAt: new Date(Date.now() + 86_400_000),
    });
    tokens.push(token);
  }
  return tokens;
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32, public domain). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
