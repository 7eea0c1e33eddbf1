import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  copyHome,
  fast,
  makeHome,
  makeParent,
  open,
  postmasterPid,
  query,
  startHolder,
  useEmbeddedServers,
  wait,
} from '../../../test/support/embedded.ts';
import { openEmbedded } from './index.ts';
import { isProcessAlive } from './processes.ts';

useEmbeddedServers();

const isRoot = process.getuid?.() === 0;
const hasNamespaces =
  isRoot && spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
describe('a home folder', () => {
  it('is made from nothing, is closed to others, and keeps a row over a restart', async () => {
    const home = join(await makeParent(), 'with a space and ç', '.kobana');
    const first = await open(home, {});
    await query(first.ownerUrl, 'create table kept (id int)', 'insert into kept values (7)');
    const pid = postmasterPid(home)!;
    await first.release();
    expect(isProcessAlive(pid)).toBe(false);

    const second = await open(home, {});
    expect(await query(second.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }]);
    expect(statSync(home).mode & 0o707).toBe(0o700);
    expect(statSync(join(home, 'postgres')).mode & 0o727).toBe(0o700);
    expect(statSync(join(home, 'postgres', 'data')).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'postgres', 'password')).mode & 0o777).toBe(0o600);
  });

  it('has a durable server with our settings, reached by socket and TCP with a password that no command line tells', async () => {
    const home = await makeHome();
    const server = await open(home, {});
    const [settings] = await query(
      server.ownerUrl,
      `select current_database() as database, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as listen,
        current_setting('max_connections') as connections, current_setting('shared_buffers') as buffers,
        current_setting('timezone') as timezone, current_setting('jit') as jit,
        current_setting('server_encoding') as encoding, lower('ÇÃO') as lowered`,
    );
    expect(settings).toEqual({
      database: 'kobana',
      fsync: 'on',
      commit: 'on',
      listen: '127.0.0.1',
      connections: '200',
      buffers: '256MB',
      timezone: 'UTC',
      jit: 'off',
      encoding: 'UTF8',
      lowered: 'ção',
    });
    const password = (await readFile(join(home, 'postgres', 'password'), 'utf8')).trim();
    expect(server.ownerUrl).toContain(password);
    expect(readFileSync(`/proc/${postmasterPid(home)}/cmdline`, 'utf8')).not.toContain(password);

    const tcp = (secret: string) => `postgres://postgres:${secret}@127.0.0.1:${server.port}/kobana`;
    const address = 'select inet_server_addr()::text as address';
    expect(await query(server.ownerUrl, address)).toEqual([{ address: null }]);
    expect(await query(tcp(password), address)).toEqual([{ address: '127.0.0.1/32' }]);
    await expect(query(tcp('wrong'), address)).rejects.toMatchObject({ code: '28P01' });
    const wrongBySocket = server.ownerUrl.replace(password, 'wrong');
    await expect(query(wrongBySocket, address)).rejects.toMatchObject({ code: '28P01' });
  });

  it('whose path is too long for a socket has it among the temporary files, and removes it at the end', async () => {
    const server = await open(join(await makeParent(), 'long'.repeat(30)), fast);
    const socketDir = server.socketDir!;
    expect(socketDir).toMatch(new RegExp(`^${tmpdir()}/kobana-[0-9a-f]{16}$`));
    expect(statSync(socketDir).mode & 0o777).toBe(0o700);
    expect(await query(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.release();
    expect(existsSync(socketDir)).toBe(false);
  });

  it('with data of another major version is refused and left alone', async () => {
    const home = join(await makeParent(), 'home');
    const data = join(home, 'postgres', 'data');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'PG_VERSION'), '16\n');
    await expect(openEmbedded(home, fast)).rejects.toThrow(
      /made by PostgreSQL 16, .*PostgreSQL 18.*DATABASE_URL/,
    );
    expect(readdirSync(data)).toEqual(['PG_VERSION']);
  });

  it('is made whole after a process was killed while making it', async () => {
    const home = join(await makeParent(), 'home');
    const holder = startHolder(home, {});
    const isHalfMade = () =>
      readdirSync(join(home, 'postgres')).some((name) =>
        existsSync(join(home, 'postgres', name, 'data', 'base')),
      );
    while (!existsSync(join(home, 'postgres', 'password')) || !isHalfMade()) await wait(5);
    holder.child.kill('SIGKILL');
    expect(existsSync(join(home, 'postgres', 'data'))).toBe(false);

    const server = await open(home, {});
    expect(await query(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.release();
    await (await open(home, {})).release();
    expect(readdirSync(join(home, 'postgres')).filter((name) => name.startsWith('new-'))).toEqual([]);
  });
});

