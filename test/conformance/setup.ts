/** What the servers stand on: a database of their own with one person who may do everything. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRuntime, type Runtime } from '../../src/apps/runtime.ts';
import { openEmbedded } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createOwners } from '../support/owner.ts';

export interface Books {
  readonly runtime: Runtime;
  /** Of a finance connection with write access. */
  readonly token: string;
  close(): Promise<void>;
}

/** Opens a migrated database and creates an organization, a workspace, an owner and a token in it. */
export async function openBooks(ownerUrl: string): Promise<Books> {
  const runtime = openRuntime({
    databaseUrl: ownerUrl,
    secretKeys: ['a key for the conformance suite, thirty-two bytes or more'],
    environment: 'conformance',
    poolSize: 4,
    logFailure: (error, what) => console.error(`failed: ${what}`, error),
  });
  const { tokens } = await createOwners(runtime.database.shared, 'Conformance');
  return { runtime, token: tokens[0]!, close: () => runtime.close() };
}

/** Runs `work` with the owner's address of a migrated, empty database that is gone afterwards. */
export async function withTemporaryDatabase<T>(work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'kobana-conformance-'));
  const server = await openEmbedded(home, { durable: false });
  try {
    await migrate(server.ownerUrl);
    return await work(server.ownerUrl);
  } finally {
    await server.release();
    await rm(home, { recursive: true, force: true });
  }
}
