import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withLock } from './lock.ts';
import { preparePlaces } from './places.ts';
import { ensureServer, stopUnusedServer } from './server.ts';
import { EmbeddedUnavailable } from './unavailable.ts';
import { addUser } from './users.ts';

export { EmbeddedUnavailable } from './unavailable.ts';

const defaultStartTimeoutMs = 60_000;
const releaseTimeoutMs = 90_000;

export interface EmbeddedServer {
  /** Address of the database `kobana` for the superuser, with the password in it: it must not be logged. */
  ownerUrl: string;
  /** The folder of the server's socket, where there is one. */
  socketDir?: string;
  /** The port on 127.0.0.1. */
  port: number;
  /** Ends the use of the server. The last one out stops it. Calling it again changes nothing. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  /** `false` gives up safety at a power cut for speed, for tests. Default `true`. */
  durable?: boolean;
  /** Takes a line, without secrets, for each thing that happens. */
  log?: (line: string) => void;
  /** Limit for all of it: waiting for others, making the data, starting, recovering. Default 60 s. */
  startTimeoutMs?: number;
}

/**
 * Opens the PostgreSQL server of a home folder: makes its data on first use, starts it, or joins it where
 * another process has started it. The server belongs to no process; it runs until its last user releases it,
 * and where all users were killed, until the next one does.
 *
 * @throws EmbeddedUnavailable for whatever stands in the way.
 */
export async function openEmbedded(home: string, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const { durable = true, log = () => undefined, startTimeoutMs = defaultStartTimeoutMs } = options;
  try {
    const places = await preparePlaces(resolve(home));
    const { server, user } = await withLock(places.lock, startTimeoutMs, async () => {
      const server = await ensureServer(places, { durable, log, startTimeoutMs });
      return { server, user: await addUser(places.users) };
    });
    let released: Promise<void> | undefined;
    const release = () =>
      withLock(places.lock, releaseTimeoutMs, async () => {
        await rm(user, { force: true });
        await stopUnusedServer(places);
      });
    return {
      ownerUrl: server.url,
      ...(server.socketFolder === undefined ? {} : { socketDir: server.socketFolder }),
      port: server.port,
      release: () => {
        released ??= release();
        return released;
      },
    };
  } catch (error) {
    if (error instanceof EmbeddedUnavailable) throw error;
    throw new EmbeddedUnavailable(
      `The embedded PostgreSQL in ${home} cannot be used (${(error as Error).message}). Set KOBANA_HOME to a folder that this program may write in.`,
      { cause: error },
    );
  }
}
