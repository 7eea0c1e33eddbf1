import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { verifyChain } from '../events.ts';
import { migrate, migrationNames } from '../migrate.ts';
import { dbOver } from '../owner.ts';
import { type ArchiveReader, BackupUnusable, openArchive } from './archive.ts';
import { FORMAT, FORMAT_VERSION } from './backup.ts';
import {
  JOB_COLUMNS,
  quoted,
  type ReferenceFacts,
  type SequenceFacts,
  selectReferences,
  selectSequences,
  selectTables,
  type TableFacts,
} from './catalogue.ts';

export interface RestoreReport {
  readonly madeAt: string;
  readonly tables: number;
  readonly rows: number;
  readonly jobs: number;
  /** Events of the audit chains, each of which was verified. */
  readonly events: number;
  /** Migrations that came after the backup was made and were applied to it. */
  readonly migrated: readonly string[];
}

/** Positions of events are numbers, as everywhere else. */
const parserOf: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');

interface Header {
  readonly made_at: string;
  readonly migrations: readonly string[];
  readonly sequences: readonly SequenceFacts[];
}

/**
 * Fills an empty database with a backup, in one transaction: all of it is there afterwards, or nothing. The database is
 * first brought to the version the backup was made with, and from there to this one. Fails with `BackupUnusable` when the
 * database is not empty, the backup is newer than this code, the file was cut or changed, or an audit chain is broken.
 */
export async function restore(ownerUrl: string, path: string): Promise<RestoreReport> {
  const archive = openArchive(path);
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'kobana restore',
    types: { getTypeParser: parserOf },
  });
  await client.connect();
  try {
    const header = headerOf(await archive.line(), await migrationNames());
    await requireUnused(client, header.migrations.length);
    await migrate(ownerUrl, header.migrations.length);
    await client.query('begin');
    const loaded = await load(client, archive, header);
    await client.query('commit');
    const { applied } = await migrate(ownerUrl);
    return { madeAt: header.made_at, ...loaded, migrated: applied };
  } finally {
    await archive.close();
    // Closing a connection undoes what was not committed.
    await client.end();
  }
}

function headerOf(line: Record<string, unknown>, ours: readonly string[]): Header {
  if (line['format'] !== FORMAT) throw new BackupUnusable('the file is no backup of kobana-mcp');
  const { migrations } = line;
  if (line['version'] !== FORMAT_VERSION || !Array.isArray(migrations) || migrations.length > ours.length) {
    throw new BackupUnusable(
      'the backup was made by a newer version of kobana-mcp: restore it with that one',
    );
  }
  const other = migrations.findIndex((name, index) => name !== ours[index]);
  if (other !== -1 || migrations.length === 0) {
    throw new BackupUnusable('the backup was made by another line of versions: its migrations are not ours');
  }
  return line as unknown as Header;
}

/** Before anything is migrated: a database with anything of anybody in it, or one that is ahead, is left alone. */
async function requireUnused(client: pg.Client, versionMax: number): Promise<void> {
  for (const { name } of await selectTables(client)) await requireEmpty(client, name);
  const { rows } = await client.query(
    "select to_regclass('public.schema_migrations') is not null as is_there",
  );
  if (rows[0].is_there && (await countMigrations(client)) > versionMax) {
    throw new BackupUnusable(
      'the database is newer than the backup: restore into one that nothing was done to',
    );
  }
}

