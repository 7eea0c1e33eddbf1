import { resolve } from 'node:path';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { openServer } from '../house.ts';

/** Writes everything the database holds into a new file. */
export async function backup(words: readonly string[], config: Config): Promise<void> {
  const path = fileOf(words, 'backup');
  const { backup: write } = await import('../../db/backup/index.ts');
  await withServer(config, async (ownerUrl) => {
    const { tables, rows, jobs, bytes } = await write(ownerUrl, path, new Date());
    console.log(`${path}: ${rows} rows of ${tables} tables, ${jobs} waiting jobs, ${bytes} bytes.`);
    console.log(
      'The keys (KOBANA_SECRET_KEYS, or secret-keys in KOBANA_HOME) are not in it: keep them apart.',
    );
  });
}

/** Fills an empty database with what a backup holds. */
export async function restore(words: readonly string[], config: Config): Promise<void> {
  const path = fileOf(words, 'restore');
  const { restore: read } = await import('../../db/backup/index.ts');
  await withServer(config, async (ownerUrl) => {
    const { madeAt, tables, rows, jobs, events, migrated } = await read(ownerUrl, path);
    console.log(`${rows} rows of ${tables} tables and ${jobs} waiting jobs, as of ${madeAt}.`);
    console.log(`${events} events of the audit chains, all whole.`);
    if (migrated.length > 0) console.log(`Migrated since: ${migrated.join(', ')}.`);
  });
}

function fileOf(words: readonly string[], command: string): string {
  const { positionals } = readFlags(words, {});
  if (positionals.length !== 1) throw new UsageError(`usage: kobana ${command} FILE`);
  return resolve(positionals[0]!);
}

async function withServer(config: Config, work: (ownerUrl: string) => Promise<void>): Promise<void> {
  const { BackupUnusable } = await import('../../db/backup/index.ts');
  const server = await openServer(config);
  try {
    await work(server.ownerUrl);
  } catch (error) {
    throw error instanceof BackupUnusable ? new UsageError(error.message) : error;
  } finally {
    await server.release();
  }
}
