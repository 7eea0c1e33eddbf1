/** The authorization server, its consent page, and the metadata by which clients find both. */

import type { AppDatabase } from '../db/database.ts';
import type { Mount } from '../web/mount.ts';

export interface OAuthOptions {
  readonly database: AppDatabase;
  readonly secretKeys: readonly string[];
  readonly now: () => Date;
  /** Private addresses, as `host:port`, from which client metadata may be fetched; for tests. */
  readonly testHosts: readonly string[];
  /** Logs a failure nobody foresaw and gives the id to tell the person. */
  readonly logFailure: (error: unknown, where: string) => string;
}

/** Serves `/oauth/…` and the `/.well-known/…` documents of both products. */
export function createOAuth(_options: OAuthOptions): Mount {
  return () => false;
}
