/** The real HTTP server of a world, in this process and on loopback. */

import { createAppServer, listen, shut } from '../../src/apps/server.ts';
import type { Answers } from './answers.ts';
import { createRawClient, type RawClient } from './raw-client.ts';
import type { Who, World } from './world.ts';

export interface HttpServer {
  readonly port: number;
  /** The finance endpoint. */
  readonly url: string;
  /** A raw client with the token of this person; its answers are kept in `answers` when that is given. */
  client(who?: Who, answers?: Answers): RawClient;
  close(): Promise<void>;
}

/** Serves the world's runtime; the caller closes it before the world. */
export async function openServer(world: World): Promise<HttpServer> {
  const server = createAppServer(world.runtime);
  const port = await listen(server, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}/finance/mcp`;
  return {
    port,
    url,
    client(who = 'owner', answers) {
      const client = createRawClient(url, world.tokens[who]);
      return answers === undefined ? client : answers.keep(client);
    },
    close: () => shut(server, 0),
  };
}
