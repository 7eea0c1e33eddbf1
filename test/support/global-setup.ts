import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects as the owner to the migrated, empty template database. */
    ownerUrl: string;
    /** Of every property test of the run. */
    seed: number;
  }
}

/** One real server for the whole run; its database `kobana` is the template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'kobana-test-'));
  const server = await openEmbedded(home, { durable: false });
  await migrate(server.ownerUrl);
  project.provide('ownerUrl', server.ownerUrl);
  const seed = process.env['SEED'] === undefined ? randomInt(2 ** 31) : Number(process.env['SEED']);
  project.provide('seed', seed);
  console.log(`property tests run with SEED=${seed}`);
  return async () => {
    await server.release();
    await rm(home, { recursive: true, force: true });
  };
}
