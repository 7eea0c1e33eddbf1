import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner, cloneDatabase, type TestDatabase } from '../../test/support/database.ts';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Db, Tenant } from '../core/ports.ts';
import { type AppDatabase, openDatabase } from './database.ts';
import { sql } from './sql.ts';

let own: TestDatabase;
let database: AppDatabase;
const tenants: (Tenant & { workspaceId: string })[] = Array.from({ length: 8 }, () => ({
  organizationId: newId(),
  workspaceId: newId(),
}));

const insertCompany = (db: Db, workspaceId: string, name: string) =>
  db.run(sql`
    insert into companies (workspace_id, id, document_number, legal_name, created_by)
    values (${workspaceId}, ${newId()}, ${name}, ${name}, ${newId()})`);

/** Deliberately without the tenant in `where`: only row-level security stands between the tenants. */
const everyName = async (db: Db) =>
  (await db.rows<{ legal_name: string }>(sql`select legal_name from companies`)).map((row) => row.legal_name);

beforeAll(async () => {
  own = await cloneDatabase();
  database = openDatabase({ connectionString: own.url, size: 2 });
  for (const tenant of tenants) {
    await database.write(tenant, (db) =>
      insertCompany(db, tenant.workspaceId, `company of ${tenant.workspaceId}`),
    );
  }
});

afterAll(async () => {
  await database.close();
  await own.drop();
});

test('a query that forgets the tenant sees only its own rows, and none without a tenant', async () => {
  for (const tenant of tenants) {
    expect(await database.read(tenant, everyName)).toEqual([`company of ${tenant.workspaceId}`]);
  }
  expect(await everyName(database.shared)).toEqual([]);
  expect(await database.read({ organizationId: newId(), workspaceId: null }, everyName)).toEqual([]);
});

test('tenants racing over a pool of two never inherit the setting of another', async () => {
  const calls = Array.from({ length: 2_000 }, (_, index) => {
    const tenant = tenants[(index * 7 + (index >> 3)) % tenants.length]!;
    const isFailing = index % 17 === 0;
    return database
      .read(tenant, async (db) => {
        const names = await everyName(db);
        if (isFailing) await db.rows(sql`select 1 / 0`);
        return names;
      })
      .then(
        (names) => expect(names).toEqual([`company of ${tenant.workspaceId}`]),
        (error) => expect(error).toMatchObject({ code: '22012' }),
      );
  });
  await Promise.all(calls);
});

test('a transaction that fails leaves no row and no tenant behind', async () => {
  const [first, second] = tenants as [Tenant & { workspaceId: string }, Tenant & { workspaceId: string }];
  const failing = database.write(first, async (db) => {
    await insertCompany(db, first.workspaceId, 'never');
    throw new AppError('invalid_state');
  });
  await expect(failing).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await database.read(first, everyName)).toEqual([`company of ${first.workspaceId}`]);
  expect(await database.read(second, everyName)).toEqual([`company of ${second.workspaceId}`]);
});

test('a row for another tenant is refused by the database itself', async () => {
  const [first, second] = tenants as [Tenant, Tenant & { workspaceId: string }];
  await expect(
    database.write(first, (db) => insertCompany(db, second.workspaceId, 'smuggled')),
  ).rejects.toMatchObject({
    code: '42501',
  });
});

test('the application role can neither bypass the policies nor touch what is append-only', async () => {
  const role = await database.shared.row<{ rolsuper: boolean; rolbypassrls: boolean; name: string }>(sql`
    select rolsuper, rolbypassrls, current_user as name from pg_roles where rolname = current_user`);
  expect(role).toEqual({ rolsuper: false, rolbypassrls: false, name: 'kobana_app' });
  for (const statement of [
    sql`update events set body = ''`,
    sql`delete from events`,
    sql`insert into events select * from events`,
    sql`update event_chains set position = 0`,
    sql`delete from event_chains`,
    sql`delete from access_log`,
  ]) {
    await expect(database.shared.run(statement)).rejects.toMatchObject({ code: '42501' });
  }
});

test('every table of a tenant has forced row-level security and starts its key with the tenant', async () => {
  const open = await asOwner(
    own.url,
    `select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('workspace_id', 'tenant_id'))
        and c.relname not in ('memberships', 'tokens', 'connections')
        and (not c.relforcerowsecurity
          or not exists (select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                          where i.indrelid = c.oid and i.indisprimary and a.attname in ('workspace_id', 'tenant_id', 'organization_id')))`,
  );
  expect(open).toEqual([]);
});

test('every index of a tenant table starts with the tenant', async () => {
  const wrong = await asOwner(
    own.url,
    `select x.relname from pg_index i
       join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where c.relnamespace = 'public'::regnamespace and c.relforcerowsecurity
        and a.attname not in ('workspace_id', 'tenant_id', 'organization_id')`,
  );
  expect(wrong).toEqual([]);
});

test('a nested failure is undone while the transaction goes on', async () => {
  const tenant = { organizationId: newId(), workspaceId: newId() };
  await database.write(tenant, async (db) => {
    await insertCompany(db, tenant.workspaceId, 'kept');
    await db
      .nested(async () => {
        await insertCompany(db, tenant.workspaceId, 'undone');
        throw new AppError('invalid_state');
      })
      .catch(() => {});
  });
  expect(await database.read(tenant, everyName)).toEqual(['kept']);
});

test('dates stay civil dates, instants are UTC text, and integers are exact', async () => {
  const row = await database.shared.row(sql`
    select date '2026-02-20' as day, timestamptz '2026-02-20 23:30:00.5-03' as instant, 9007199254740991::bigint as number`);
  expect(row).toEqual({ day: '2026-02-20', instant: '2026-02-21T02:30:00.5Z', number: 9007199254740991 });
});

test('a database that is gone is `unavailable`, without a word about where it is', async () => {
  const gone = openDatabase({ connectionString: 'postgres://someone:secret@127.0.0.1:1/nowhere' });
  const error = await gone.read(tenants[0]!, everyName).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AppError);
  expect(JSON.stringify((error as AppError).toEnvelope())).not.toMatch(/127\.0\.0\.1|secret|nowhere/);
  expect((error as AppError).code).toBe('unavailable');
  await gone.close();
});
