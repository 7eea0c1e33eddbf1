/** What holds of a running server besides its answers: where it listens, what it logs, how long it waits. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readConfig } from '../../src/apps/config.ts';
import { createAppServer, listen, shut } from '../../src/apps/server.ts';
import { sql } from '../../src/db/sql.ts';
import { call, errorOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { commandLine, environmentOf } from '../support/processes.ts';
import { callOf, createRawClient, type RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { createRecords, type Records } from './product.ts';

const PROCESS_KEY = 'a key of the process that is watched';

let world: World;
let server: HttpServer;
let client: RawClient;
let records: Records;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client();
  records = await createRecords(world, 'owner', world.workspaceId);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Tries until it holds, for half a minute at most. */
async function eventually<T>(work: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const value = await work();
    if (holds(value)) return value;
    await wait(100);
  }
  return work();
}

describe('where it listens', () => {
  it('TR-09: is loopback unless told otherwise: no other address of the machine answers', async () => {
    const { host } = readConfig({});
    expect(host).toBe('127.0.0.1');
    const own = createAppServer(world.runtime);
    const port = await listen(own, 0, host);
    expect(own.address()).toMatchObject({ address: '127.0.0.1', port });
    const outside = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) {
      const refusal = await new Promise((resolve) => {
        const socket = connect(port, address, () => resolve('connected'));
        socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
      });
      expect(refusal, address).toBe('ECONNREFUSED');
    }
    await shut(own, 0);
  });
});

describe('the access log', () => {
  const lines = (operation: string) =>
    world.look<{ operation: string; outcome: string; line: string }>(
      'select operation, outcome, row_to_json(access_log)::text as line from access_log where operation = $1',
      [operation],
    );

  it('TR-59: names the tool of the body, whatever a header says', async () => {
    const forged = { headers: { 'Mcp-Name': 'finance_payables_delete', 'Mcp-Method': 'tools/call' } };
    const refused = await client.m('tools/call', callOf('finance_companies_list', {}), forged);
    expect(refused.body.error.code).toBe(-32020);
    const legacy = await client.l('tools/call', callOf('finance_workspaces_list', {}), forged);
    expect(legacy.body.result.isError).toBeUndefined();
    const written = await eventually(
      () => lines('finance_workspaces_list'),
      (found) => found.length > 0,
    );
    expect(written.map(({ outcome }) => outcome)).toEqual(['done']);
    expect(await lines('finance_companies_list')).toEqual([]);
    expect(await lines('finance_payables_delete')).toEqual([]);
  });

  it('RE-05 RE-33: of a resource names its tool, and neither the URI nor the record', async () => {
    const uri = `kobana://finance/people/${records.person}`;
    expect((await client.m('resources/read', { uri })).body.error).toBeUndefined();
    const written = await eventually(
      () => lines('finance_people_get'),
      (found) => found.length > 0,
    );
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0]!.line)).toMatchObject({ surface: 'resource', outcome: 'done' });
    expect(written[0]!.line).not.toContain(records.person);
    expect(written[0]!.line).not.toContain('kobana://');
  });
});

describe('what the process logs', () => {
  it('UT-12 AU-19 RE-33: neither tokens nor persons nor records, not even when something breaks', async () => {
    const child = spawn(process.execPath, [commandLine, 'serve', '--no-worker', '--port', '0'], {
      env: environmentOf({ DATABASE_URL: world.url, KOBANA_SECRET_KEYS: PROCESS_KEY }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const logged = gather(child);
    try {
      const url = await eventually(
        async () => /"url":"([^"]+)"[^\n]*"msg":"serving"/.exec(logged())?.[1],
        (found) => found !== undefined,
      );
      expect(url, logged()).toBeDefined();
      await provoke(`${url}/finance/mcp`);
    } finally {
      child.kill('SIGTERM');
      await exited;
    }
    expect(logged()).toContain('failed: finance_people_create');
    const private_ = [
      world.tokens.owner,
      'kob_finance_',
      PROCESS_KEY,
      'Pessoa Exemplo',
      '52998224725',
      'pessoa@example.com',
      records.person,
      'kobana://',
    ];
    expect(private_.filter((text) => logged().includes(text))).toEqual([]);
  }, 60_000);

  function gather(child: ChildProcess): () => string {
    let text = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
    }
    return () => text;
  }

  /** Good and bad requests, and one that the database refuses for a reason nobody foresaw. */
  async function provoke(url: string): Promise<void> {
    const by = createRawClient(url, world.tokens.owner);
    await by.m('resources/read', { uri: `kobana://finance/people/${records.person}` });
    await createRawClient(url, `${world.tokens.owner}x`).m('tools/list');
    await by.m('tools/call', callOf('finance_people_create', { name: 'Pessoa Exemplo', emails: 'x' }));
    await world.look("alter table people add constraint surprise check (name <> 'Pessoa Exemplo')");
    const person = {
      name: 'Pessoa Exemplo',
      document_number: '52998224725',
      emails: ['pessoa@example.com'],
      roles: ['supplier'],
    };
    const broken = await by.m('tools/call', callOf('finance_people_create', person));
    await world.look('alter table people drop constraint surprise');
    expect(errorOf(broken).code).toBe('internal');
    expect(broken.text).not.toContain('surprise');
  }
});

