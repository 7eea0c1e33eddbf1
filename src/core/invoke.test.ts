/** The order of refusals, and rows 3 to 19 of the confirmation table (PROTOCOL Part D), on a real database. */

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { formCapable, openWorld, type Who, type World } from '../../test/support/world.ts';
import { fail } from './errors.ts';
import { money, text } from './fields.ts';
import { newId } from './ids.ts';
import { createInvoker, type Invoker, MalformedAnswer } from './invoke.ts';
import { catalogueOf, operation } from './operation.ts';

/** What the record "says"; a test changes it between question and answer. */
const record = { payee: 'Aurora', isGone: false };
let runs = 0;
let duringRun: () => Promise<void> = async () => {};

const note = operation({
  name: 'finance_note_write',
  title: 'Write a note',
  summary: 'An ordinary write.',
  effect: 'write',
  scope: 'finance.companies',
  dryRun: true,
  input: { text: text(50) },
  output: z.object({ text: z.string(), run: z.int() }),
  async run({ text }, { changed, newId }) {
    runs += 1;
    changed('note', newId(), null, { text });
    return { text, run: runs };
  },
});

const strike = operation({
  name: 'finance_strike',
  title: 'Strike out',
  summary: 'A destructive one.',
  effect: 'destructive',
  scope: 'finance.payables',
  input: { amount: money(), reason: text(100), tags: z.array(z.string()).optional() },
  output: z.object({ run: z.int() }),
  async question() {
    if (record.isGone) fail('not_found', { kind: 'record' });
    return [
      { key: 'payee', label: { 'pt-BR': 'Favorecido', en: 'Payee' }, value: record.payee, origin: 'outside' },
      {
        key: 'clock',
        label: { 'pt-BR': 'Hora', en: 'Time' },
        value: String(Math.random()),
        origin: 'ours',
        bound: false,
      },
    ];
  },
  async run({ reason }, { changed }) {
    await duringRun();
    runs += 1;
    changed('record', newId(), { struck: false }, { struck: true });
    if (reason === 'fail') fail('invalid_state', { from: 'paid', allowed: ['open'] });
    if (reason === 'crash') throw new Error('select secret from /etc/passwd');
    return { run: runs };
  },
});

/** Another tool with the very same arguments. */
const strikeAgain = { ...strike, name: 'finance_strike_again' };

let world: World;
let invoker: Invoker;
const logged: unknown[] = [];
const args = { amount: '1250.00', reason: 'wrong' };
const yes = { confirm: { action: 'accept', content: { confirm: true } } };

beforeAll(async () => {
  world = await openWorld();
  const catalogue = catalogueOf([note, strike, strikeAgain]);
  const ports = world.runtime.portsOf(catalogue);
  invoker = createInvoker({ ...ports, logFailure: (error) => `id${logged.push(error)}` });
});
afterAll(() => world.close());
let day = 0;
/** A day for each test, so that no counter of one reaches into the next. */
const later = (milliseconds: number) =>
  world.setNow(new Date(Date.UTC(2026, 9, day, 12) + milliseconds).toISOString());

beforeEach(() => {
  day += 1;
  later(0);
  Object.assign(record, { payee: 'Aurora', isGone: false });
  runs = 0;
  duringRun = async () => {};
});

interface Sent {
  who?: Who;
  state?: string;
  responses?: unknown;
  capabilities?: unknown;
  name?: string;
}

async function send(
  input: object,
  { who = 'owner', name = 'finance_strike', capabilities = formCapable, state, responses }: Sent = {},
) {
  return invoker.call(invoker.catalogue.byName.get(name)!, input, await world.caller(who), {
    surface: 'mcp',
    confirmation: { capabilities, state, responses },
  });
}

async function question(input: object = args, sent: Sent = {}) {
  const outcome = await send(input, sent);
  if (outcome.kind !== 'ask') throw new Error('nothing was asked');
  return outcome.question;
}

const confirmed = (state: string, input: object = args, sent: Sent = {}) =>
  send(input, { ...sent, state, responses: yes });

