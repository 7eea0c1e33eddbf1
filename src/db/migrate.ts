import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { APP_ROLE } from './database.ts';

const folder = new URL('./migrations/', import.meta.url);
const tenancyFile = new URL('./tenancy.sql', import.meta.url);
/** Any number, the same in every version: the lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 7_305_621;
const POSTGRES_MAJOR_MIN = 15;

export interface MigrationReport {
  readonly applied: readonly string[];
  readonly version: number;
}

/**
 * Brings the database up to this code, one process at a time. `ownerUrl` connects as a role that may create
 * roles and tables. Refuses a PostgreSQL older than 15, a database newer than the code, and one whose applied
 * migrations differ from ours. `to` stops at an older version, for filling in what was saved with that one.
 */
export async function migrate(ownerUrl: string, to?: number): Promise<MigrationReport> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'kobana migrate' });
  await client.connect();
  try {
    await requirePostgres(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const files = (await migrationFiles()).slice(0, to);
    const pending = await pendingOf(client, files);
    if (pending.length === 0) return { applied: [], version: files.length };
    await ensureAppRole(client);
    await runMigrations({ connectionString: ownerUrl });
    for (const file of pending) await apply(client, file);
    await client.query(await readFile(tenancyFile, 'utf8'));
    return { applied: pending.map(({ name }) => name), version: files.length };
  } finally {
    await client.end();
  }
}

let version: Promise<number> | undefined;

/** The version this code expects: the number of its migrations, counted once. */
export function expectedVersion(): Promise<number> {
  version ??= migrationNames().then((names) => names.length);
  return version;
}

interface MigrationFile {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

/** The names of this code's migrations, in order. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).sort();
}

async function migrationFiles(): Promise<MigrationFile[]> {
  const names = await migrationNames();
  return Promise.all(
    names.map(async (name, index) => {
      if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`migration ${name} is out of order`);
      return { version: index + 1, name, text: await readFile(new URL(name, folder), 'utf8') };
    }),
  );
}

async function requirePostgres(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  const major = Math.floor(Number(rows[0]!.version) / 10_000);
  if (major < POSTGRES_MAJOR_MIN) {
    throw new Error(`PostgreSQL ${major} is too old: ${POSTGRES_MAJOR_MIN} or newer is needed`);
  }
}

/** A role that owns nothing and cannot bypass row-level security; every business statement runs as it. */
async function ensureAppRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ rolbypassrls: boolean; rolsuper: boolean }>(
    'select rolbypassrls, rolsuper from pg_roles where rolname = $1',
    [APP_ROLE],
  );
  if (rows[0] === undefined) {
    // Roles belong to the whole server: another database of it may be migrating at this moment.
    await client.query(`do $$ begin create role ${APP_ROLE} nologin nosuperuser nobypassrls;
      exception when duplicate_object or unique_violation then null; end $$`);
  }
  if (rows[0]?.rolbypassrls || rows[0]?.rolsuper)
    throw new Error(`role ${APP_ROLE} must not bypass row-level security`);
  await client.query(`grant ${APP_ROLE} to current_user`);
}

async function pendingOf(client: pg.Client, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  await client.query(`
    create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ version: number; name: string }>(
    'select version, name from schema_migrations order by version',
  );
  for (const { version, name } of rows) {
    const ours = files[version - 1];
    if (ours === undefined)
      throw new Error(`the database is newer (migration ${name}) than this version of kobana-mcp`);
    if (ours.name !== name)
      throw new Error(`the database applied ${name} where this version has ${ours.name}`);
  }
  return files.slice(rows.length);
}

async function apply(client: pg.Client, { version, name, text }: MigrationFile): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
