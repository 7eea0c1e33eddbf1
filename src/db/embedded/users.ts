import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive, readStartTime } from './processes.ts';

/**
 * Notes this process as a user of the server, in a file `<pid>-<start time>-<random>`: the random part lets
 * one process use the server twice. Call it under the lock.
 *
 * @returns the path of the file, to be removed when the use ends.
 */
export async function addUser(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}-${readStartTime(process.pid)}-${randomBytes(4).toString('hex')}`);
  await writeFile(file, '', { flag: 'wx', mode: 0o600 });
  return file;
}

/** Counts the users that live and removes the files of those that were killed. Call it under the lock. */
export async function countUsers(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  for (const name of await readdir(folder)) {
    if (isUserAlive(name)) count += 1;
    else await rm(join(folder, name), { recursive: true, force: true });
  }
  return count;
}

function isUserAlive(name: string): boolean {
  const [, pid, startTime] = /^(\d+)-(\d+)-/.exec(name) ?? [];
  if (pid === undefined || !isProcessAlive(Number(pid))) return false;
  return readStartTime(Number(pid)) === startTime;
}
