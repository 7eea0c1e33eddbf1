import { createHash } from 'node:crypto';
import { closeSync, constants, fchownSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { type Launcher, runCommand, startDetached } from './launcher.ts';
import { type Places, socketFolderOf } from './places.ts';
import {
  findServerProcesses,
  isProcessAlive,
  isProcessId,
  isServerProcess,
  signalProcess,
} from './processes.ts';
import { EmbeddedUnavailable } from './unavailable.ts';

const pollMs = 20;
const emptyFileGraceMs = 500;
const strangerGraceMs = 1_000;
const orphanGraceMs = 3_000;
const orphanKillMs = 8_000;
const fastStopMs = 60_000;
const immediateStopMs = 10_000;
const logBytesMax = 10_000_000;
const logTailBytes = 4_000;
const isWindows = process.platform === 'win32';

/** What a running server says of itself in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  socketFolder: string | undefined;
  isReady: boolean;
}

/**
 * A name for the server of a data folder, which its processes carry in their command lines. It is made of
 * the folder's identity on the disk, not its path, so it is the same by whatever path the folder is reached.
 */
export async function serverName(places: Places): Promise<string> {
  const { dev, ino } = await stat(places.data, { bigint: true });
  return `kobana-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16)}`;
}

/**
 * The server that runs on the data folder, if one does. Call it under the lock.
 *
 * PostgreSQL itself overwrites a `postmaster.pid` of a process that is gone, and refuses to start as long as
 * anything has that process id. So the file is removed when it is another process that has it.
 *
 * @throws EmbeddedUnavailable when a server answers that is no process of ours to see: another container's.
 */
export async function findPostmaster(places: Places): Promise<Postmaster | undefined> {
  const file = join(places.data, 'postmaster.pid');
  const deadline = performance.now() + strangerGraceMs;
  for (;;) {
    const lines = await readLines(file);
    if (lines === undefined) return undefined;
    const pid = Number(lines[0]);
    const port = Number(lines[3]) || 0;
    const isValid = Number.isInteger(pid) && pid > 0;
    if (isValid && isProcessAlive(pid)) {
      // Windows shows no command line to ask; there the word of the file has to do.
      if (isWindows || isServerProcess(pid, await serverName(places))) {
        return {
          pid,
          port,
          socketFolder: lines[4]?.trim() || undefined,
          isReady: lines[7]?.trim() === 'ready',
        };
      }
    }
    // Not the folder the file names: in a copied home that is still the one of the original.
    if (await isAnswering(join(socketFolderOf(places), `.s.PGSQL.${port}`))) {
      // A process that is being killed loses its command line a moment before its sockets.
      if (performance.now() > deadline) throw strangerRuns(places);
      await sleep(pollMs);
      continue;
    }
    if (!isValid || isProcessId(pid)) await rm(file, { force: true });
    return undefined;
  }
}

function strangerRuns(places: Places): EmbeddedUnavailable {
  return new EmbeddedUnavailable(
    `A PostgreSQL that this process cannot see, of another container perhaps, runs on ${places.data}. Only processes of one container or machine can share a home folder: stop the other, or set KOBANA_HOME to another folder.`,
  );
}

/**
 * Waits for the processes of a killed postmaster to end, as they do by themselves, because a new server may
 * not touch the data before. One that does not (a long query) is ended. Call it under the lock.
 *
 * @returns early when there is a postmaster after all.
 */
export async function waitForOrphans(places: Places): Promise<void> {
  const name = await serverName(places);
  const startedAt = performance.now();
  for (;;) {
    const orphans = findServerProcesses(name);
    if (orphans.length === 0) return;
    if ((await findPostmaster(places)) !== undefined) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > orphanGraceMs) {
      // What is on the disk is as after a power cut either way, and the next start recovers it.
      for (const pid of orphans) signalProcess(pid, waitedMs > orphanKillMs ? 'SIGKILL' : 'SIGQUIT');
    }
    await sleep(pollMs * 5);
  }
}

/** A postmaster that was started, and how to learn what became of it. */
export interface StartedPostmaster {
  /** The last lines of its log once it ended, `undefined` while it runs. */
  failure(): string | undefined;
}

