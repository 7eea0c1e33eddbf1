import { statSync } from 'node:fs';
import pg from 'pg';
import { superuser } from './create-data.ts';
import type { Places } from './places.ts';
import type { Postmaster } from './postmaster.ts';

const databaseName = 'kobana';
const connectTimeoutMs = 5_000;
/** invalid_password in PostgreSQL's appendix A. */
const invalidPassword = '28P01';

/** What became of the attempt to use a server that runs. */
export type Visit =
  | { kind: 'ours'; url: string; isDurable: boolean; majorVersion: number }
  | { kind: 'foreign' }
  | { kind: 'password_refused' }
  | { kind: 'unreachable'; reason: string };

/**
 * Connects to a server, by its socket or else by TCP, makes sure that it is the one of our data folder and
 * that the database `kobana` is there.
 */
export async function visitServer(places: Places, postmaster: Postmaster, password: string): Promise<Visit> {
  let reason = '';
  for (const socketFolder of postmaster.socketFolder ? [postmaster.socketFolder, undefined] : [undefined]) {
    try {
      return await visitAt(places, (name) => serverUrl(postmaster.port, socketFolder, password, name));
    } catch (error) {
      if ((error as { code?: string }).code === invalidPassword) return { kind: 'password_refused' };
      reason ||= (error as Error).message;
    }
  }
  return { kind: 'unreachable', reason };
}

async function visitAt(places: Places, url: (database: string) => string): Promise<Visit> {
  const server = await withClient(url('postgres'), async (client) => {
    const { rows } = await client.query<{ folder: string; fsync: string; version: number; found: boolean }>(
      `select current_setting('data_directory') as folder, current_setting('fsync') as fsync,
        current_setting('server_version_num')::int as version,
        exists (select 1 from pg_database where datname = '${databaseName}') as found`,
    );
    const answer = rows[0]!;
    if (isSameFolder(answer.folder, places.data) && !answer.found) {
      await client.query(`create database ${databaseName}`);
    }
    return answer;
  });
  if (!isSameFolder(server.folder, places.data)) return { kind: 'foreign' };
  return {
    kind: 'ours',
    url: url(databaseName),
    isDurable: server.fsync === 'on',
    majorVersion: Math.floor(server.version / 10_000),
  };
}

async function withClient<T>(url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A connection that breaks while idle tells it here, too, and would end the process if nobody listened.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await action(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** `sslmode` is there because a PGSSLMODE of the environment would count otherwise. */
function serverUrl(
  port: number,
  socketFolder: string | undefined,
  password: string,
  database: string,
): string {
  const user = `${superuser}:${password}`;
  if (socketFolder === undefined) return `postgres://${user}@127.0.0.1:${port}/${database}?sslmode=disable`;
  const folder = encodeURIComponent(socketFolder);
  return `postgres://${user}@/${database}?host=${folder}&port=${port}&sslmode=disable`;
}

function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  const found = statSync(one, { throwIfNoEntry: false, bigint: true });
  const expected = statSync(other, { throwIfNoEntry: false, bigint: true });
  return found !== undefined && found.dev === expected?.dev && found.ino === expected.ino;
}
