import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  /** The owner's address of this database; the application role is chosen by `openDatabase`. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A fresh, migrated, empty database for one test file. */
export function cloneDatabase(): Promise<TestDatabase> {
  return createDatabase('kobana');
}

/** A database with nothing in it. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template1');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const ownerUrl = inject('ownerUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asOwner(maintenanceUrl(ownerUrl), `create database ${name} template ${template}`);
  return {
    url: withDatabase(ownerUrl, name),
    async drop() {
      await asOwner(maintenanceUrl(ownerUrl), `drop database ${name} with (force)`);
    },
  };
}

/** Runs one statement as the owner, past row-level security: for looking at what a test left behind. */
export async function asOwner<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function maintenanceUrl(ownerUrl: string): string {
  return withDatabase(ownerUrl, 'postgres');
}

function withDatabase(url: string, name: string): string {
  return url.replace(/\/kobana(?=$|\?)/, `/${name}`);
}
