/** What the tests of the embedded server share: homes, servers and processes that are gone after each test. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { type EmbeddedServer, openEmbedded } from '../../src/db/embedded/index.ts';
import { isProcessAlive } from '../../src/db/embedded/processes.ts';

export const fast = { durable: false };

export const folders: string[] = [];
export const servers: EmbeddedServer[] = [];
export const children: ChildProcess[] = [];

/** A home with data and no server. Copying it is faster than making one, where the making is not the point. */
export let template: string;

/** Registers the hooks of a test file. */
export function useEmbeddedServers(): void {
  vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });
  beforeAll(async () => {
    template = join(await mkdtemp(join(tmpdir(), 'kobana-embedded-template-')), 'home');
    await chmod(join(template, '..'), 0o755);
    await (await openEmbedded(template, fast)).release();
  });

  afterAll(() => rm(join(template, '..'), { recursive: true, force: true }));

  afterEach(async () => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    for (const server of servers.splice(0)) await server.release();
    for (const folder of folders.splice(0)) {
      for (const home of readdirSync(folder).map((name) => join(folder, name))) {
        const pid = postmasterPid(home);
        if (pid !== undefined && isPostmasterOf(pid, home)) process.kill(pid, 'SIGQUIT');
        while (pid !== undefined && isPostmasterOf(pid, home) && isProcessAlive(pid)) await wait(20);
      }
      await rm(folder, { recursive: true, force: true });
    }
  });
}

export interface HolderAnswer {
  ownerUrl?: string;
  port?: number;
  error?: string;
}

export function startHolder(home: string, options: object, prefix: string[] = []) {
  const holderFile = fileURLToPath(new URL('../../src/db/embedded/holder.ts', import.meta.url));
  const [program, ...parameters] = [...prefix, process.execPath, holderFile, home, JSON.stringify(options)];
  const child = spawn(program!, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const opened = once(createInterface(child.stdout!), 'line').then(
    ([line]) => JSON.parse(line) as HolderAnswer,
  );
  const release = async () => {
    const exit = once(child, 'exit');
    child.stdin!.write('release\n');
    expect(await exit).toEqual([0, null]);
  };
  return { child, opened, release };
}

export async function open(home: string, options: object): Promise<EmbeddedServer> {
  await mkdir(join(home, '..'), { recursive: true });
  const server = await openEmbedded(home, options);
  servers.push(server);
  return server;
}

/** A home whose data was made before, in a folder of that mode. */
export async function makeHome(mode?: number): Promise<string> {
  const home = join(await makeParent(mode), 'home');
  await copyHome(template, home);
  return home;
}

/** With owners and modes, which Node's own copy leaves out. */
export async function copyHome(from: string, to: string): Promise<void> {
  expect(spawnSync('cp', ['-a', from, to]).status).toBe(0);
}

/** A folder that everyone may enter, unless told otherwise: mkdtemp's own are closed. */
export async function makeParent(mode = 0o755): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kobana-embedded-')));
  folders.push(folder);
  await chmod(folder, mode);
  return folder;
}

export async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

export function postmasterPid(home: string): number | undefined {
  try {
    return Number(readFileSync(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

export function isPostmasterOf(pid: number, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(home, 'postgres', 'data'));
  } catch {
    return false;
  }
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