async function requireEmpty(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from public.${quoted(table)}) as used`,
  );
  if (rows[0]!.used) {
    throw new BackupUnusable(`the database is not empty (${table} has rows): restore into a new one`);
  }
}

async function load(
  client: pg.Client,
  archive: ArchiveReader,
  header: Header,
): Promise<Omit<RestoreReport, 'madeAt' | 'migrated'>> {
  await client.query(
    "select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true), set_config('client_encoding', 'UTF8', true)",
  );
  const tables = await selectTables(client);
  const references = await selectReferences(client);
  await loosen(client, tables, references);
  // Behind the locks that loosening took, nobody else can write any more.
  for (const { name } of tables) await requireEmpty(client, name);
  let rows = 0;
  for (const table of tables) rows += await loadTable(client, archive, table);
  const jobs = await loadJobs(client, archive);
  await archive.finish(await archive.line());
  await setSequences(client, header.sequences);
  for (const { table, name, definition } of references) {
    // Checks every one of them.
    await client.query(`alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`);
  }
  const events = await verifyChains(client);
  await tighten(client, tables);
  return { tables: tables.length, rows, jobs, events };
}

/**
 * What would stand in the way of rows that come table by table: references, triggers (what they do was done already) and
 * the policies that bind the owner. The owner of the tables may do this; no superuser is needed.
 */
async function loosen(
  client: pg.Client,
  tables: readonly TableFacts[],
  references: readonly ReferenceFacts[],
): Promise<void> {
  for (const { name, isForced } of tables) {
    await client.query(`alter table public.${quoted(name)} disable trigger user`);
    if (isForced) await client.query(`alter table public.${quoted(name)} no force row level security`);
  }
  for (const { table, name } of references) {
    await client.query(`alter table public.${quoted(table)} drop constraint ${quoted(name)}`);
  }
}

async function tighten(client: pg.Client, tables: readonly TableFacts[]): Promise<void> {
  for (const { name, isForced } of tables) {
    await client.query(`alter table public.${quoted(name)} enable trigger user`);
    if (isForced) await client.query(`alter table public.${quoted(name)} force row level security`);
    await client.query(`analyze public.${quoted(name)}`);
  }
}

async function loadTable(client: pg.Client, archive: ArchiveReader, table: TableFacts): Promise<number> {
  const line = await archive.line();
  if (line['table'] !== table.name || JSON.stringify(line['columns']) !== JSON.stringify(table.columns)) {
    throw new BackupUnusable(`the backup does not fit the database at the table ${table.name}`);
  }
  return loadRows(client, archive, `public.${quoted(table.name)} (${table.columns.map(quoted).join(', ')})`);
}

/** Queued anew, so that graphile-worker keeps its own tables as it likes them. */
async function loadJobs(client: pg.Client, archive: ArchiveReader): Promise<number> {
  if ((await archive.line())['jobs'] !== true)
    throw new BackupUnusable('the file is damaged: its jobs are missing');
  await client.query(`create temporary table restored_jobs (${JOB_COLUMNS}) on commit drop`);
  const jobs = await loadRows(client, archive, 'pg_temp.restored_jobs');
  await client.query(
    `select count(graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, key, priority))
       from pg_temp.restored_jobs`,
  );
  return jobs;
}

async function loadRows(client: pg.Client, archive: ArchiveReader, target: string): Promise<number> {
  const digest = createHash('sha256');
  async function* rows(): AsyncGenerator<Buffer> {
    for await (const block of archive.blocks()) {
      digest.update(block);
      yield block;
    }
  }
  const stream = client.query(copyFrom(`copy ${target} from stdin`));
  try {
    await pipeline(Readable.from(rows(), { objectMode: false }), stream);
  } catch (error) {
    // Rows that PostgreSQL does not take were not written by it: SQLSTATE classes 22 and 23, and what follows from them.
    if (/^2[23]/.test(String((error as { code?: unknown }).code))) throw changed(target);
    throw error;
  }
  const end = await archive.line();
  if (end['rows'] !== stream.rowCount || end['sha256'] !== digest.digest('hex')) throw changed(target);
  return stream.rowCount;
}

function changed(target: string): BackupUnusable {
  return new BackupUnusable(
    `the file was changed: the rows of ${target.split(' ', 1)[0]} are not those that were written`,
  );
}

async function setSequences(client: pg.Client, sequences: readonly SequenceFacts[]): Promise<void> {
  const last = new Map(sequences.map((sequence) => [`${sequence.table}.${sequence.column}`, sequence.last]));
  for (const { table, column } of await selectSequences(client)) {
    const value = last.get(`${table}.${column}`) ?? null;
    if (value === null) continue;
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint)', [
      `public.${quoted(table)}`,
      column,
      value,
    ]);
  }
}

async function countMigrations(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select from schema_migrations');
  return rows.length;
}

async function verifyChains(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ tenant_id: string }>(
    'select tenant_id from event_chains union select tenant_id from events',
  );
  let events = 0;
  for (const { tenant_id: tenantId } of rows) {
    const report = await verifyChain(dbOver(client), tenantId);
    if (report.broken !== null) {
      const { position, problem } = report.broken;
      throw new BackupUnusable(`the audit chain of ${tenantId} is broken at ${position}: ${problem}`);
    }
    events += report.events;
  }
  return events;
}
