/** Puts a process together: database, identity, confirmations and one invoker per product. */

import { account } from '../account/index.ts';
import { approvalStore } from '../approvals/index.ts';
import { createConfirmations } from '../confirm/index.ts';
import { sealKeysOf } from '../confirm/state.ts';
import type { Domain, Product } from '../core/caller.ts';
import { type AddressOf, createAddressReader, type TrustedProxies } from '../core/client-address.ts';
import { newId } from '../core/ids.ts';
import { createInvoker, type InvokePorts, type Invoker } from '../core/invoke.ts';
import type { Catalogue } from '../core/operation.ts';
import { createRateLimiter, limitTool, type RateLimiter, type RateLimits } from '../core/rate-limits.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import { openAccessLog } from '../db/access-log.ts';
import { type AppDatabase, openDatabase } from '../db/database.ts';
import { appendEvent } from '../db/events.ts';
import { idempotency } from '../db/idempotency.ts';
import { enqueueJob } from '../db/jobs.ts';
import { listenTo } from '../db/listen.ts';
import { dunning } from '../dunning/index.ts';
import { finance } from '../finance/index.ts';
import { createExternalIdentity, type ExternalIdentityConfig } from '../identity/external.ts';
import { consumeVerification, requesterOf } from '../identity/requesters.ts';
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
  /** Lets clients in instead of us. Default: we do. */
  readonly identityProvider?: ExternalIdentityConfig | undefined;
  /** How often one may call. Default: as often as one likes. */
  readonly rateLimits?: RateLimits;
  /** Proxies that say whose request they pass on. Default: none. */
  readonly trustedProxies?: TrustedProxies | undefined;
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
  /** Who lets clients in instead of us; undefined: we do. */
  readonly externalIssuer: string | undefined;
  readonly limiter: RateLimiter;
  /** The address a request comes from, past the proxies that are trusted. */
  readonly addressOf: AddressOf;
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
    identityProvider,
    rateLimits = {},
    trustedProxies,
    now = () => new Date(),
  } = options;
  const database = openDatabase({
    connectionString: databaseUrl,
    ...(poolSize !== undefined && { size: poolSize }),
  });
  const external = identityProvider && createExternalIdentity(identityProvider);
  const authenticator = createAuthenticator(database.shared, external);
  const listener = listenTo(databaseUrl, 'kobana_identity', () => authenticator.forget());
  const accessLog = openAccessLog(database, (error) => logFailure(error, 'access log', newId()));
  const usage = trackTokenUsage(database.shared, now, (error) => logFailure(error, 'token usage', newId()));
  const confirmations = createConfirmations({ keys: sealKeysOf(secretKeys), environment, database });
  const limiter = createRateLimiter(rateLimits);
  const portsOf = (catalogue: Catalogue): InvokePorts => ({
    catalogue,
    database,
    confirmations,
    approvals: approvalStore,
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
    requesterOf: (db, requester) => requesterOf(db, requester, now()),
    consumeVerification,
    now,
    testHosts,
    limitTool: (operation, caller, at) => limitTool(limiter, operation, caller, at),
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
    externalIssuer: external?.issuer,
    limiter,
    addressOf: createAddressReader(trustedProxies),
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
