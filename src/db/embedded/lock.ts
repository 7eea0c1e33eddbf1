import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedUnavailable } from './unavailable.ts';

const pollMs = 20;
/** SQLITE_BUSY, from https://www.sqlite.org/rescode.html. */
const busyCode = 5;
/** Node closes a database nobody refers to any more, and an action that never ends lets go of all it had. */
const openDatabases = new Set<DatabaseSync>();

/**
 * Runs an action while no other process, and no other call in this one, runs one under the same lock file.
 *
 * The lock is a lock of the operating system on the file, taken by SQLite because Node has no call for it.
 * The kernel drops it when its holder dies, however it dies, so there is never a stale lock to recognize:
 * a file with a process id in it needs that, and two processes that recognize it at once both remove it.
 * Nothing is ever written, so the file stays empty.
 *
 * @throws EmbeddedUnavailable when the lock is not free within `timeoutMs`.
 */
export async function withLock<T>(file: string, timeoutMs: number, action: () => Promise<T>): Promise<T> {
  createEmpty(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  openDatabases.add(database);
  try {
    const deadline = performance.now() + timeoutMs;
    while (!tryLock(database)) {
      if (performance.now() > deadline) {
        throw new EmbeddedUnavailable(
          `Another process has been starting or stopping the embedded PostgreSQL for more than ${Math.round(timeoutMs / 1000)} s (it holds ${file}). Try again when it is done.`,
        );
      }
      await sleep(pollMs);
    }
    return await action();
  } finally {
    database.close();
    openDatabases.delete(database);
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busyCode) return false;
    throw error;
  }
}

/**
 * Creates the file for its owner only. It must not open a file that exists: closing it again would drop a
 * lock this process holds on it, as POSIX wants it.
 */
function createEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
