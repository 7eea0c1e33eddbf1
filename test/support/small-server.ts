/** The small product behind the real HTTP handler on a loopback port, with the outside (database, store) faked. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Controls } from '../../src/core/approvals.ts';
import type { Caller } from '../../src/core/caller.ts';
import type { Confirmations, OpenedState } from '../../src/core/confirmations.ts';
import { AppError } from '../../src/core/errors.ts';
import { createInvoker, type InvokePorts, type Invoker } from '../../src/core/invoke.ts';
import type { Database, Transaction } from '../../src/core/ports.ts';
import type { ProductDefinition } from '../../src/core/surfaces.ts';
import { createHttpHandler } from '../../src/mcp/http.ts';
import { createProductService, type ProductService } from '../../src/mcp/methods.ts';
import { callerOf, otherProduct, smallProduct } from './small-product.ts';

/** 23:30 on the last of June in Manaus, already July in UTC. */
export const NOW = new Date('2026-07-01T03:30:00Z');

/** Tokens of the server; each name says what is different about its person. */
export const TOKENS: Readonly<Record<string, Caller>> = {
  kob_finance_full: callerOf(),
  kob_finance_read: callerOf({ access: 'read', name: 'read' }),
  kob_finance_nothing: callerOf({ scopes: [], name: 'nothing' }),
  kob_finance_viewer: callerOf({ scopes: ['finance.items'], name: 'viewer' }),
  kob_finance_several: callerOf({ workspaces: 2, name: 'several' }),
  kob_finance_revoked: callerOf({ name: 'revoked' }),
};

export interface SmallServer {
  readonly port: number;
  readonly url: string;
  readonly origin: string;
  readonly failures: unknown[];
  /** What the access log got: `<surface> <operation> <outcome>`. */
  readonly log: string[];
  close(): Promise<void>;
}

/** Starts the server; `wire` chooses what frames the answers, `product` may add lists and views to the small one. */
export async function startSmallServer(
  wire: 'lean' | 'sdk',
  product: ProductDefinition = smallProduct,
): Promise<SmallServer> {
  const failures: unknown[] = [];
  const log: string[] = [];
  const logFailure = (error: unknown): string => `failure-${failures.push(error)}`;
  const invoker = smallInvoker(logFailure, log);
  const services = [product, otherProduct].map((definition) =>
    createProductService({ definition, invoker, version: '1.2.3', logFailure }),
  );
  const handle = createHttpHandler({
    services,
    authentication: { authenticate: async (token, product) => callerBehind(token, product) },
    allowedHosts: ['127.0.0.1', 'localhost'],
    allowedOrigins: ['https://app.example', 'http://localhost:*'],
    now: () => NOW,
    logFailure,
    wire,
  });
  const server = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    origin,
    url: `${origin}/finance/mcp`,
    failures,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function callerBehind(token: string, product: string): Caller | null {
  if (token === 'kob_finance_down') throw new AppError('unavailable');
  if (token === 'kob_finance_crash') throw new Error('connect ECONNREFUSED db.internal:5432');
  return (product === 'finance' && TOKENS[token]) || null;
}

/** One service without a server around it. */
export function smallService(logFailure: (error: unknown) => string, log: string[] = []): ProductService {
  return createProductService({
    definition: smallProduct,
    invoker: smallInvoker(logFailure, log),
    version: '1.2.3',
    logFailure,
  });
}

/** The real invoker over ports that remember nothing but confirmations. */
export function smallInvoker(logFailure: (error: unknown) => string, log: string[]): Invoker {
  const unused = async (): Promise<never> => {
    throw new Error('the small product has no rows');
  };
  const db: Transaction = {
    rows: unused,
    row: unused,
    run: unused,
    nested: (work) => work(),
    inWorkspace: (_id, work) => work(),
  };
  const database: Database = { read: (_tenant, work) => work(db), write: (_tenant, work) => work(db) };
  const ports: InvokePorts = {
    database,
    confirmations: plainConfirmations(),
    approvals: {
      controls: async () => noControls,
      holdControls: async () => noControls,
      open: unused,
      find: async () => null,
      lock: async () => null,
      decide: unused,
    },
    requesterOf: async () => null,
    consumeVerification: async () => null,
    idempotency: { begin: async () => null, find: async () => null, finish: async () => undefined },
    appendEvent: async () => undefined,
    enqueue: async () => undefined,
    logAccess: ({ surface, operation, outcome }) => void log.push(`${surface} ${operation} ${outcome}`),
    logFailure,
    refreshCaller: async (caller) => (caller.user.id === 'user-revoked' ? null : caller),
    catalogue: smallProduct.catalogue,
    now: () => NOW,
  };
  return createInvoker(ports);
}

const noControls: Controls = {
  approvalsEnabled: false,
  approvalHours: 24,
  secondPersonFromCents: null,
  isFrozen: false,
};

/** States in clear, bound to tool and arguments; enough to see what the wire makes of each outcome. */
function plainConfirmations(): Confirmations {
  const spent = new Map<string, 'used' | 'declined'>();
  let count = 0;
  return {
    open(state, { operation, digest }): OpenedState {
      if (state === undefined) return { status: 'absent' };
      const [id, name, bound] = state.split('|');
      if (name !== operation.name || bound !== digest) return { status: 'mismatch' };
      return { status: 'valid', id: id!, isExpired: false, factDigests: {} };
    },
    seal({ operation, digest }) {
      count += 1;
      return `${count}|${operation.name}|${digest}`;
    },
    textOf: ({ operation }) => `${operation.title}?`,
    changedFacts: () => [],
    limitQuestions: () => undefined,
    lastUse: async () => null,
    find: async (id) => spent.get(id) ?? null,
    claim: async (_db, id) => spent.get(id) ?? 'free',
    spend: async (_db, id) => void spent.set(id, 'used'),
    fail: async () => undefined,
    decline: async (id) => void spent.set(id, 'declined'),
  };
}
