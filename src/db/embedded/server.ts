import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { type Visit, visitServer } from './connection.ts';
import { checkData, createData, isThere } from './create-data.ts';
import { chooseAccount, chooseLauncher } from './launcher.ts';
import { letPass, makeSocketFolder, type Places, readPassword } from './places.ts';
import {
  findPostmaster,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
  waitForOrphans,
} from './postmaster.ts';
import { EmbeddedUnavailable } from './unavailable.ts';
import { countUsers } from './users.ts';

const pollMs = 10;
/** A server that says it is ready and does not answer for this long is taken for broken. */
const silenceMs = 5_000;
/** Ends of a start that another attempt mends: the port was taken, or another process was faster. */
const passingFailure =
  /could not (bind|create any TCP)|Address already in use|lock file .* (already exists|is empty)|pre-existing shared memory block/;

export interface ServerOptions {
  durable: boolean;
  log: (line: string) => void;
  startTimeoutMs: number;
}

/** A server that answers, with the address of its database. */
export interface RunningServer {
  url: string;
  port: number;
  socketFolder: string | undefined;
}

/**
 * Joins the server of a home folder, or starts it, with its data made first where there is none. Call it
 * under the lock.
 *
 * @throws EmbeddedUnavailable when neither works within the time limit.
 */
export async function ensureServer(places: Places, options: ServerOptions): Promise<RunningServer> {
  const deadline = performance.now() + options.startTimeoutMs;
  let reason = 'It did not answer.';
  while (performance.now() < deadline) {
    const isDataThere = await isThere(places.data);
    const postmaster = isDataThere ? await findPostmaster(places) : undefined;
    if (postmaster !== undefined) {
      const joined = await joinServer(places, postmaster, options, deadline);
      if (joined !== undefined) return joined;
      continue;
    }
    if (isDataThere) await waitForOrphans(places);
    const failure = await startServer(places, options, deadline);
    if (failure !== undefined && !passingFailure.test(failure)) {
      throw new EmbeddedUnavailable(
        `The embedded PostgreSQL ended while it started. Its log, ${places.log}, says: ${failure}`,
      );
    }
    reason = failure ?? `See its log, ${places.log}: it may still be recovering, so try again.`;
  }
  throw new EmbeddedUnavailable(
    `The embedded PostgreSQL on ${places.data} was not ready within ${Math.round(options.startTimeoutMs / 1000)} s. ${reason}`,
  );
}

/** Stops the server of a home folder if it runs and nobody uses it. Call it under the lock. */
export async function stopUnusedServer(places: Places): Promise<void> {
  if ((await countUsers(places.users)) > 0) return;
  const postmaster = await findPostmaster(places);
  if (postmaster === undefined) return;
  await stopPostmaster(places, postmaster, findBinaries());
  const { socketFolder } = postmaster;
  if (socketFolder === undefined || dirname(socketFolder) === places.root) return;
  // It lies among the temporary files. It may be gone or, after a failed stop, in use.
  await rmdir(socketFolder).catch(() => undefined);
}

/** Starts a server and waits until it says it is ready. What its log says, should it end instead. */
async function startServer(
  places: Places,
  options: ServerOptions,
  deadline: number,
): Promise<string | undefined> {
  const binaries = findBinaries();
  const account = chooseAccount(places.data);
  if (account !== undefined) await letPass(places, account);
  const { launcher, majorVersion } = await chooseLauncher(binaries, account, places.root);
  await checkData(places, majorVersion, account);
  const isDataThere = await isThere(places.data);
  const password = await readPassword(places, isDataThere);
  if (!isDataThere) options.log(`Creating a PostgreSQL ${majorVersion} database in ${places.data}`);
  await createData(places, { binaries, launcher, password, durable: options.durable });
  const socketFolder = await makeSocketFolder(places, account);
  options.log(`Starting PostgreSQL ${majorVersion} on ${places.data}`);
  const started = await startPostmaster(places, {
    binaries,
    launcher,
    socketFolder,
    durable: options.durable,
  });
  for (;;) {
    // In this order: a server that was ready and then ended has ended.
    const isReady = (await findPostmaster(places))?.isReady ?? false;
    const failure = started.failure();
    if (failure !== undefined || isReady || performance.now() > deadline) return failure;
    await sleep(pollMs);
  }
}

/** `undefined` when the server ended or had to be stopped, so that the way is free to start it. */
async function joinServer(
  places: Places,
  found: Postmaster,
  options: ServerOptions,
  deadline: number,
): Promise<RunningServer | undefined> {
  const startedAt = performance.now();
  const password = await readPassword(places, true);
  for (let postmaster = found; ; ) {
    const visit = await visitServer(places, postmaster, password);
    if (visit.kind === 'ours' && (visit.isDurable || !options.durable)) {
      options.log(`PostgreSQL ${visit.majorVersion} is ready on 127.0.0.1:${postmaster.port}`);
      return { url: visit.url, port: postmaster.port, socketFolder: postmaster.socketFolder };
    }
    if (visit.kind === 'unreachable') {
      const latest = await findPostmaster(places);
      if (latest?.pid !== postmaster.pid || performance.now() > deadline) return undefined;
      postmaster = latest;
      if (!latest.isReady || performance.now() - startedAt < silenceMs) {
        await sleep(pollMs);
        continue;
      }
    }
    const trouble = troubleOf(visit, places);
    if (visit.kind === 'password_refused') throw new EmbeddedUnavailable(trouble);
    if ((await countUsers(places.users)) > 0) {
      throw new EmbeddedUnavailable(
        `${trouble} Other processes use it, so it is not restarted: stop them first.`,
      );
    }
    options.log(`${trouble} It is restarted.`);
    await stopPostmaster(places, postmaster, findBinaries());
    return undefined;
  }
}

function troubleOf(visit: Visit, places: Places): string {
  const server = `The embedded PostgreSQL that runs on ${places.data}`;
  if (visit.kind === 'ours') return `${server} was started without durability (for tests).`;
  if (visit.kind === 'foreign') return `${server} is not the one that answers at its address.`;
  if (visit.kind === 'password_refused') return `${server} refuses the password in ${places.password}.`;
  return `${server} does not answer (${visit.reason}).`;
}