describe('several processes', () => {
  it('share one server, and the last one out stops it', async () => {
    const home = await makeHome();
    const one = startHolder(home, fast);
    const first = await one.opened;
    const two = startHolder(home, fast);
    const second = await two.opened;
    expect(second).toEqual(first);
    const pid = postmasterPid(home)!;
    await one.release();
    expect(isProcessAlive(pid)).toBe(true);
    expect(await query(second.ownerUrl!, 'select 1 as one')).toEqual([{ one: 1 }]);
    await two.release();
    expect(isProcessAlive(pid)).toBe(false);
    expect(existsSync(join(home, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });

  it('that start at the same moment on an empty home get one server', async () => {
    const home = join(await makeParent(), 'home');
    const holders = [1, 2, 3].map(() => startHolder(home, fast));
    const opened = await Promise.all(holders.map((holder) => holder.opened));
    expect(opened[0]!.port).toBeGreaterThan(0);
    expect(new Set(opened.map((server) => server.ownerUrl)).size).toBe(1);
    const pid = postmasterPid(home)!;
    await Promise.all(holders.map((holder) => holder.release()));
    expect(isProcessAlive(pid)).toBe(false);
  });

  it('go on when the one that started the server is killed', async () => {
    const home = await makeHome();
    const starter = startHolder(home, {});
    const { ownerUrl } = await starter.opened;
    await query(ownerUrl!, 'create table kept (id int)', 'insert into kept values (1)');
    const other = startHolder(home, {});
    await other.opened;
    const pid = postmasterPid(home)!;
    starter.child.kill('SIGKILL');
    await once(starter.child, 'exit');
    await query(ownerUrl!, 'insert into kept values (2)');
    expect(await query(ownerUrl!, 'select id from kept order by id')).toEqual([{ id: 1 }, { id: 2 }]);
    // The killed one does not count as a user any more.
    await other.release();
    expect(isProcessAlive(pid)).toBe(false);
  });

  it('leave a server behind when all are killed, which the next one uses and stops', async () => {
    const home = await makeHome();
    const starter = startHolder(home, fast);
    const { port } = await starter.opened;
    const pid = postmasterPid(home)!;
    starter.child.kill('SIGKILL');
    await once(starter.child, 'exit');
    const next = await open(home, fast);
    expect(next.port).toBe(port);
    await next.release();
    expect(isProcessAlive(pid)).toBe(false);
  });

  it('of which one opens it twice keep it until both uses end', async () => {
    const home = await makeHome();
    const [first, second] = await Promise.all([open(home, fast), open(home, fast)]);
    expect(second.ownerUrl).toBe(first.ownerUrl);
    await Promise.all([first.release(), first.release()]);
    expect(await query(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('that need durability refuse a server another one runs without, and restart one nobody uses', async () => {
    const home = await makeHome();
    const careless = startHolder(home, fast);
    await careless.opened;
    await expect(openEmbedded(home)).rejects.toThrow(/without durability.*Other processes use it/);
    careless.child.kill('SIGKILL');
    await once(careless.child, 'exit');
    const server = await open(home, {});
    expect(await query(server.ownerUrl, "select current_setting('fsync') as fsync")).toEqual([
      { fsync: 'on' },
    ]);
  });
});

describe('a server that is not ours', () => {
  it('is left alone when it runs on the original of a copied home', async () => {
    const home = await makeHome();
    const original = await open(home, fast);
    await query(original.ownerUrl, 'create table kept (id int)', 'insert into kept values (5)', 'checkpoint');
    await copyHome(home, `${home}-copy`);
    const copy = await open(`${home}-copy`, fast);
    expect(copy.port).not.toBe(original.port);
    await query(copy.ownerUrl, 'insert into kept values (6)');
    expect(await query(original.ownerUrl, 'select id from kept')).toEqual([{ id: 5 }]);
    await copy.release();
    expect(await query(original.ownerUrl, 'select id from kept')).toEqual([{ id: 5 }]);
  });

  it.runIf(hasNamespaces)('because another container runs it on the same home, is refused', async () => {
    const home = await makeHome();
    const holder = startHolder(home, fast, ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']);
    const { ownerUrl } = await holder.opened;
    await expect(openEmbedded(home, fast)).rejects.toThrow(/another container.*KOBANA_HOME.*DATABASE_URL/);
    expect(await query(ownerUrl!, 'select 1 as one')).toEqual([{ one: 1 }]);
    await holder.release();
    const next = await open(home, fast);
    expect(await query(next.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
