/** Opens what every command stands on: a database (embedded or given), migrated, with the runtime over it. */

import { openEmbedded } from '../db/embedded/index.ts';
import { expectedVersion, migrate } from '../db/migrate.ts';
import { type Config, secretKeysOf } from './config.ts';
import { log } from './log.ts';
import { openRuntime, type Runtime } from './runtime.ts';

export interface House {
  readonly runtime: Runtime;
  /** Connects as the owner: for migrations and the job queue. */
  readonly ownerUrl: string;
  readonly secretKeys: readonly string[];
  close(): Promise<void>;
}

/** The address of the database and how to let go of it. */
export async function openServer(
  config: Config,
): Promise<{ ownerUrl: string; release: () => Promise<void> }> {
  if (config.databaseUrl !== undefined) return { ownerUrl: config.databaseUrl, release: async () => {} };
  const server = await openEmbedded(config.home, { log: (line) => log.debug(line) });
  return { ownerUrl: server.ownerUrl, release: () => server.release() };
}

/** Opens the house; the caller closes it. */
export async function openHouse(config: Config, poolSize?: number): Promise<House> {
  const secretKeys = await secretKeysOf(config);
  const server = await openServer(config);
  try {
    const { applied } = await migrate(server.ownerUrl);
    if (applied.length > 0) log.info({ applied }, 'database migrated');
    const runtime = openRuntime({
      databaseUrl: server.ownerUrl,
      secretKeys,
      environment: config.publicUrl ?? 'local',
      testHosts: config.webhookTestHosts,
      identityProvider: config.identityProvider,
      rateLimits: config.rateLimits,
      trustedProxies: config.trustedProxies,
      ...(poolSize !== undefined && { poolSize }),
      logFailure: (error, what, id) => log.error({ err: error, id }, `failed: ${what}`),
    });
    return {
      runtime,
      ownerUrl: server.ownerUrl,
      secretKeys,
      async close() {
        await runtime.close();
        await server.release();
      },
    };
  } catch (error) {
    await server.release();
    throw error;
  }
}

/** Whether the database answers and has every migration of this code. */
export async function isReady(runtime: Runtime): Promise<boolean> {
  try {
    const row = await runtime.database.shared.row<{ version: number }>({
      text: 'select max(version) as version from schema_migrations',
      values: [],
    });
    return row?.version === (await expectedVersion());
  } catch {
    return false;
  }
}
