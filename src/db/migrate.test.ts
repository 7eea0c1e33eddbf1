import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  asOwner,
  cloneDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from '../../test/support/database.ts';
import { expectedVersion, migrate } from './migrate.ts';

let empty: TestDatabase;
let migrated: TestDatabase;

beforeAll(async () => {
  [empty, migrated] = [await createEmptyDatabase(), await cloneDatabase()];
});
afterAll(async () => {
  await empty.drop();
  await migrated.drop();
});

test('four processes that start at once migrate an empty database once', async () => {
  const reports = await Promise.all(Array.from({ length: 4 }, () => migrate(empty.url)));
  const version = await expectedVersion();
  expect(reports.map((report) => report.applied.length).sort()).toEqual([0, 0, 0, version]);
  expect(await asOwner(empty.url, 'select count(*)::int as rows from schema_migrations')).toEqual([
    { rows: version },
  ]);
});

test('a migrated database is left as it is', async () => {
  expect(await migrate(migrated.url)).toEqual({ applied: [], version: await expectedVersion() });
});

test('a database newer than the code is refused', async () => {
  await asOwner(
    migrated.url,
    "insert into schema_migrations (version, name) values (9000, '9000_later.sql')",
  );
  await expect(migrate(migrated.url)).rejects.toThrow('the database is newer (migration 9000_later.sql)');
  await asOwner(migrated.url, 'delete from schema_migrations where version = 9000');
});

test('a database with another history is refused', async () => {
  await asOwner(migrated.url, "update schema_migrations set name = '0002_other.sql' where version = 2");
  await expect(migrate(migrated.url)).rejects.toThrow(
    'the database applied 0002_other.sql where this version has',
  );
  await asOwner(migrated.url, "update schema_migrations set name = '0002_finance.sql' where version = 2");
});
