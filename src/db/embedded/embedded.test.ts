import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedServer, openEmbedded } from './index.ts';
import { isProcessAlive } from './processes.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const isRoot = process.getuid?.() === 0;
const hasNamespaces =
  isRoot && spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
const fast = { durable: false };
/** What Docker leaves to a container's root: https://docs.docker.com/engine/containers/run/. */
const containerCapabilities =
  '-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap';

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];

/** A home with data and no server. Copying it is faster than making one, where the making is not the point. */
let template: string;

beforeAll(async () => {
  template = join(await mkdtemp(join(tmpdir(), 'kobana-embedded-template-')), 'home');
  await chmod(join(template, '..'), 0o755);
  await (await openEmbedded(template, fast)).release();
});

afterAll(() => rm(join(template, '..'), { recursive: true, force: true }));

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.release();
  for (const folder of folders.splice(0)) {
    for (const home of readdirSync(folder).map((name) => join(folder, name))) {
      const pid = postmasterPid(home);
      if (pid !== undefined && isPostmasterOf(pid, home)) process.kill(pid, 'SIGQUIT');
      while (pid !== undefined && isPostmasterOf(pid, home) && isProcessAlive(pid)) await wait(20);
    }
    await rm(folder, { recursive: true, force: true });
  }
});

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

describe('after the server was killed', () => {
  it('with all its users, the next start works by itself and has the committed row', async () => {
    const home = await makeHome();
    const starter = startHolder(home, {});
    const { ownerUrl } = await starter.opened;
    await query(ownerUrl!, 'create table kept (id int)', 'insert into kept values (3)');
    const pid = postmasterPid(home)!;
    starter.child.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    await once(starter.child, 'exit');
    const next = await open(home, {});
    expect(postmasterPid(home)).not.toBe(pid);
    expect(await query(next.ownerUrl, 'select id from kept')).toEqual([{ id: 3 }]);
  });

  it('while it works on a long query, the next start waits for the orphan and ends it', async () => {
    const home = await makeHome();
    const server = await open(home, {});
    // It looks for a signal and never for the death of its parent.
    const busy = query(server.ownerUrl, 'do $$ begin loop end loop; end $$').catch((error: Error) => error);
    const running = "select pid from pg_stat_activity where query like 'do %' and state = 'active'";
    let orphans: Record<string, unknown>[] = [];
    while (orphans.length === 0) orphans = await query(server.ownerUrl, running);
    process.kill(postmasterPid(home)!, 'SIGKILL');
    const next = await open(home, {});
    expect(await busy).toBeInstanceOf(Error);
    expect(isProcessAlive(Number(orphans[0]!.pid))).toBe(false);
    expect(await query(next.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('and its process id was given to another process, the next start leaves that one alone', async () => {
    const home = await makeHome();
    const server = await open(home, {});
    const pidFile = join(home, 'postgres', 'data', 'postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await server.release();
    const sleeper = spawn('sleep', ['60']);
    children.push(sleeper);
    await writeFile(pidFile, [sleeper.pid, ...lines.slice(1)].join('\n'));
    const next = await open(home, {});
    expect(postmasterPid(home)).not.toBe(sleeper.pid);
    expect(await query(next.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await next.release();
    expect(isProcessAlive(sleeper.pid!)).toBe(true);
  });
});

describe.runIf(isRoot)('as root', () => {
  it('the server runs as an account without rights', async () => {
    const home = await makeHome();
    await open(home, fast);
    const status = readFileSync(`/proc/${postmasterPid(home)}/status`, 'utf8');
    expect(status).not.toMatch(/^Uid:\t0\t/m);
    expect(status).toMatch(/^CapEff:\t0{16}$/m);
  });

  it('a home in a folder closed to that account works with one capability', async () => {
    const parent = await makeParent(0o700);
    const home = join(parent, 'home');
    const server = await open(home, fast);
    expect(await query(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    const status = readFileSync(`/proc/${postmasterPid(home)}/status`, 'utf8');
    expect(status).not.toMatch(/^Uid:\t0\t/m);
    expect(status).toMatch(/^CapEff:\t0{15}4$/m); // cap_dac_read_search
    expect(statSync(parent).mode & 0o777).toBe(0o700);
  });

  it('such a home works with the capabilities of a container', async () => {
    const home = join(await makeParent(0o700), 'home');
    const holder = startHolder(home, fast, ['setpriv', `--bounding-set=${containerCapabilities}`]);
    expect(await query((await holder.opened).ownerUrl!, 'select 1 as one')).toEqual([{ one: 1 }]);
    const status = readFileSync(`/proc/${postmasterPid(home)}/status`, 'utf8');
    expect(status).toMatch(/^CapEff:\t0{15}2$/m); // cap_dac_override
    await holder.release();
    expect(existsSync(join(home, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });

  it('without the right to become another account it says what to do', async () => {
    const home = join(await makeParent(0o700), 'home');
    const holder = startHolder(home, fast, ['setpriv', '--bounding-set=-all']);
    expect((await holder.opened).error).toMatch(/root.*KOBANA_HOME.*not root.*DATABASE_URL/);
  });

  it('data that root copied from a backup is given to the account', async () => {
    const parent = await makeParent();
    spawnSync('cp', ['-r', template, join(parent, 'copy')]);
    expect(statSync(join(parent, 'copy', 'postgres', 'data', 'base')).uid).toBe(0);
    const copy = await open(join(parent, 'copy'), fast);
    expect(await query(copy.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

interface HolderAnswer {
  ownerUrl?: string;
  port?: number;
  error?: string;
}

function startHolder(home: string, options: object, prefix: string[] = []) {
  const holderFile = join(import.meta.dirname, 'holder.ts');
  const [program, ...parameters] = [...prefix, process.execPath, holderFile, home, JSON.stringify(options)];
  const child = spawn(program!, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const opened = once(createInterface(child.stdout!), 'line').then(
    ([line]) => JSON.parse(line) as HolderAnswer,
  );
  const release = async () => {
    const exit = once(child, 'exit');
    child.stdin!.write('release\n');
    expect(await exit).toEqual([0, null]);
  };
  return { child, opened, release };
}

async function open(home: string, options: object): Promise<EmbeddedServer> {
  await mkdir(join(home, '..'), { recursive: true });
  const server = await openEmbedded(home, options);
  servers.push(server);
  return server;
}

/** A home whose data was made before, in a folder of that mode. */
async function makeHome(mode?: number): Promise<string> {
  const home = join(await makeParent(mode), 'home');
  await copyHome(template, home);
  return home;
}

/** With owners and modes, which Node's own copy leaves out. */
async function copyHome(from: string, to: string): Promise<void> {
  expect(spawnSync('cp', ['-a', from, to]).status).toBe(0);
}

/** A folder that everyone may enter, unless told otherwise: mkdtemp's own are closed. */
async function makeParent(mode = 0o755): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kobana-embedded-')));
  folders.push(folder);
  await chmod(folder, mode);
  return folder;
}

async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

function postmasterPid(home: string): number | undefined {
  try {
    return Number(readFileSync(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

function isPostmasterOf(pid: number, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(home, 'postgres', 'data'));
  } catch {
    return false;
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