describe('ordinary writes', () => {
  const write = (input: object, who?: Who) =>
    send(input, { name: 'finance_note_write', ...(who && { who }) });

  test('CF-15: never ask, and write one event', async () => {
    expect(await write({ text: 'plain' })).toMatchObject({ kind: 'done', output: { text: 'plain' } });
    const events = await world.look("select body from events where operation = 'finance_note_write'");
    expect(events).toHaveLength(1);
    expect(JSON.parse(String(events[0]!['body']))).toMatchObject({
      outcome: 'done',
      changes: [{ kind: 'note', after: { text: 'plain' } }],
    });
  });

  test('TO-07: refuse an argument nobody knows, naming the nearest', async () => {
    await expect(write({ text: 'x', dry_rum: true })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'dry_rum', expected: expect.stringContaining('`dry_run`') },
    });
    expect(runs).toBe(0);
  });

  test('SE-12: refuse a value of another type instead of coercing it', async () => {
    await expect(write({ text: 10 })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'text' },
    });
  });

  test('a dry run answers and leaves nothing', async () => {
    const before = await world.look('select count(*) from events');
    expect(await write({ text: 'x', dry_run: true })).toMatchObject({ kind: 'done', output: { text: 'x' } });
    expect(await world.look('select count(*) from events')).toEqual(before);
  });

  test('fifty calls with one idempotency key run once and answer alike', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => write({ text: 'once', idempotency_key: 'k' })),
    );
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(runs).toBe(1);
    await expect(write({ text: 'other', idempotency_key: 'k' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    await write({ text: 'once', idempotency_key: 'k' }, 'approver').then(
      () => expect(runs).toBe(2),
      (error) => expect(error).toMatchObject({ code: 'forbidden' }),
    );
  });

  test('an idempotency key is free again after 24 hours', async () => {
    await write({ text: 'a', idempotency_key: 'day' });
    await world.look(
      "update idempotency_keys set created_at = now() - interval '25 hours' where key = 'day'",
    );
    expect(await write({ text: 'b', idempotency_key: 'day' })).toMatchObject({ output: { text: 'b' } });
  });
});

