/** `npm run bench:start`: from `npm run demo` on an empty home to the first answered call. */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './processes.ts';
import { modernCall } from './targets.ts';

const home = await mkdtemp(join(tmpdir(), 'kobana-start-'));
const port = await freePort();
const startedAt = performance.now();
const demo = spawn('npm', ['run', 'demo'], {
  cwd: fileURLToPath(new URL('../', import.meta.url)),
  env: { ...process.env, KOBANA_HOME: join(home, 'home'), PORT: String(port) },
  stdio: ['ignore', 'pipe', 'ignore'],
  detached: true,
});
try {
  const token = await tokenOf();
  const { url, headers, body } = modernCall(
    `http://127.0.0.1:${port}/finance/mcp`,
    'tools/call',
    { name: 'finance_payables_list', arguments: { overdue: true, limit: 20 } },
    { authorization: `Bearer ${token}` },
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body,
  });
  const { result } = (await response.json()) as { result: { structuredContent: { items: unknown[] } } };
  if (result.structuredContent.items.length !== 20) throw new Error('the first call was not answered');
  console.log(`first answered call after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
} finally {
  const ended = new Promise((resolve) => demo.once('exit', resolve));
  process.kill(-demo.pid!, 'SIGINT');
  await ended;
  await rm(home, { recursive: true, force: true });
}

/** The token as a newcomer reads it from the terminal. */
function tokenOf(): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    demo.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      const token = /full\s+(kob_finance_\S+)/.exec(output)?.[1];
      if (token !== undefined) resolve(token);
    });
    demo.once('exit', (code) => reject(new Error(`demo ended with ${code}`)));
  });
}
