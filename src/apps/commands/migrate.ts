import { migrate } from '../../db/migrate.ts';
import { readFlags } from '../command.ts';
import type { Config } from '../config.ts';
import { openServer } from '../house.ts';

/** Brings the database up to this version and says what was done. */
export async function migrateDatabase(words: readonly string[], config: Config): Promise<void> {
  readFlags(words, {});
  const server = await openServer(config);
  try {
    const { applied, version } = await migrate(server.ownerUrl);
    console.log(applied.length === 0 ? `already at version ${version}` : `applied ${applied.join(', ')}`);
  } finally {
    await server.release();
  }
}
