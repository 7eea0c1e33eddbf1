import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Account } from './launcher.ts';
import { EmbeddedUnavailable } from './unavailable.ts';

/** A socket's address holds 104 bytes on macOS and 108 on Linux; a little is left for their end. */
const socketPathBytesMax = 100;
const longestSocketName = '.s.PGSQL.65535';

/** Where everything of one embedded server is. Paths are absolute and free of symbolic links. */
export interface Places {
  home: string;
  /** Whether this call made the home folder. */
  isHomeNew: boolean;
  /** `<home>/postgres`, which holds all that follows. */
  root: string;
  data: string;
  users: string;
  lock: string;
  password: string;
  log: string;
}

/** Makes the home folder and `postgres` in it, for their owner only, and names the places in there. */
export async function preparePlaces(home: string): Promise<Places> {
  await mkdir(dirname(home), { recursive: true });
  const isHomeNew = await makeFolder(home);
  const realHome = await realpath(home);
  const root = join(realHome, 'postgres');
  await makeFolder(root);
  return {
    home: realHome,
    isHomeNew,
    root,
    data: join(root, 'data'),
    users: join(root, 'users'),
    lock: join(root, 'lock'),
    password: join(root, 'password'),
    log: join(root, 'server.log'),
  };
}

/**
 * Lets root's account for the server pass (not list) the folders that are root's and ours, so that it needs
 * no capability. A home folder that was there before is left as it is.
 */
export async function letPass(places: Places, account: Account): Promise<void> {
  for (const folder of places.isHomeNew ? [places.home, places.root] : [places.root]) {
    if ((await stat(folder)).uid !== 0) continue;
    try {
      await chown(folder, 0, account.gid);
      await chmod(folder, 0o710);
    } catch {
      // A root without the right to do this may find another way: the probe of the launcher tells.
    }
  }
}

/**
 * The empty folder for the socket of a server about to start: in the home, or where that path is too long for
 * a socket, in the system's folder for temporary files.
 *
 * @returns `undefined` where there are no sockets, or somebody else took the folder's name.
 */
export async function makeSocketFolder(places: Places, account?: Account): Promise<string | undefined> {
  const folder = socketFolderOf(places);
  if (process.platform === 'win32' || !isSocketPath(folder)) return undefined;
  await makeFolder(folder);
  const found = await lstat(folder);
  const isOurs = found.uid === process.getuid?.() || found.uid === account?.uid;
  if (!found.isDirectory() || !isOurs) return undefined;
  if (account !== undefined && found.uid !== account.uid) await chown(folder, account.uid, account.gid);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  // Each start has another port, and a killed server leaves its socket behind.
  for (const name of await readdir(folder)) {
    if (name.startsWith('.s.PGSQL.')) await rm(join(folder, name), { force: true });
  }
  return folder;
}

/** Where the socket is to be, whether or not it can be there. */
export function socketFolderOf(places: Places): string {
  const inHome = join(places.root, 'socket');
  if (isSocketPath(inHome)) return inHome;
  const hash = createHash('sha256').update(places.root).digest('hex').slice(0, 16);
  return join(tmpdir(), `kobana-${hash}`);
}

/** The superuser's password; made on first use, and only while there is no data it would not fit. */
export async function readPassword(places: Places, isDataThere: boolean): Promise<string> {
  const found = await readFile(places.password, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (found.trim() !== '') return found.trim();
  if (isDataThere) {
    throw new EmbeddedUnavailable(
      `The password of the database is gone: ${places.password} is missing, but there is data in ${places.data}. Bring both back from a backup.`,
    );
  }
  const password = randomBytes(24).toString('hex');
  const draft = `${places.password}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, places.password);
  return password;
}

/** Whether the folder was made by this call. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Commas and quotes have a meaning in the setting that takes the folder. */
function isSocketPath(folder: string): boolean {
  return Buffer.byteLength(join(folder, longestSocketName)) < socketPathBytesMax && !/[",]/.test(folder);
}
