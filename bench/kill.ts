/**
 * Kills `kobana serve` at many random moments while payments are confirmed, and says what was left behind:
 * `node bench/kill.ts [moments=200] [seed=1]`. Ends with 1 when anything ran twice, unrecorded or was lost.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { runKills } from '../test/support/kill.ts';
import { openWorld } from '../test/support/world.ts';

const moments = numberOf('moments', 200);
const seed = numberOf('seed', Date.now() % 1_000_000);

const home = await mkdtemp(join(tmpdir(), 'kobana-kill-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  const world = await openWorld({ database: { url: server.ownerUrl, drop: async () => {} } });
  console.log(`seed ${seed}, ${moments} kills`);
  const startedAt = performance.now();
  const report = await runKills(world, { moments, seed, log: console.log });
  await world.close();
  const { kills, payments, answered, broken, findings } = report;
  console.log(`${kills} kills in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  console.log(`${payments} payments; ${answered} confirmed calls were answered with theirs`);
  console.log(
    `connections that broke on a yes: ${broken.replayed} had run already, ${broken.ranThen} ran when repeated`,
  );
  console.log(findings.length === 0 ? 'nothing ran twice, unrecorded, or was lost' : findings.join('\n'));
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

/** The number in the argument `name=number`. */
function numberOf(name: string, otherwise: number): number {
  const given = process.argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  if (given === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(given)) throw new Error(`${name} takes a number`);
  return Number(given);
}
