import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { type Account, type Launcher, runCommand } from './launcher.ts';
import type { Places } from './places.ts';
import { EmbeddedUnavailable } from './unavailable.ts';

export const superuser = 'postgres';

const initdbTimeoutMs = 120_000;
const draftPrefix = 'new-';

/**
 * Makes the data folder unless there is one. It is made under another name and renamed when it is complete,
 * so a data folder that is there is whole; what a killed process left is removed. Call it under the lock.
 *
 * @throws EmbeddedUnavailable when initdb fails.
 */
export async function createData(
  places: Places,
  options: { binaries: Binaries; launcher: Launcher; password: string; durable: boolean },
): Promise<void> {
  for (const name of await readdir(places.root)) {
    if (name.startsWith(draftPrefix)) await removeFolder(join(places.root, name));
  }
  if (await isThere(places.data)) return;
  const { account } = options.launcher;
  const draft = join(places.root, `${draftPrefix}${randomBytes(6).toString('hex')}`);
  const draftData = join(draft, 'data');
  const passwordFile = join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  await mkdir(draftData, { mode: 0o700 });
  await writeFile(passwordFile, options.password, { mode: 0o600, flag: 'wx' });
  if (account !== undefined) {
    for (const path of [draftData, passwordFile, draft]) await chown(path, account.uid, account.gid);
  }
  const parameters = [
    `--pgdata=${draftData}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.durable ? [] : ['--no-sync']),
  ];
  const result = await runCommand(options.launcher, options.binaries.initdb, parameters, initdbTimeoutMs);
  if (result.exitCode !== 0) {
    await removeFolder(draft);
    throw new EmbeddedUnavailable(
      `The database could not be created in ${places.data}: ${result.stderr.trim().slice(-2_000) || 'initdb was stopped'}.`,
    );
  }
  await rename(draftData, places.data);
  if (options.durable) await syncFolder(places.root);
  await removeFolder(draft);
}

/**
 * Refuses a data folder this PostgreSQL cannot read, and gives one that root copied to the account that is
 * to run the server.
 *
 * @throws EmbeddedUnavailable when another major version made the data, or it is no PostgreSQL's.
 */
export async function checkData(places: Places, majorVersion: number, account?: Account): Promise<void> {
  if (!(await isThere(places.data))) return;
  const found = await readFile(join(places.data, 'PG_VERSION'), 'utf8').catch(() => '');
  if (found.trim() === '') {
    throw new EmbeddedUnavailable(
      `The folder ${places.data} holds no PostgreSQL data (there is no PG_VERSION in it). Move it away, or set KOBANA_HOME to another folder.`,
    );
  }
  if (Number(found) !== majorVersion) {
    throw new EmbeddedUnavailable(
      `The data in ${places.data} was made by PostgreSQL ${found.trim()}, and this program brings PostgreSQL ${majorVersion}, which cannot read it. Move the data over with pg_dump and pg_restore, or run the version of this program that made it.`,
    );
  }
  if (account !== undefined && (await stat(places.data)).uid === 0) await giveFolder(places.data, account);
}

/** Whether there is something of that name. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function giveFolder(folder: string, account: Account): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveFolder(path, account);
    else await lchown(path, account.uid, account.gid);
  }
  // Last, because the owner of the top folder is what tells that the work is still to do.
  await chown(folder, account.uid, account.gid);
}

/** An initdb whose parent was killed may still be writing, so what resists is left for the next time. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** Makes a rename in a folder survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
