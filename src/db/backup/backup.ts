import { rename, stat, unlink } from 'node:fs/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type ArchiveWriter, BackupUnusable, createArchive } from './archive.ts';
import {
  quoted,
  selectAllTenants,
  selectBypass,
  selectMigrations,
  selectSequences,
  selectTables,
  type TableFacts,
  type TenantFacts,
  WAITING_JOBS,
} from './catalogue.ts';

export const FORMAT = 'kobana-backup';
export const FORMAT_VERSION = 1;

export interface BackupReport {
  readonly tables: number;
  readonly rows: number;
  readonly jobs: number;
  readonly bytes: number;
}

/**
 * Writes everything the database holds at one moment into a new file, while the database is in use. The file appears
 * whole or not at all, readable by its owner alone. Fails with `BackupUnusable` when there is a file of that name.
 */
export async function backup(ownerUrl: string, path: string, now: Date): Promise<BackupReport> {
  if (await stat(path).then(Boolean, () => false)) throw new BackupUnusable(`${path} is there already`);
  const partial = `${path}.partial`;
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'kobana backup' });
  await client.connect();
  let archive: ArchiveWriter | undefined;
  try {
    archive = await createArchive(partial);
    // One snapshot for all of it; reading holds nobody up.
    await client.query('begin isolation level repeatable read, read only');
    await client.query(
      "select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true), set_config('extra_float_digits', '1', true), set_config('client_encoding', 'UTF8', true)",
    );
    const counts = await writeAll(client, archive, now);
    await archive.close();
    await rename(partial, path);
    return { ...counts, bytes: (await stat(path)).size };
  } catch (error) {
    archive?.abort();
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new BackupUnusable(
        `${partial} is there already: another backup runs, or one was cut off; remove it then`,
      );
    }
    await unlink(partial).catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}

async function writeAll(
  client: pg.Client,
  archive: ArchiveWriter,
  now: Date,
): Promise<Omit<BackupReport, 'bytes'>> {
  const tables = await selectTables(client);
  const tenants = (await selectBypass(client)) ? null : await selectAllTenants(client);
  await archive.line({
    format: FORMAT,
    version: FORMAT_VERSION,
    made_at: now.toISOString(),
    migrations: await selectMigrations(client),
    sequences: await selectSequences(client),
  });
  let rows = 0;
  for (const table of tables) {
    const columns = table.columns.map(quoted).join(', ');
    await archive.line({ table: table.name, columns: table.columns });
    rows += await writeRows(
      client,
      archive,
      `select ${columns} from public.${quoted(table.name)}`,
      bindingsOf(table, tenants),
    );
  }
  await archive.line({ jobs: true });
  const jobs = await writeRows(client, archive, WAITING_JOBS, [null]);
  return { tables: tables.length, rows, jobs };
}

/**
 * Whose rows are read one after the other. A role that row-level security binds sees those of one tenant at a time; null:
 * all at once.
 */
function bindingsOf({ key, isForced }: TableFacts, tenants: readonly TenantFacts[] | null) {
  if (tenants === null || !isForced) return [null];
  if (key === 'organization_id') return tenants.filter(({ workspace }) => workspace === '');
  if (key === 'workspace_id') return tenants.filter(({ workspace }) => workspace !== '');
  return tenants;
}

async function writeRows(
  client: pg.Client,
  archive: ArchiveWriter,
  query: string,
  bindings: readonly (TenantFacts | null)[],
): Promise<number> {
  let rows = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const tenant of bindings) {
      if (tenant !== null) await bind(client, tenant);
      const stream = client.query(copyTo(`copy (${query}) to stdout`));
      yield* stream;
      rows += stream.rowCount;
    }
  }
  const written = await archive.blocks(chunks());
  await archive.line({ rows, ...written });
  return rows;
}

async function bind(client: pg.Client, { organization, workspace }: TenantFacts): Promise<void> {
  await client.query(
    "select set_config('kobana.organization_id', $1, true), set_config('kobana.workspace_id', $2, true)",
    [organization, workspace],
  );
}
