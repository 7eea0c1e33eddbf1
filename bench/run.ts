/**
 * `npm run bench`: the same page of payables through a bare server, a peer, and ours, in turns in one run; the
 * tool list against the official SDK; and the confirmation round trip. Prints and writes `bench/results.md`.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { type Books, createBooks } from './books.ts';
import { measureConfirmations } from './confirmations.ts';
import type { LoadResult } from './load.ts';
import { freePort, type Running, runJson, start, startServer } from './processes.ts';
import { reportOf } from './report.ts';
import { PAGE } from './statements.ts';
import { legacyCall, modernCall, type Target, toolboxConfig } from './targets.ts';
import { toolboxProgram } from './toolbox.ts';

const PAYABLES = 10_000;
const CONNECTIONS = 16;
const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;

const home = await mkdtemp(join(tmpdir(), 'kobana-bench-'));
const server = await openEmbedded(home);
const running: Pick<Running, 'stop'>[] = [];
try {
  await migrate(server.ownerUrl);
  const books = await createBooks(server.ownerUrl, PAYABLES);
  const targets = await startAll(books);
  const results = await inTurns(targets);
  const confirmation = await measureConfirmations(targets.ours, books);
  const text = reportOf(results, confirmation, {
    node: process.version,
    cores: cpus().length,
    connections: CONNECTIONS,
    payables: PAYABLES,
    page: PAGE,
    rounds: ROUNDS,
    seconds: SECONDS,
  });
  console.log(text);
  await writeFile(new URL('results.md', import.meta.url), text);
} finally {
  for (const one of running) await one.stop();
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function startAll(books: Books): Promise<{ list: Record<string, Target>; ours: string }> {
  const bare = await startNode('bench/peers/bare.ts', { BENCH_DATABASE_URL: server.ownerUrl });
  const toolbox = await startToolbox();
  const sdk = await startNode('bench/peers/mcp-server.ts', {});
  const our = await startServer(server.ownerUrl, home);
  running.push(our);
  const ours = our.url;
  const headers = { authorization: `Bearer ${books.token}` };
  const page = { name: 'finance_payables_list', arguments: { limit: PAGE } };
  return {
    ours,
    list: {
      bare: {
        url: bare,
        headers: {},
        body: JSON.stringify({ workspace_id: books.workspaceId }),
      },
      toolbox: legacyCall(`${toolbox}/mcp`, 'tools/call', {
        name: 'payables_list',
        arguments: { workspace_id: books.workspaceId },
      }),
      'ours, 2026': modernCall(`${ours}/finance/mcp`, 'tools/call', page, headers),
      'ours, 2025': legacyCall(`${ours}/finance/mcp`, 'tools/call', page, headers),
      'tools/list, SDK McpServer': modernCall(sdk, 'tools/list', {}),
      'tools/list, ours': modernCall(`${ours}/finance/mcp?toolsets=all`, 'tools/list', {}, headers),
    },
  };
}

async function startNode(file: string, environment: Record<string, string>): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  running.push(await start(process.execPath, [file], { BENCH_PORT: String(port), ...environment }, url));
  return url;
}

async function startToolbox(): Promise<string> {
  const port = await freePort();
  const config = join(home, 'toolbox.yaml');
  const { username, password } = new URL(server.ownerUrl.replace('@/', '@localhost/'));
  await writeFile(
    config,
    toolboxConfig({ port: server.port, user: username, password: decodeURIComponent(password) }),
    { mode: 0o600 },
  );
  const url = `http://127.0.0.1:${port}`;
  const args = [
    '--config',
    config,
    '--port',
    String(port),
    '--log-level',
    'ERROR',
    '--disable-version-check',
    '--disable-reload',
  ];
  running.push(await start(toolboxProgram(), args, {}, url));
  return url;
}

/** Every target in every round, so that a busy moment of the machine meets all of them. */
async function inTurns({ list }: { list: Record<string, Target> }): Promise<Record<string, LoadResult[]>> {
  const results: Record<string, LoadResult[]> = {};
  for (const target of Object.values(list)) await burst(target, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(list)) {
      const result = await burst(target, SECONDS);
      if (result.failures > 0) throw new Error(`${name}: ${result.failures} failures`);
      results[name] = [...(results[name] ?? []), result];
    }
  }
  return results;
}

function burst(target: Target, seconds: number): Promise<LoadResult> {
  return runJson<LoadResult>([
    'bench/load.ts',
    JSON.stringify({ ...target, seconds, connections: CONNECTIONS }),
  ]);
}
