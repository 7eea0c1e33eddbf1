/**
 * Writes everything that is derived: `schema.sql`, row types, `docs/errors.md` and the tool contracts.
 * With `--check` it writes nothing and fails when a committed file differs.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { dumpRowTypes, dumpSchema } from '../src/db/dump.ts';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';

const root = new URL('../', import.meta.url);
const isCheck = process.argv.includes('--check');

const home = await mkdtemp(join(tmpdir(), 'kobana-generate-'));
const server = await openEmbedded(home, { durable: false });
const stale: string[] = [];
try {
  await migrate(server.ownerUrl);
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  try {
    await produce('src/db/schema.sql', await dumpSchema(client));
    await produce('src/db/rows.ts', await dumpRowTypes(client));
  } finally {
    await client.end();
  }
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}
// The contract needs the row types, so it is loaded only now.
const { contractFiles } = await import('./contract.ts');
for (const [path, content] of contractFiles()) await produce(path, content);

if (stale.length > 0) {
  console.error(`Out of date, run \`npm run generate\`: ${stale.join(', ')}`);
  process.exitCode = 1;
}

async function produce(path: string, content: string): Promise<void> {
  const file = new URL(path, root);
  const before = await readFile(file, 'utf8').catch(() => null);
  if (before === content) return;
  if (isCheck) stale.push(path);
  else await writeFile(file, content);
}