describe('how long it waits', () => {
  it('UT-07: every statement has an end, and so has a transaction that does nothing', async () => {
    const row = await world.runtime.database.shared.row<Record<string, string>>(sql`
      select current_setting('statement_timeout') as statement,
             current_setting('idle_in_transaction_session_timeout') as idle`);
    expect(row).toEqual({ statement: '30s', idle: '1min' });
    const own = createAppServer(world.runtime);
    expect([own.headersTimeout, own.requestTimeout]).toEqual([10_000, 60_000]);
  });

  it('UT-07: a statement that was given up is a tool error, and the server goes on', async () => {
    const blocker = await lockPayables();
    const pending = client.m('tools/call', callOf('finance_payables_list', {}));
    await cancelWaiting();
    await blocker.end();
    const error = errorOf(await pending);
    expect(['internal', 'unavailable']).toContain(error.code);
    expect(error.message).not.toMatch(/statement|cancel/i);
    expect((await call(client, 'finance_payables_list', {}))['items']).toHaveLength(1);
  });

  it('TR-70: whoever leaves in the middle of a read gets nothing more, and nobody else notices', async () => {
    const blocker = await lockPayables();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: callOf('finance_payables_list', {}) };
    const abort = new AbortController();
    const left = fetch(server.url, {
      method: 'POST',
      signal: abort.signal,
      body: JSON.stringify(body),
      headers: {
        Authorization: `Bearer ${world.tokens.owner}`,
        'Content-Type': 'application/json',
        'MCP-Protocol-Version': '2025-11-25',
      },
    });
    await waiting();
    abort.abort();
    await expect(left).rejects.toThrow(/abort/i);
    await blocker.end();
    for (let index = 0; index < 5; index += 1) {
      expect((await call(client, 'finance_payables_list', {}))['items']).toHaveLength(1);
    }
  });

  /** A connection that keeps every reader of payables waiting until it ends. */
  async function lockPayables(): Promise<pg.Client> {
    const blocker = new pg.Client({ connectionString: world.url });
    await blocker.connect();
    await blocker.query('begin; lock table payables in access exclusive mode');
    return blocker;
  }

  const waiting = () =>
    eventually(
      () =>
        world.look<{ pid: number }>(
          "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        ),
      (found) => found.length > 0,
    );

  async function cancelWaiting(): Promise<void> {
    const [one] = await waiting();
    await world.look('select pg_cancel_backend($1)', [one!.pid]);
  }
});

test('AU-10 UT-14 SE-17: nothing of a request goes anywhere: only gateways call out, which jobs alone reach, and who fetches what others publish', async () => {
  const root = new URL('../../', import.meta.url);
  const calling =
    /\bfetch\(|\bWebSocket\(|undici|axios|import (?!type)[^;]*\b(?:request|get|connect|Agent)\b[^;]*'node:(?:https?|http2|net|tls|dgram)'/;
  const found: string[] = [];
  let files = 0;
  for await (const path of glob('src/**/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts')) continue;
    files += 1;
    if (calling.test(readFileSync(new URL(path, root), 'utf8'))) found.push(path);
  }
  expect(files).toBeGreaterThan(150);
  // The embedded server looks whether its own port is taken; the adapters send what a person confirmed; published
  // descriptions of clients and the keys of the configured identity provider are read, and nothing is sent there.
  expect(found.sort()).toEqual([
    'src/apps/commands/doctor.ts',
    'src/db/embedded/postmaster.ts',
    'src/gateways/bank/kobana/http.ts',
    'src/gateways/messages/http.ts',
    'src/gateways/webhooks/sender.ts',
    'src/identity/external.ts',
    'src/oauth/fetching.ts',
  ]);
});
