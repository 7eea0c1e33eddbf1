/** `npm run bench:memory`: the resident memory of a serving process over 100,000 list calls. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { createBooks } from './books.ts';
import type { LoadResult } from './load.ts';
import { runJson, startServer } from './processes.ts';
import { modernCall } from './targets.ts';

const CALLS = 100_000;
const STEPS = 10;

const home = await mkdtemp(join(tmpdir(), 'kobana-bench-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  const books = await createBooks(server.ownerUrl, 10_000);
  const ours = await startServer(server.ownerUrl, home);
  const target = modernCall(
    `${ours.url}/finance/mcp`,
    'tools/call',
    { name: 'finance_payables_list', arguments: { limit: 20 } },
    { authorization: `Bearer ${books.token}` },
  );
  for (let step = 1; step <= STEPS; step += 1) {
    const options = { ...target, seconds: 0, connections: 16, amount: CALLS / STEPS };
    const { failures, total } = await runJson<LoadResult>(['bench/load.ts', JSON.stringify(options)]);
    if (failures > 0) throw new Error(`${failures} failures`);
    console.log(`${step * total} calls: ${await residentMegabytes(ours.pid)} MB`);
  }
  await ours.stop();
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024);
}
