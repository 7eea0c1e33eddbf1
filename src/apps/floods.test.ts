import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, errorOf, outputOf } from '../../test/support/confirming.ts';
import { type HttpServer, openServer } from '../../test/support/http.ts';
import { commandLine, environmentOf } from '../../test/support/processes.ts';
import { callOf, createRawClient } from '../../test/support/raw-client.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { newId } from '../core/ids.ts';

const MINUTE = 60_000;
let world: World;
let server: HttpServer;
let clock = Date.UTC(2026, 9, 1);

beforeAll(async () => {
  world = await openWorld({
    rateLimits: {
      token: { calls: 6, perMs: MINUTE },
      person: { calls: 8, perMs: MINUTE },
      address: { calls: 12, perMs: MINUTE },
      tool: { calls: 4, perMs: MINUTE },
      destructive: { calls: 2, perMs: MINUTE },
    },
    trustedProxies: 1,
  });
  server = await openServer(world);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

/** Every bucket is full again. */
function anew(): void {
  clock += 10 * MINUTE;
  world.setNow(new Date(clock).toISOString());
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
const statuses = async (count: number, work: () => Promise<{ status: number }>) => {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await work()).status);
  return found;
};

describe('a flood', () => {
  test('SE-15 TO-16: of one token gets 429 with Retry-After, others of the same person go on until theirs', async () => {
    anew();
    const client = server.client('owner');
    expect(await statuses(7, () => client.m('server/discover'))).toEqual([200, 200, 200, 200, 200, 200, 429]);
    const refused = await client.m('server/discover');
    expect(refused.headers).toMatchObject({
      'retry-after': '10',
      'ratelimit-limit': '6',
      'ratelimit-remaining': '0',
    });
    expect(refused.body).toEqual({
      error: {
        code: 'rate_limited',
        message: 'Too many calls in a short time. Wait `retry_after` seconds and try again.',
      },
    });
    expect((await server.client('colleague').m('server/discover')).status).toBe(200);
    clock += 10_000;
    world.setNow(new Date(clock).toISOString());
    expect((await client.m('server/discover')).status).toBe(200);
    expect((await client.m('server/discover')).status).toBe(429);
  });

  test('SE-15: is answered before its body is read', async () => {
    anew();
    const client = server.client('owner');
    await statuses(6, () => client.m('server/discover'));
    const answer = await new Promise<number>((resolve, reject) => {
      const req = request(server.url, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${world.tokens.owner}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Content-Length': 1_000_000,
        },
      });
      req.on('response', (res) => {
        resolve(res.statusCode!);
        req.destroy();
      });
      req.on('error', reject);
      req.write('{');
    });
    expect(answer).toBe(429);
  });

  test('SE-15: of guessed tokens is counted by address, whatever it forges, and others are not held up by it', async () => {
    anew();
    const guess = createRawClient(server.url, 'kob_finance_guess');
    const send = (address: string) => guess.m('server/discover', {}, from(address));
    const first = await statuses(13, () => send(`${Math.random()}, 203.0.113.9`));
    expect(first).toEqual([...Array.from({ length: 12 }, () => 401), 429]);
    expect((await send('203.0.113.10')).status).toBe(401);
    const refused = await send('203.0.113.9');
    expect(refused.headers['content-type']).toBe('application/problem+json');
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited', retry_after: 5 });
  });

  test('SE-15: counts every path but what watches the process', async () => {
    anew();
    const get = (path: string) =>
      fetch(new URL(path, server.url), { headers: { 'X-Forwarded-For': '203.0.113.20' } });
    await statuses(12, () => get('/no/such/page'));
    expect((await get('/console')).status).toBe(429);
    expect((await get('/finance/v1/payables')).status).toBe(429);
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });

  test('SE-15: from this machine is not counted by address, for a proxy that is not announced may have sent it', async () => {
    anew();
    const guess = createRawClient(server.url, 'kob_finance_guess');
    expect(new Set(await statuses(30, () => guess.m('server/discover')))).toEqual(new Set([401]));
  });

  test('keeps the process answering while a connection is cut off', async () => {
    anew();
    const socket = connect(server.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (let index = 0; index < 13; index += 1) {
      socket.write('GET /x HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.30\r\n\r\n');
    }
    socket.resume();
    await closed;
    expect((await server.client('colleague').m('server/discover')).status).toBe(200);
  });
});

describe('a tool called too often', () => {
  test('SE-15 TO-16: is an error that tells the model how long to wait; another tool goes on', async () => {
    anew();
    const client = server.client('several');
    const list = () =>
      client.m('tools/call', callOf('finance_companies_list', { workspace_id: world.workspaceId }));
    for (let index = 0; index < 4; index += 1) outputOf(await list());
    expect(errorOf(await list())).toMatchObject({ code: 'rate_limited', details: { retry_after: 15 } });
    await call(client, 'finance_workspaces_list', {});
  });
});

describe('destructive tools', () => {
  test('SE-15: are counted together for each person, at a lower limit than others', async () => {
    anew();
    const codeOf = async (who: 'approver' | 'accountant', name: string) => {
      const args = { workspace_id: world.workspaceId, id: newId() };
      const answer = await server.client(who).m('tools/call', callOf(name, args));
      return errorOf(answer).code;
    };
    expect(await codeOf('approver', 'finance_payables_delete')).not.toBe('rate_limited');
    expect(await codeOf('approver', 'finance_receivables_delete')).not.toBe('rate_limited');
    expect(await codeOf('approver', 'finance_payables_cancel')).toBe('rate_limited');
    expect(await codeOf('accountant', 'finance_payables_cancel')).not.toBe('rate_limited');
  });
});

describe('AU-20: the command line', () => {
  test('AU-20: refuses to serve other machines in the clear before it opens anything, and says what to do', async () => {
    const child = spawn(process.execPath, [commandLine, 'serve', '--host', '0.0.0.0'], {
      env: environmentOf({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, said]).toEqual([
      2,
      expect.stringMatching(/^kobana: HOST 0\.0\.0\.0 .*set PUBLIC_URL.*\n$/),
    ]);
  }, 60_000);
});
