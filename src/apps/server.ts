/** The HTTP server of a process: MCP for both products, and what operators ask for. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createConsole } from '../console/index.ts';
import { newId } from '../core/ids.ts';
import { originOf } from '../core/resources.ts';
import { createSignIn } from '../identity/sign-in.ts';
import { createHostCheck, HttpRefusal, type OriginRules } from '../mcp/guard.ts';
import { createHttpHandler } from '../mcp/http.ts';
import { createProductService, type ProductService } from '../mcp/methods.ts';
import { createOAuth } from '../oauth/index.ts';
import { createRest } from '../rest/index.ts';
import type { Mount } from '../web/mount.ts';
import { refuseFlood } from './floods.ts';
import { isReady } from './house.ts';
import { log } from './log.ts';
import type { ReportsAccess } from './messages.ts';
import { metricsText } from './metrics.ts';
import { answerReports } from './reports.ts';
import { products, type Runtime } from './runtime.ts';
import { answerUpload } from './uploads.ts';
import { version } from './version.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 16 * 1024;

export interface ServerOptions {
  /** The address clients reach us under, besides loopback. */
  readonly publicUrl?: string | undefined;
  /** Whose reports about messages are believed; default nobody's. */
  readonly reports?: ReportsAccess;
  /** `sdk` frames answers with the official SDK instead of our own path; for tests. */
  readonly wire?: 'lean' | 'sdk';
}

/** Logs what nobody foresaw and gives the id that the caller is told. */
export function logFailure(error: unknown, where: string): string {
  const id = newId();
  log.error({ err: error, id }, `failed: ${where}`);
  return id;
}

/** The MCP service of each product over this runtime. */
export function servicesOf(runtime: Runtime): { finance: ProductService; dunning: ProductService } {
  const serviceOf = (product: 'finance' | 'dunning') =>
    createProductService({
      definition: products[product],
      invoker: runtime.invokers[product],
      version,
      logFailure,
    });
  return { finance: serviceOf('finance'), dunning: serviceOf('dunning') };
}

/** A server that is not listening yet. */
export function createAppServer(runtime: Runtime, options: ServerOptions = {}): Server {
  const { finance, dunning } = servicesOf(runtime);
  const publicHost = options.publicUrl === undefined ? [] : [new URL(options.publicUrl).host];
  const publicOrigin = options.publicUrl === undefined ? [] : [new URL(options.publicUrl).origin];
  const allowedHosts = ['localhost', '127.0.0.1', '[::1]', ...publicHost];
  const allowedOrigins = ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*', ...publicOrigin];
  const web = webOf(runtime, options.publicUrl, { allowedHosts, allowedOrigins });
  const mcp = createHttpHandler({
    services: [finance, dunning],
    authentication: runtime.authenticator,
    limiter: runtime.limiter,
    now: runtime.now,
    logFailure,
    publicUrl: options.publicUrl,
    allowedHosts,
    allowedOrigins,
    ...(options.wire !== undefined && { wire: options.wire }),
  });
  const server = createServer(
    { maxHeaderSize: HEADER_BYTES_MAX, keepAliveTimeout: KEEP_ALIVE_MS },
    (req, res) => {
      if (refuseFlood(runtime, req, res)) return;
      if (mcp(req, res) || answerUpload(runtime, req, res, logFailure)) return;
      if (answerReports(runtime, options.reports, req, res, logFailure) || web(req, res)) return;
      void answerOperator(runtime, req, res);
    },
  );
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  return server;
}

/** What browsers, programs and the authorization of clients reach; the host is checked before any of it is asked. */
function webOf(
  runtime: Runtime,
  publicUrl: string | undefined,
  originRules: OriginRules,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { authenticator, database, invokers, now, secretKeys, testHosts } = runtime;
  const checkHost = createHostCheck(originRules.allowedHosts);
  const rest = createRest({
    products,
    invokers,
    authenticator,
    originRules,
    limiter: runtime.limiter,
    now,
    logFailure,
  });
  const logRefusal = (what: string, facts: Readonly<Record<string, string>>) => log.warn(facts, what);
  const signIn = createSignIn({ database: database.shared, secretKeys, logRefusal });
  const mounts: readonly Mount[] = [
    createOAuth({
      database,
      secretKeys,
      now,
      addressOf: runtime.addressOf,
      testHosts,
      externalIssuer: runtime.externalIssuer,
      logFailure,
      logRefusal,
    }),
    rest.mount,
    createConsole({ rest: rest.client, signIn, now, addressOf: runtime.addressOf, logFailure, logRefusal }),
  ];
  return (req, res) => {
    let host: string;
    try {
      host = checkHost(req.headers.host);
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error;
      // Operators ask by address, and get no more than whether the server is well.
      return false;
    }
    const origin = originOf(host, publicUrl);
    return mounts.some((mount) => mount(req, res, origin));
  };
}

/** Listens and gives the port, which the system chooses when 0 was asked for. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Stops taking requests, lets running ones finish for a while, then lets go. */
export function shut(server: Server, graceMs = 5_000): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
  });
}

async function answerOperator(runtime: Runtime, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const path = req.url?.split('?', 1)[0];
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (isRead && path === '/healthz') return send(res, 200, 'text/plain', 'alive\n');
  if (isRead && path === '/readyz') {
    const ready = await isReady(runtime);
    return send(
      res,
      ready ? 200 : 503,
      'text/plain',
      ready ? 'ready\n' : 'database not reachable or not migrated\n',
    );
  }
  if (isRead && path === '/metrics') return send(res, 200, 'text/plain; version=0.0.4', metricsText(runtime));
  req.resume();
  send(
    res,
    404,
    'application/json',
    JSON.stringify({ error: { code: 'not_found', message: 'There is nothing at this path.' } }),
  );
}

function send(res: ServerResponse, status: number, type: string, body: string): void {
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  res.end(body);
}
