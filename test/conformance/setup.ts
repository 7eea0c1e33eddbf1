/** What the servers stand on: a database of their own with one person who may do everything. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRuntime, type Runtime } from '../../src/apps/runtime.ts';
import { newId } from '../../src/core/ids.ts';
import { openEmbedded } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import {
  insertMembership,
  insertOrganization,
  insertUser,
  insertWorkspace,
} from '../../src/identity/queries.ts';
import { createToken } from '../../src/identity/tokens.ts';

const DAY_MS = 86_400_000;

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
  const db = runtime.database.shared;
  const [organizationId, workspaceId, userId] = [newId(), newId(), newId()];
  await insertOrganization(db, { id: organizationId, name: 'Conformance' });
  await insertWorkspace(db, { organizationId, id: workspaceId, name: 'Conformance' });
  await insertUser(db, { id: userId, email: 'conformance@example.com', name: 'Conformance', locale: 'en' });
  await insertMembership(db, { organizationId, userId, workspaceId: null, role: 'owner' });
  const { token } = await createToken(db, {
    userId,
    organizationId,
    product: 'finance',
    access: 'write',
    workspaceId,
    expiresAt: new Date(Date.now() + DAY_MS),
  });
  return { runtime, token, close: () => runtime.close() };
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
