/** Child processes of the bench: started on loopback, waited for, ended by their own handle. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Counting is part of what is measured; being refused is not. */
const UNREACHED_LIMITS = ['token', 'person', 'organization', 'tool', 'destructive']
  .map((kind) => `${kind}=9999999/s`)
  .join(',');
const root = fileURLToPath(new URL('../', import.meta.url));

export interface Running {
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a program in the repository and waits until the address answers anything at all. */
export async function start(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  readyUrl: string,
): Promise<Running> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-4_000);
  });
  const deadline = Date.now() + 30_000;
  while (!(await answers(readyUrl))) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${errors}`);
    if (Date.now() > deadline) throw new Error(`${command} did not answer: ${errors}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    child,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** A program that prints one line of JSON. */
export function runJson<Result>(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.once('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output.trim().split('\n').at(-1)!) as Result);
      else reject(new Error(`${args[0]} ended with ${code}`));
    });
  });
}

/** A port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  }
}

/** Our server on a free port, without a worker. */
export async function startServer(
  databaseUrl: string,
  home: string,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    DATABASE_URL: databaseUrl,
    KOBANA_SECRET_KEYS: 'b'.repeat(48),
    KOBANA_HOME: home,
    KOBANA_RATE_LIMITS: UNREACHED_LIMITS,
  };
  const args = [...(await kobanaArguments()), 'serve', '--no-worker', '--port', String(port)];
  const { child, stop } = await start(process.execPath, args, environment, `${url}/healthz`);
  return { url, pid: child.pid!, stop };
}

/** What `npm run kobana` starts Node with: the flags that keep memory small, and the program. */
async function kobanaArguments(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return scripts.kobana.split(' ').slice(1);
}
