/** The real command line as child processes of a test: started on loopback, ended by their own handle. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const commandLine = fileURLToPath(new URL('../../src/apps/kobana.ts', import.meta.url));
const READY_MS = 30_000;
const LOG_SHOWN = 4_000;

export interface ServeProcess {
  readonly pid: number;
  /** The finance endpoint. */
  readonly url: string;
  /** Ends it with this signal, waits until it is gone, and gives its exit code; null when the signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null>;
}

/** What a `kobana` process needs to know, and nothing of the environment of the test. */
export function environmentOf(variables: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    // Starts in a fraction of the time after the first one.
    NODE_COMPILE_CACHE: join(tmpdir(), 'kobana-test-compile-cache'),
    ...variables,
  };
}

/** Starts `kobana serve` without the worker, on a free port unless told otherwise, and waits until it serves. */
export async function startServe(
  databaseUrl: string,
  secretKeys: readonly string[],
  flags: readonly string[] = ['--port', '0'],
  variables: Readonly<Record<string, string>> = { KOBANA_RATE_LIMITS: 'none' },
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [commandLine, 'serve', '--no-worker', ...flags], {
    env: environmentOf({ DATABASE_URL: databaseUrl, KOBANA_SECRET_KEYS: secretKeys.join(','), ...variables }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const origin = await originOf(child);
  return {
    pid: child.pid!,
    url: `${origin}/finance/mcp`,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

/** The address in the log line by which the process says that it serves. */
function originOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    const failed = (why: string) => reject(new Error(`kobana serve ${why}: ${log}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      failed('did not get ready');
    }, READY_MS);
    child.once('error', reject);
    child.once('exit', (code) => failed(`ended with ${code}`));
    child.stderr!.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString('utf8')).slice(-LOG_SHOWN);
      const url = /"url":"([^"]+)"[^\n]*"msg":"serving"/.exec(log)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

/** Makes the first owner on an empty database by the command line; gives the path of the link and the ids. */
export async function createOwnerThere(
  databaseUrl: string,
  secretKeys: readonly string[],
): Promise<{ path: string; workspaceId: string }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...[commandLine, 'owner', 'create', '--email', 'dona@aurora.example', '--name', 'Dona da Aurora'],
      ...['--organization', 'Aurora Comércio', '--workspace', 'Matriz', '--json'],
    ],
    { env: environmentOf({ DATABASE_URL: databaseUrl, KOBANA_SECRET_KEYS: secretKeys.join(',') }) },
  );
  const { url, workspace_id: workspaceId } = JSON.parse(stdout);
  return { path: new URL(url).pathname, workspaceId };
}
