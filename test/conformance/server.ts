/**
 * Test-only servers for the conformance suite, on loopback: the fixtures, and the real finance product. Both stand
 * on a real database, run behind the production guard and are reached through a proxy that adds a token of that
 * database, because the suite cannot send one. Run as a program, it serves both until it is stopped.
 */

import { createServer, type Server } from 'node:http';
import { createAppServer, listen, shut } from '../../src/apps/server.ts';
import { createInvoker } from '../../src/core/invoke.ts';
import { createHttpHandler } from '../../src/mcp/http.ts';
import { createProductService } from '../../src/mcp/methods.ts';
import { withFixtureLayer } from './fixture-layer.ts';
import { fixtureProduct } from './fixture-product.ts';
import { createTokenProxy } from './proxy.ts';
import { type Books, openBooks, withTemporaryDatabase } from './setup.ts';

const HOST = '127.0.0.1';

export interface SuiteServer {
  /** Where the suite sends its requests. */
  readonly url: string;
  close(): Promise<void>;
}

/** The fixtures of the suite. */
export async function startFixtureServer({ runtime, token }: Books): Promise<SuiteServer> {
  const service = withFixtureLayer(
    createProductService({
      definition: fixtureProduct,
      invoker: createInvoker(runtime.portsOf(fixtureProduct.catalogue)),
      version: '0.0.0',
      logFailure,
    }),
  );
  const handle = createHttpHandler({
    services: [service],
    authentication: runtime.authenticator,
    allowedHosts: ['127.0.0.1', 'localhost'],
    allowedOrigins: ['http://127.0.0.1:*', 'http://localhost:*'],
    now: runtime.now,
    logFailure,
  });
  const product = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(404).end();
  });
  const port = await listen(product, 0, HOST);
  return served([createTokenProxy(token, port), product]);
}

/** The real finance product. */
export async function startProductServer({ runtime, token }: Books): Promise<SuiteServer> {
  const product = createAppServer(runtime);
  const port = await listen(product, 0, HOST);
  return served([createTokenProxy(token, port), product]);
}

/** Opens the proxy, the first of the servers; closes all of them. */
async function served(servers: readonly [Server, ...Server[]]): Promise<SuiteServer> {
  const port = await listen(servers[0], 0, HOST);
  return {
    url: `http://${HOST}:${port}/finance/mcp`,
    close: async () => {
      await Promise.all(servers.map((server) => shut(server, 0)));
    },
  };
}

function logFailure(error: unknown, where: string): string {
  console.error(`failed: ${where}`, error);
  return 'logged';
}

if (import.meta.main) {
  await withTemporaryDatabase(async (ownerUrl) => {
    const books = await openBooks(ownerUrl);
    const servers = [await startFixtureServer(books), await startProductServer(books)];
    console.log(`fixtures: ${servers[0]!.url}\nproduct:  ${servers[1]!.url}`);
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
    await Promise.all(servers.map((server) => server.close()));
    await books.close();
  });
}
