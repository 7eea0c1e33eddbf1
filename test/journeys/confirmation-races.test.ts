/** Confirmations under trouble: clients that go away in the middle, and two processes that are asked at once. */

import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectAnswers } from '../support/answers.ts';
import { createBill, createPayer, type Payer } from '../support/banking.ts';
import {
  ask,
  confirm,
  effectsOfSending,
  errorOf,
  nothingSent,
  outputOf,
  questionOf,
  sentOnce,
} from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { type ServeProcess, startServe } from '../support/processes.ts';
import {
  CAPABILITIES_KEY,
  callOf,
  createRawClient,
  type RawClient,
  VERSION_KEY,
} from '../support/raw-client.ts';
import { until } from '../support/until.ts';
import { formCapable, openWorld, type World } from '../support/world.ts';

const SEND = 'finance_payables_send_to_bank';
const OLD_KEY = 'the key before a rotation of thirty-two bytes or more';
const NEW_KEY = 'the key after a rotation of thirty-two bytes or more';

const answers = collectAnswers();
let world: World;
let payer: Payer;
let server: HttpServer;
let client: RawClient;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
  server = await openServer(world);
  client = server.client('owner', answers);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const newBill = () => createBill(world, payer);
const sendArgs = (id: string) => ({ id, account_id: payer.accountId });
const effectsOf = (payableId: string) => effectsOfSending(world, payableId);

/** Sends a confirmed call on a connection of its own and gives the way to break that connection. */
function startConfirmed(args: object, state: string): { abort: () => void; gone: Promise<void> } {
  const params = {
    ...callOf(SEND, args, state),
    _meta: { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: formCapable },
  };
  const outgoing = request(server.url, {
    method: 'POST',
    agent: false,
    headers: {
      Authorization: `Bearer ${world.tokens.owner}`,
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': SEND,
    },
  });
  const gone = new Promise<void>((resolve) => outgoing.once('close', resolve));
  outgoing.on('error', () => {});
  outgoing.on('response', (incoming) => incoming.on('error', () => {}).resume());
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params }));
  return { abort: () => outgoing.destroy(), gone };
}

describe('a client that goes away', () => {
  test.each([0, 2, 5, 10, 20, 50])(
    'TR-72: %i ms after its yes leaves the effect exactly once when it comes back',
    async (ms) => {
      const id = await newBill();
      const { state } = await ask(client, SEND, sendArgs(id));
      const { abort, gone } = startConfirmed(sendArgs(id), state);
      await wait(ms);
      abort();
      await gone;
      // It may have gone before the server had its yes: then the same yes runs now, else it is a replay.
      const again = await confirm(client, SEND, sendArgs(id), state);
      if (again.body.result.isError === true) expect(errorOf(again).code).toBe('confirmation_replayed');
      else expect(outputOf(again)).toMatchObject({ payable_id: id });
      await until(async () => (await effectsOf(id)).orders === 1);
      expect(await effectsOf(id)).toEqual(sentOnce);
      expect(errorOf(await confirm(client, SEND, sendArgs(id), state)).code).toBe('confirmation_replayed');
    },
  );

  test('TR-72 CF-62: in the middle of the run does not stop it, and a yes meanwhile is a replay', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    // Holds the run up where it locks the payable, so that it is certainly running when the client goes.
    const holder = new pg.Client({ connectionString: world.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from payables where id = $1 for update', [id]);
      const { abort, gone } = startConfirmed(sendArgs(id), state);
      await until(async () => {
        const waiting = await world.look(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
      abort();
      await gone;
      expect(errorOf(await confirm(client, SEND, sendArgs(id), state)).code).toBe('confirmation_replayed');
      expect(await effectsOf(id)).toEqual(nothingSent);
      await holder.query('commit');
    } finally {
      await holder.end();
    }
    await until(async () => (await effectsOf(id)).orders === 1);
    expect(errorOf(await confirm(client, SEND, sendArgs(id), state)).code).toBe('confirmation_replayed');
    expect(await effectsOf(id)).toEqual(sentOnce);
  });
});

describe('two serving processes on one database', () => {
  let before: ServeProcess;
  let after: ServeProcess;
  beforeAll(async () => {
    // The second one has been given a new key and still knows the old one.
    [before, after] = await Promise.all([
      startServe(world.url, [OLD_KEY]),
      startServe(world.url, [NEW_KEY, OLD_KEY]),
    ]);
  });
  afterAll(() => Promise.all([before?.end('SIGTERM'), after?.end('SIGTERM')]));
  const clientOf = (process: ServeProcess) => answers.keep(createRawClient(process.url, world.tokens.owner));

  test('CF-31: what one has asked the other takes the yes for, across a rotation of keys', async () => {
    const id = await newBill();
    const { state } = await ask(clientOf(before), SEND, sendArgs(id));
    expect(outputOf(await confirm(clientOf(after), SEND, sendArgs(id), state))).toMatchObject({
      payable_id: id,
    });
    const replay = errorOf(await confirm(clientOf(before), SEND, sendArgs(id), state));
    expect(replay.code).toBe('confirmation_replayed');
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('CF-31: a process that does not know the key asks again instead of running', async () => {
    const id = await newBill();
    const { state } = await ask(clientOf(after), SEND, sendArgs(id));
    questionOf(await confirm(clientOf(before), SEND, sendArgs(id), state));
    expect(await effectsOf(id)).toEqual(nothingSent);
  });

  test('CF-60 CF-62: fifty yeses at once over both give one effect and forty-nine replays', async () => {
    const id = await newBill();
    const { state } = await ask(clientOf(before), SEND, sendArgs(id));
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        confirm(clientOf(index % 2 === 0 ? before : after), SEND, sendArgs(id), state),
      ),
    );
    const [ran, others] = [
      all.filter(({ body }) => body.result?.structuredContent !== undefined),
      all.filter(({ body }) => body.result?.isError === true),
    ];
    expect(ran).toHaveLength(1);
    expect(others.map((answer) => errorOf(answer).code)).toEqual(Array(49).fill('confirmation_replayed'));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });
});

test('no answer of these tests holds a stack, SQL, a path, a token or a key', () => {
  expect(answers.count()).toBeGreaterThan(50);
  answers.expectNothingInside(world);
});