/** Starts a postmaster on a free port of 127.0.0.1 and does not wait for it. Call it under the lock. */
export async function startPostmaster(
  places: Places,
  options: { binaries: Binaries; launcher: Launcher; socketFolder: string | undefined; durable: boolean },
): Promise<StartedPostmaster> {
  await rotateLog(places.log);
  const settings = await serverSettings(places, options.socketFolder, options.durable);
  const flags = settings.flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const log = openLog(places);
  const logStart = fstatSync(log).size;
  let error: Error | undefined;
  let hasEnded = false;
  try {
    // On Windows it is pg_ctl that gives up the administrator's rights PostgreSQL refuses to run with.
    const child = isWindows
      ? startDetached(
          options.launcher,
          options.binaries.pgCtl,
          ['start', '-W', '-D', places.data, '-l', places.log, '-o', flags.join(' ')],
          log,
        )
      : startDetached(options.launcher, options.binaries.postgres, ['-D', places.data, ...flags], log);
    if (child instanceof Error) error = child;
    else {
      child.once('error', (spawnError) => {
        error = spawnError;
      });
      child.once('exit', (code) => {
        hasEnded = !(isWindows && code === 0);
      });
    }
  } finally {
    closeSync(log);
  }
  return {
    failure: () => error?.message ?? (hasEnded ? readTail(places.log, logStart) : undefined),
  };
}

/**
 * Stops a server as `pg_ctl stop -m fast -w` does: the signal for a fast shutdown, then waiting. (pg_ctl
 * itself would take the process id from the file again, unchecked, and refuses to run as root.) Call it under the lock.
 */
export async function stopPostmaster(
  places: Places,
  postmaster: Postmaster,
  binaries: Binaries,
): Promise<void> {
  if (isWindows) {
    const parameters = ['stop', '-m', 'fast', '-w', '-D', places.data];
    await runCommand({}, binaries.pgCtl, parameters, fastStopMs);
    return;
  }
  signalProcess(postmaster.pid, 'SIGINT');
  if (await hasEnded(postmaster.pid, fastStopMs)) return;
  signalProcess(postmaster.pid, 'SIGQUIT');
  await hasEnded(postmaster.pid, immediateStopMs);
}

async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isProcessAlive(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}

async function serverSettings(
  places: Places,
  socketFolder: string | undefined,
  isDurable: boolean,
): Promise<[string, string | number][]> {
  return [
    ['cluster_name', await serverName(places)],
    ['listen_addresses', '127.0.0.1'],
    ['port', await findFreePort()],
    ['unix_socket_directories', socketFolder ?? ''],
    ['max_connections', 200],
    ['shared_buffers', '256MB'],
    ['timezone', 'UTC'],
    ['log_timezone', 'UTC'],
    ['log_destination', 'stderr'],
    ['logging_collector', 'off'],
    ['jit', 'off'],
    ['checkpoint_timeout', '15min'],
    ['max_wal_size', '2GB'],
    ['fsync', isDurable ? 'on' : 'off'],
    ['full_page_writes', isDurable ? 'on' : 'off'],
    ['synchronous_commit', isDurable ? 'on' : 'off'],
  ];
}

/** The port may be taken again before the server has it; then its start fails and is tried once more. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function isAnswering(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** A postmaster just started writes its file a moment after it makes it. */
async function readLines(file: string): Promise<string[] | undefined> {
  const deadline = performance.now() + emptyFileGraceMs;
  for (;;) {
    try {
      const text = await readFile(file, 'utf8');
      if (text.trim() !== '' || performance.now() > deadline) return text.split('\n');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    await sleep(pollMs);
  }
}

/** The log of a home folder that root uses for its owner must stay the owner's to write. */
function openLog(places: Places): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const log = openSync(places.log, flags, 0o600);
  const owner = statSync(places.root);
  if (fstatSync(log).uid !== owner.uid) fchownSync(log, owner.uid, owner.gid);
  return log;
}

async function rotateLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > logBytesMax) await rename(file, `${file}.1`);
}

function readTail(path: string, start: number): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const from = Math.max(start, size - logTailBytes);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    readSync(file, buffer, 0, buffer.length, from);
    return buffer.toString('utf8').trim();
  } finally {
    closeSync(file);
  }
}
