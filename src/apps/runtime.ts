/** Puts a process together: database, identity, confirmations and one invoker per product. */

import { account } from '../account/index.ts';
import { createConfirmations } from '../confirm/index.ts';
import { sealKeysOf } from '../confirm/state.ts';
import type { Domain, Product } from '../core/caller.ts';
import { newId } from '../core/ids.ts';
import { createInvoker, type InvokePorts, type Invoker } from '../core/invoke.ts';
import type { Catalogue } from '../core/operation.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import { openAccessLog } from '../db/access-log.ts';
import { type AppDatabase, openDatabase } from '../db/database.ts';
import { appendEvent } from '../db/events.ts';
import { idempotency } from '../db/idempotency.ts';
import { enqueueJob } from '../db/jobs.ts';
import { listenTo } from '../db/listen.ts';
import { dunning } from '../dunning/index.ts';
import { finance } from '../finance/index.ts';
import { type Authenticator, createAuthenticator } from '../identity/tokens.ts';
import { trackTokenUsage } from '../identity/usage.ts';

export const products: Readonly<Record<Product, ProductDefinition>> = { finance, dunning };

export interface RuntimeOptions {
  readonly databaseUrl: string;
  /** Texts of the confirmation keys, newest first. */
  readonly secretKeys: readonly string[];
  /** Tells installations apart that might share a key, for example by their public address. */
  readonly environment: string;
  readonly poolSize?: number;
  readonly now?: () => Date;
  /** Private addresses, as `host:port`, that webhooks may go to. */
  readonly testHosts?: readonly string[];
  /** Takes failures nobody foresaw; they may hold anything, so they go to the log and nowhere else. */
  readonly logFailure: (error: unknown, what: string, id: string) => void;
}

export interface Runtime {
  readonly database: AppDatabase;
  readonly authenticator: Authenticator;
  readonly invokers: Readonly<Record<Domain, Invoker>>;
  /** Texts of the keys, newest first. */
  readonly secretKeys: readonly string[];
  readonly testHosts: readonly string[];
  /** What an invoker or a job stands on, for this catalogue. */
  portsOf(catalogue: Catalogue): InvokePorts;
  readonly now: () => Date;
  close(): Promise<void>;
}

/** Opens everything a server, a worker or a command needs. The database must be migrated. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const {
    databaseUrl,
    secretKeys,
    environment,
    poolSize,
    logFailure,
    testHosts = [],
    now = () => new Date(),
  } = options;
  const database = openDatabase({
    connectionString: databaseUrl,
    ...(poolSize !== undefined && { size: poolSize }),
  });
  const authenticator = createAuthenticator(database.shared);
  const listener = listenTo(databaseUrl, 'kobana_identity', () => authenticator.forget());
  const accessLog = openAccessLog(database, (error) => logFailure(error, 'access log', newId()));
  const usage = trackTokenUsage(database.shared, now, (error) => logFailure(error, 'token usage', newId()));
  const confirmations = createConfirmations({ keys: sealKeysOf(secretKeys), environment, database });
  const portsOf = (catalogue: Catalogue): InvokePorts => ({
    catalogue,
    database,
    confirmations,
    idempotency,
    appendEvent,
    enqueue: enqueueJob,
    logAccess: (line) => {
      accessLog.write(line);
      if (line.tokenId !== null) usage.note(line.tokenId);
    },
    logFailure: (error, what) => {
      const id = newId();
      logFailure(error, what, id);
      return id;
    },
    refreshCaller: (caller) => authenticator.refresh(caller, now()),
    now,
    testHosts,
  });
  return {
    database,
    authenticator,
    invokers: {
      finance: createInvoker(portsOf(finance.catalogue)),
      dunning: createInvoker(portsOf(dunning.catalogue)),
      account: createInvoker(portsOf(account)),
    },
    secretKeys,
    testHosts,
    portsOf,
    now,
    async close() {
      await accessLog.close();
      await usage.close();
      await listener.close();
      await database.close();
    },
  };
}
