import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  asOwner,
  cloneDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from '../../../test/support/database.ts';
import { commandLine, environmentOf } from '../../../test/support/processes.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { dumpSchema } from '../dump.ts';
import { enqueueJob } from '../jobs.ts';
import { migrate, migrationNames } from '../migrate.ts';
import { backup, restore } from './index.ts';

const NOW = new Date('2026-10-01T12:00:00Z');
const PATIENCE = { timeout: 100_000, interval: 100 };
const KEY = 'a key of the process that is watched';
let world: World;
let folder: string;
let file: string;
const databases: TestDatabase[] = [];

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
beforeAll(async () => {
  world = await openWorld();
  folder = await mkdtemp(join(tmpdir(), 'kobana-backup-'));
  file = join(folder, 'whole.backup');
  for (let index = 0; index < 20; index += 1) {
    await world.call('finance_people_create', {
      name: `Fornecedor ${index} \\ "aspas" ção 😀`,
      kind: 'legal',
      roles: ['supplier'],
    });
  }
  await world.runtime.database.write({ organizationId: world.organizationId, workspaceId: null }, (db) =>
    enqueueJob(db, { task: 'a_job_of_tests', payload: { ção: [1, null, "it's \\ here"] }, key: 'k' }),
  );
  // Written in batches.
  await new Promise((resolve) => setTimeout(resolve, 600));
  await backup(world.url, file, NOW);
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  await world.close();
  await rm(folder, { recursive: true });
  vi.resetConfig();
});

/** Migrated and empty. */
async function freshDatabase(): Promise<string> {
  const database = await cloneDatabase();
  databases.push(database);
  return database.url;
}

