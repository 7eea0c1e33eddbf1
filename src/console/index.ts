/** The web console: pages made on the server, which know the books by REST only. */

import type { RestClient } from '../rest/client.ts';
import type { Mount } from '../web/mount.ts';
import type { SignIn } from '../web/sign-in.ts';

export interface ConsoleOptions {
  readonly rest: RestClient;
  readonly signIn: SignIn;
  readonly now: () => Date;
  /** Logs a failure nobody foresaw and gives the id to tell the person. */
  readonly logFailure: (error: unknown, where: string) => string;
}

/** Serves `/console/…`. */
export function createConsole(_options: ConsoleOptions): Mount {
  return () => false;
}