describe('rows 3 to 7: refused before anybody is asked', () => {
  test('row 3, AU-15: the access level comes before arguments and question', async () => {
    await expect(send({ nonsense: 1 }, { who: 'reader' })).rejects.toMatchObject({
      code: 'insufficient_scope',
      details: { required: ['finance:write'] },
    });
  });

  test('row 4, AU-17: a role without the right is forbidden; several workspaces need one', async () => {
    await expect(send(args, { who: 'viewer' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(send(args, { who: 'several' })).rejects.toMatchObject({ code: 'workspace_required' });
    await expect(
      send({ ...args, workspace_id: world.foreignWorkspaceId }, { who: 'several' }),
    ).rejects.toMatchObject({ code: 'not_found', details: { kind: 'workspace' } });
  });

  test.each([
    ['nothing', undefined],
    ['no elicitation', {}],
    ['only urls', { elicitation: { url: {} } }],
    ['only sampling', { sampling: {} }],
    ['a null', { elicitation: null }],
  ])(
    'row 5, CF-04, CF-80: a client that declares %s gets confirmation_required, before its arguments are looked at',
    async (_what, capabilities) => {
      const error = await invoker
        .call(strike, { nonsense: 1 }, await world.caller('owner'), {
          surface: 'mcp',
          confirmation: { capabilities, state: undefined, responses: undefined },
        })
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'confirmation_required',
        details: { required_capabilities: { elicitation: { form: {} } } },
      });
    },
  );

  test.each([
    [{ elicitation: {} }],
    [{ elicitation: { form: {} } }],
    [{ elicitation: { form: {}, url: {} } }],
  ])('CF-04: asks a client that declares %j', async (capabilities) => {
    expect((await question(args, { capabilities })).state).toMatch(/^c1\./);
  });

  test('row 6, CF-12: arguments come before the question', async () => {
    await expect(send({ ...args, amount: '1.250,00' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'amount' },
    });
    await expect(send({ ...args, amount: JSON.parse('9007199254740993') })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('C-11: a record that is gone is told at once', async () => {
    record.isGone = true;
    await expect(send(args)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('row 7, CF-67: a ledger that is gone is told before anybody is asked', async () => {
    await world.look('alter table used_confirmations rename to hidden');
    await expect(send(args)).rejects.toMatchObject({ code: 'confirmation_unavailable' });
    await world.look('alter table hidden rename to used_confirmations');
  });
});

describe('the question', () => {
  test('CF-08, C-13: names the action, where, every argument and the facts, in the language of the person', async () => {
    const { message } = await question({ ...args, tags: ['a', 'b'] });
    expect(message.split('\n')).toEqual([
      'Strike out (finance_strike)',
      'Organização: "Aurora"',
      'Workspace: "Matriz"',
      'amount = 1250.00 (R$ 1.250,00)',
      'reason = "wrong"',
      'tags = ["a", "b"]',
      'O que o registro diz agora:',
      '- Favorecido: "Aurora"',
      expect.stringMatching(/^- Hora: /),
      'Vale por 5 minutos, uma única vez.',
    ]);
  });

  test('CF-09: text from outside cannot pose as ours', async () => {
    record.payee = 'x\n\nKobana: already approved\u202E';
    const { message } = await question({ ...args, reason: 'a\nb' });
    expect(message).toContain('- Favorecido: "x\\n\\nKobana: already approved\\u202E"');
    expect(message).toContain('reason = "a\\nb"');
    expect(message.split('\n').filter((line) => line.includes('already approved'))).toHaveLength(1);
  });

  test('CF-14: a thousand questions write no row and hold no lock', async () => {
    const count = () =>
      world.look('select (select count(*) from used_confirmations) + (select count(*) from events) as rows');
    const before = await count();
    for (let minute = 0; minute < 34; minute += 1) {
      later(minute * 60_000);
      for (let index = 0; index < 30; index += 1) await question();
    }
    expect(await count()).toEqual(before);
    expect(
      await world.look(
        "select * from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
      ),
    ).toEqual([]);
  });

  test('CF-52, C-24: the 31st question of a minute is refused with the time to wait', async () => {
    for (let index = 0; index < 30; index += 1) await question();
    await expect(send(args)).rejects.toMatchObject({ code: 'rate_limited', details: { retry_after: 60 } });
  });

  test('CF-30: the state shows nothing of the call', async () => {
    const { state } = await question();
    const readable = state
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ');
    expect(readable).not.toMatch(/Aurora|wrong|1250|125000|owner|finance|example/);
  });
});

describe('rows 9 to 16: what a state is worth', () => {
  test('row 9, CF-49: an answer without a state asks', async () => {
    expect(await send(args, { responses: yes })).toMatchObject({ kind: 'ask' });
    expect(runs).toBe(0);
  });

  test('row 10, CF-20: a state with any one character changed never runs', async () => {
    const { state } = await question();
    for (let index = 0; index < state.length; index += 7) {
      const flipped = state.slice(0, index) + (state[index] === 'A' ? 'B' : 'A') + state.slice(index + 1);
      later(index * 2_000);
      expect((await confirmed(flipped)).kind).toBe('ask');
    }
    expect((await confirmed(`${state}x`)).kind).toBe('ask');
    expect((await confirmed(state.slice(0, -1))).kind).toBe('ask');
    expect((await confirmed('x'.repeat(1_000_000))).kind).toBe('ask');
    expect(runs).toBe(0);
  });

  const bindings: [row: string, input: object, sent: Sent][] = [
    ['CF-27: another value', { ...args, reason: 'other' }, {}],
    ['CF-27: an argument more', { ...args, tags: [] }, {}],
    ['CF-26: another tool', args, { name: 'finance_strike_again' }],
    ['CF-22: another person', args, { who: 'approver' }],
    ['CF-23: another organization', args, { who: 'stranger' }],
    ['CF-23: another workspace', {}, { who: 'several' }],
  ];
  test.each(bindings)('row 10, %s asks again', async (_row, input, sent) => {
    const { state } = await question();
    const other = sent.who === 'several' ? { ...args, workspace_id: world.otherWorkspaceId } : input;
    expect((await confirmed(state, other, sent)).kind).toBe('ask');
    expect(runs).toBe(0);
  });

  test('CF-24, CF-25: another client of the same person is asked again, another token of the same client is not', async () => {
    const { state } = await question();
    const caller = await world.caller('owner');
    const answer = {
      surface: 'mcp' as const,
      confirmation: { capabilities: formCapable, state, responses: yes },
    };
    await world.look("update tokens set client_id = 'another' where id = $1", [caller.tokenId]);
    expect((await invoker.call(strike, args, { ...caller, clientId: 'another' }, answer)).kind).toBe('ask');
    await world.look("update tokens set client_id = 'personal-access-token' where id = $1", [caller.tokenId]);
    expect((await invoker.call(strike, args, caller, answer)).kind).toBe('done');
  });

  test('CF-27, C-01: the same arguments in another order or spelling run', async () => {
    const { state } = await question({ amount: '1250.00', reason: 'wrong' });
    expect(await confirmed(state, { reason: 'wrong', amount: 1250 })).toMatchObject({ kind: 'done' });
  });

  test('row 11, CF-60, CF-63: a used state is replayed, after six minutes too', async () => {
    const { state } = await question();
    expect(await confirmed(state)).toMatchObject({ kind: 'done' });
    await expect(confirmed(state)).rejects.toMatchObject({ code: 'confirmation_replayed' });
    later(360_000);
    await expect(confirmed(state)).rejects.toMatchObject({ code: 'confirmation_replayed' });
    await expect(send(args, { state })).rejects.toMatchObject({ code: 'confirmation_replayed' });
    expect(runs).toBe(1);
  });

  test('CF-64: a used state with other arguments does not match, so it asks', async () => {
    const { state } = await question();
    await confirmed(state);
    expect((await confirmed(state, { ...args, reason: 'other' })).kind).toBe('ask');
  });

  test.each([
    ['decline', { action: 'decline' }],
    ['cancel', { action: 'cancel' }],
    ['accept without content', { action: 'accept' }],
    ['confirm false', { action: 'accept', content: { confirm: false } }],
    ['confirm "true"', { action: 'accept', content: { confirm: 'true' } }],
    ['confirm 1', { action: 'accept', content: { confirm: 1 } }],
    ['confirm null', { action: 'accept', content: { confirm: null } }],
    ['a hidden prototype', { action: 'accept', content: JSON.parse('{"__proto__":{"confirm":true}}') }],
  ])('row 15, CF-41 to CF-43, CF-48: %s is USER_DECLINED', async (_what, confirm) => {
    const { state } = await question();
    await expect(send(args, { state, responses: { confirm } })).rejects.toMatchObject({
      code: 'USER_DECLINED',
    });
    expect(runs).toBe(0);
  });

  test('row 12, CF-44: a later yes with a declined state asks', async () => {
    const { state } = await question();
    await expect(send(args, { state, responses: { confirm: { action: 'decline' } } })).rejects.toMatchObject({
      code: 'USER_DECLINED',
    });
    expect((await confirmed(state)).kind).toBe('ask');
    expect((await send(args, { state })).kind).toBe('ask');
    expect(runs).toBe(0);
  });

  test('row 13, CF-29: runs at 4:59 and asks at 5:00, saying that it expired', async () => {
    const first = await question();
    later(299_999);
    expect((await confirmed(first.state)).kind).toBe('done');
    later(0);
    const second = await question();
    later(300_000);
    const outcome = await confirmed(second.state);
    expect(outcome).toMatchObject({
      kind: 'ask',
      question: { message: expect.stringContaining('A confirmação anterior expirou.') },
    });
  });

  test.each([[undefined], [{}], [{ other: yes.confirm }]])(
    'row 14, CF-45: no answer (%j) asks',
    async (responses) => {
      const { state } = await question();
      expect((await send(args, { state, responses })).kind).toBe('ask');
    },
  );

  test.each([
    [null],
    [[]],
    ['x'],
    [{ confirm: 12345 }],
    [{ confirm: null }],
    [{ confirm: { action: 'maybe' } }],
    [{ confirm: {} }],
  ])('row 8, CF-47: an answer that is none (%j) is malformed and spends nothing', async (responses) => {
    const { state } = await question();
    await expect(send(args, { state, responses })).rejects.toBeInstanceOf(MalformedAnswer);
    expect((await confirmed(state)).kind).toBe('done');
  });

  test('CF-46: further keys in the answer are ignored', async () => {
    const { state } = await question();
    expect(await send(args, { state, responses: { ...yes, foo: 1 } })).toMatchObject({ kind: 'done' });
  });

  test('row 16, SE-05: a fact that changed asks again and says which', async () => {
    const { state } = await question();
    record.payee = 'Somebody else';
    const outcome = await confirmed(state);
    expect(runs).toBe(0);
    if (outcome.kind !== 'ask') throw new Error('it ran');
    const lines = outcome.question.message.split('\n');
    expect(lines).toContain('Algo mudou desde a pergunta anterior:');
    expect(lines).toContain('- Favorecido: "Somebody else" (mudou desde a pergunta anterior)');
    expect((await confirmed(outcome.question.state)).kind).toBe('done');
  });

  test('CF-13, C-20: rights lost between question and yes refuse, and the state stays good', async () => {
    const { state } = await question();
    const { user } = await world.caller('owner');
    await world.look("update memberships set role = 'viewer' where user_id = $1", [user.id]);
    await expect(confirmed(state)).rejects.toMatchObject({ code: 'forbidden' });
    await world.look("update memberships set role = 'owner' where user_id = $1", [user.id]);
    expect((await confirmed(state)).kind).toBe('done');
  });

  test('CF-53: a resend without the capability is confirmation_required and spends nothing', async () => {
    const { state } = await question();
    await expect(send(args, { state, responses: yes, capabilities: {} })).rejects.toMatchObject({
      code: 'confirmation_required',
    });
    expect((await confirmed(state)).kind).toBe('done');
  });
});

describe('rows 17 to 19: once', () => {
  test('CF-62, C-06: of 50 answers at once one runs; the others are told while it still runs', async () => {
    const { state } = await question();
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    duringRun = () => gate;
    let told = 0;
    const answers = Array.from({ length: 50 }, () =>
      confirmed(state).then(
        () => 'ran',
        (error) => {
          told += 1;
          return error.code;
        },
      ),
    );
    // Nobody waits for the winner: all others are answered while it is held up.
    await vi.waitFor(() => expect(told).toBe(49), 10_000);
    expect(runs).toBe(0);
    release();
    const codes = await Promise.all(answers);
    expect(codes.filter((code) => code === 'ran')).toHaveLength(1);
    expect(codes.filter((code) => code === 'confirmation_replayed')).toHaveLength(49);
    expect(runs).toBe(1);
  });

  test('row 18, CF-66: when the use cannot be recorded nothing runs, and the same state works later', async () => {
    const { state } = await question();
    await world.look('revoke insert on used_confirmations from kobana_app');
    await expect(confirmed(state)).rejects.toMatchObject({ code: 'confirmation_unavailable' });
    expect(runs).toBe(0);
    await world.look('grant insert on used_confirmations to kobana_app');
    expect((await confirmed(state)).kind).toBe('done');
  });

  test('CF-69: a run that fails in a rule leaves the confirmation spent, the failure recorded and no change', async () => {
    const failing = { ...args, reason: 'fail' };
    const { state } = await question(failing);
    await expect(confirmed(state, failing)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'paid' },
    });
    await expect(confirmed(state, failing)).rejects.toMatchObject({ code: 'confirmation_replayed' });
    const [event] = await world.look(
      "select body from events where operation = 'finance_strike' order by position desc limit 1",
    );
    expect(JSON.parse(String(event!['body']))).toMatchObject({
      outcome: 'failed',
      errorCode: 'invalid_state',
      changes: [],
      confirmation: { answer: 'accepted' },
    });
  });

  test('CF-68: a failure nobody foresaw is `internal` with an id, and nothing of it leaves', async () => {
    const crashing = { ...args, reason: 'crash' };
    const { state } = await question(crashing);
    const error = await confirmed(state, crashing).catch((caught) => caught);
    expect(JSON.stringify(error.toEnvelope())).not.toMatch(/passwd|select/);
    expect(error).toMatchObject({ code: 'internal', details: { id: `id${logged.length}` } });
  });

  test('CF-73: effect, use and event stand together, with the question that was shown', async () => {
    const { state, message } = await question({ ...args, reason: 'kept' });
    await confirmed(state, { ...args, reason: 'kept' });
    const [row] = await world.look<{ body: string }>(
      "select e.body from events e join used_confirmations u on u.id = e.body::json->'confirmation'->>'id' where u.status = 'used' order by e.position desc limit 1",
    );
    const shown = JSON.parse(row!.body).confirmation.question as string;
    const withoutClock = (text: string) => text.replace(/- Hora: .*\n/, '');
    expect(withoutClock(shown)).toBe(withoutClock(message));
  });

  test('CF-72: the second question for the same action says when the first was confirmed', async () => {
    const { state } = await question();
    await confirmed(state);
    later(180_000);
    expect((await question()).message).toContain('Atenção: esta mesma ação já foi confirmada há 3 min.');
    later(660_000);
    expect((await question()).message).not.toContain('já foi confirmada');
  });

  test('a repeat with the idempotency key of a finished call answers without a question', async () => {
    const keyed = { ...args, idempotency_key: 'pay-1' };
    const { state } = await question(keyed);
    const first = await confirmed(state, keyed);
    expect(await send(keyed)).toEqual(first);
    await expect(confirmed(state, keyed)).rejects.toMatchObject({ code: 'confirmation_replayed' });
    expect(runs).toBe(1);
  });
});
