import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  children,
  fast,
  makeHome,
  makeParent,
  open,
  postmasterPid,
  query,
  startHolder,
  template,
  useEmbeddedServers,
} from '../../../test/support/embedded.ts';
import { isProcessAlive } from './processes.ts';

useEmbeddedServers();

const isRoot = process.getuid?.() === 0;
/** What Docker leaves to a container's root: https://docs.docker.com/engine/containers/run/. */
const containerCapabilities =
  '-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap';

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