/** Every row of every table as text, in the order of the text. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations' order by 1",
    );
    const content: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query(`select t::text as row from public.${name} t order by 1`);
      content[name] = rows.map(({ row }) => row);
    }
    return content;
  } finally {
    await client.end();
  }
}

const JOBS =
  'select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id';

async function isEmpty(url: string): Promise<boolean> {
  return Object.values(await contentOf(url)).every((rows) => rows.length === 0);
}

describe('a backup', () => {
  test('brings back every row, job and number, and the database it comes into is like any other', async () => {
    const url = await freshDatabase();
    const report = await restore(url, file);
    expect(report).toMatchObject({ madeAt: NOW.toISOString(), migrated: [], jobs: 1 });
    expect(report.events).toBeGreaterThanOrEqual(20);
    const [before, after] = [await contentOf(world.url), await contentOf(url)];
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after).toEqual(before);
    expect(report.rows).toBe(Object.values(after).flat().length);
    expect(await asOwner(url, JOBS)).toEqual(await asOwner(world.url, JOBS));
    const counter = 'select last_value from access_log_id_seq';
    expect(await asOwner(url, counter)).toEqual(await asOwner(world.url, counter));
    const schemaOf = async (of: string) => {
      const client = new pg.Client({ connectionString: of });
      await client.connect();
      return dumpSchema(client).finally(() => client.end());
    };
    expect(await schemaOf(url)).toBe(await schemaOf(world.url));
    expect(
      await asOwner(
        url,
        "select tgname, tgenabled from pg_trigger where not tgisinternal and tgenabled <> 'O'",
      ),
    ).toEqual([]);
  });

  test('lets everybody go on where they were: tokens work, chains continue, rows stay with their tenant', async () => {
    const url = await freshDatabase();
    await restore(url, file);
    const names = await runKobana(url, ['events', 'verify']);
    expect(names).toMatchObject({ code: 0 });
    expect(names.output).toMatch(/\d+ events, whole/);
    expect(names.output).not.toContain('BROKEN');
    const { openRuntime } = await import('../../apps/runtime.ts');
    const runtime = openRuntime({
      databaseUrl: url,
      secretKeys: [KEY],
      environment: 'test',
      now: () => NOW,
      logFailure: (error) => console.error(error),
    });
    try {
      const caller = (await runtime.authenticator.authenticate(world.tokens.owner, 'finance', NOW))!;
      const { invokers } = runtime;
      const run = (name: string, input: object) =>
        invokers.finance.call(invokers.finance.catalogue.byName.get(name)!, input, caller, {
          surface: 'mcp',
        });
      await run('finance_people_create', { name: 'Depois', kind: 'legal', roles: ['supplier'] });
      const listed = await run('finance_people_list', { limit: 100 });
      expect(listed).toMatchObject({ kind: 'done' });
      expect((listed as unknown as { output: { items: unknown[] } }).output.items).toHaveLength(21);
    } finally {
      await runtime.close();
    }
    expect((await runKobana(url, ['events', 'verify'])).code).toBe(0);
  });

  test('is of one moment, whatever is written meanwhile', async () => {
    const path = join(folder, 'meanwhile.backup');
    let isDone = false;
    const writing = (async () => {
      for (let index = 0; !isDone; index += 1) {
        await world.call('finance_people_create', {
          name: `Durante ${index}`,
          kind: 'legal',
          roles: ['supplier'],
        });
      }
    })();
    await backup(world.url, path, NOW);
    isDone = true;
    await writing;
    const url = await freshDatabase();
    // References and chains are checked by restoring.
    await restore(url, path);
    const [{ people, events }] = (await asOwner(
      url,
      "select (select count(*)::int from people) as people, (select count(*)::int from events where operation = 'finance_people_create') as events",
    )) as [{ people: number; events: number }];
    expect(people).toBe(events);
  });

  test('is readable by its owner alone, appears whole, and overwrites nothing', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(backup(world.url, file, NOW)).rejects.toThrow('is there already');
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
    const bytes = await readFile(file);
    const taken = join(folder, 'taken.backup');
    await writeFile(`${taken}.partial`, '');
    await expect(backup(world.url, taken, NOW)).rejects.toThrow('another backup runs');
    expect(await readFile(file)).toEqual(bytes);
  });

  test('holds neither tokens nor keys, which are nowhere in the database', async () => {
    const text = gunzipSync(await readFile(file)).toString('utf8');
    expect(text).toContain('owner@example.com');
    for (const token of Object.values(world.tokens)) expect(text).not.toContain(token);
    expect(text).not.toContain('a key for tests');
  });

  test('is made and restored as well by an owner whom row-level security binds', async () => {
    const role = `binder_${Date.now()}`;
    const [from, to] = [await cloneDatabase(), await createEmptyDatabase()];
    const asRole = (url: string) => url.replace(/\/\/[^@]*@/, `//${role}:word@`);
    try {
      await asOwner(from.url, `create role ${role} login password 'word' nosuperuser nobypassrls createrole`);
      await asOwner(from.url, `grant kobana_app to ${role} with admin option`);
      for (const { url } of [from, to]) {
        await asOwner(url, `grant all on schema public to ${role}`);
        const [{ name }] = (await asOwner(url, 'select current_database() as name')) as [{ name: string }];
        await asOwner(url, `alter database ${name} owner to ${role}`);
      }
      await restore(asRole(to.url), file);
      const again = join(folder, 'bound.backup');
      const report = await backup(asRole(to.url), again, NOW);
      expect(report.rows).toBe(Object.values(await contentOf(to.url)).flat().length);
      const third = await freshDatabase();
      await restore(third, again);
      expect(await contentOf(third)).toEqual(await contentOf(to.url));
    } finally {
      await from.drop();
      await to.drop();
      await asOwner(world.url, `drop owned by ${role}`);
      await asOwner(world.url, `drop role ${role}`);
    }
  });
});

describe('a file that cannot be trusted', () => {
  let spare: string | undefined;
  async function refusalOf(bytes: Buffer): Promise<string> {
    const path = join(folder, 'other.backup');
    await writeFile(path, bytes);
    // Nothing stays in it, so one is enough for all.
    spare ??= await freshDatabase();
    const url = spare;
    const refusal = await restore(url, path).then(
      () => 'restored',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    expect(await isEmpty(url)).toBe(true);
    return refusal;
  }

  test('is refused wherever it was cut off, and nothing of it stays', async () => {
    const bytes = await readFile(file);
    for (const part of [0, 0.1, 0.6, 0.999]) {
      const refusal = await refusalOf(bytes.subarray(0, Math.floor(bytes.length * part)));
      expect(refusal, String(part)).toMatch(/^BackupUnusable: the file (ends too early|is damaged)/);
    }
    const text = gunzipSync(bytes);
    expect(await refusalOf(gzipSync(text.subarray(0, text.lastIndexOf('{"end":true'))))).toMatch(
      /BackupUnusable: the file ends too early/,
    );
  });

  test.each([
    ['a name in a row', 'Fornecedor 7', 'Fornecedor 8'],
    ['a value that its column does not take', '@example.com\t', '@example.com\\'],
    ['a count of rows', '{"rows":20,', '{"rows":21,'],
    ['a table that is another', '{"table":"people"', '{"table":"persons"'],
    ['the time it was made at', NOW.toISOString(), '2026-09-01T12:00:00.000Z'],
  ])('is refused when somebody changed %s', async (_what, from, to) => {
    const bytes = gunzipSync(await readFile(file));
    const at = bytes.indexOf(from);
    expect(at).toBeGreaterThan(0);
    const changed = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(to),
      bytes.subarray(at + Buffer.byteLength(from)),
    ]);
    expect(await refusalOf(gzipSync(changed))).toMatch(/^BackupUnusable: /);
  });

  test('is refused when it is another file, newer than this version, or of another line of versions', async () => {
    expect(await refusalOf(Buffer.from('hello'))).toMatch(/is damaged, or is no backup/);
    expect(await refusalOf(gzipSync('{"hello":1}\n'))).toMatch(/is no backup of kobana-mcp/);
    const names = await migrationNames();
    const header = (migrations: string[], version = 1) =>
      gzipSync(`${JSON.stringify({ format: 'kobana-backup', version, migrations, sequences: [] })}\n`);
    expect(await refusalOf(header([...names, '9999_later.sql']))).toMatch(/newer version/);
    expect(await refusalOf(header(names, 2))).toMatch(/newer version/);
    expect(await refusalOf(header(['0001_other.sql']))).toMatch(/another line of versions/);
    expect(await refusalOf(header([]))).toMatch(/another line of versions/);
  });

  test('is refused when the audit chain in it is broken, although all its digests are right', async () => {
    const database = await cloneDatabase();
    const path = join(folder, 'broken.backup');
    try {
      await restore(database.url, file);
      await asOwner(
        database.url,
        "update events set body = replace(body, 'done', 'gone') where position = (select max(position) from events e where e.tenant_id = events.tenant_id)",
      );
      await backup(database.url, path, NOW);
    } finally {
      await database.drop();
    }
    expect(await refusalOf(await readFile(path))).toMatch(/the audit chain of .* is broken at/);
  });

  test('is told to the operator in one line', async () => {
    const url = await freshDatabase();
    expect(await runKobana(url, ['restore', join(folder, 'nowhere')])).toMatchObject({
      code: 2,
      errors: 'kobana: there is no such file\n',
    });
    expect((await runKobana(url, ['restore'])).errors).toContain('usage: kobana restore FILE');
  });
});

describe('restoring', () => {
  test('leaves a database alone that is not empty', async () => {
    const before = await contentOf(world.url);
    await expect(restore(world.url, file)).rejects.toThrow(/the database is not empty/);
    expect(await contentOf(world.url)).toEqual(before);
  });

  test('twice finds the database no longer empty', async () => {
    const url = await freshDatabase();
    await restore(url, file);
    await expect(restore(url, file)).rejects.toThrow(/not empty/);
  });

  test('leaves nothing behind when it is killed in the middle, and can be done again', async () => {
    const url = await freshDatabase();
    // Somebody looks at a table that comes late, so the load stands still in the middle.
    const holder = new pg.Client({ connectionString: url });
    holder.on('error', () => undefined);
    await holder.connect();
    const child = spawn(process.execPath, [commandLine, 'restore', file], {
      env: environmentOf({ DATABASE_URL: url, KOBANA_SECRET_KEYS: KEY }),
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    await holder.query('begin');
    await holder.query('lock table graphile_worker._private_jobs in access exclusive mode');
    const restoring =
      "select wait_event_type from pg_stat_activity where application_name = 'kobana restore' and datname = current_database()";
    // Asked outside the transaction, which would see the same list again and again.
    await vi.waitUntil(
      async () => (await asOwner(url, restoring))[0]?.['wait_event_type'] === 'Lock',
      PATIENCE,
    );
    child.kill('SIGKILL');
    await exited;
    await holder.query('rollback');
    await holder.end();
    await vi.waitUntil(async () => (await asOwner(url, restoring)).length === 0, PATIENCE);
    expect(await isEmpty(url)).toBe(true);
    expect((await runKobana(url, ['restore', file])).code).toBe(0);
    expect(await contentOf(url)).not.toEqual({});
  });

  test('goes on to this version when the backup is older', async () => {
    const [empty, other] = [await createEmptyDatabase(), await createEmptyDatabase()];
    databases.push(empty, other);
    const [older, newer] = [empty.url, other.url];
    const names = await migrationNames();
    await migrate(older, names.length - 1);
    const path = join(folder, 'older.backup');
    await backup(older, path, NOW);
    expect(await restore(newer, path)).toMatchObject({ migrated: [names.at(-1)] });
    const ahead = await cloneDatabase();
    databases.push(ahead);
    await expect(restore(ahead.url, path)).rejects.toThrow(/newer than the backup/);
  });
});

async function runKobana(url: string, words: string[]) {
  const child = spawn(process.execPath, [commandLine, ...words], {
    env: environmentOf({ DATABASE_URL: url, KOBANA_SECRET_KEYS: KEY }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output, errors };
}
