/** Signing in: passwords, passkeys and invitations, with attempts counted for every process together. */

import type { Db } from '../core/ports.ts';
import type { SignIn } from '../web/sign-in.ts';

export interface SignInOptions {
  readonly database: Db;
  /** The keys that attempts are counted under, newest first; no e-mail address is stored for counting. */
  readonly secretKeys: readonly string[];
}

export function createSignIn(_options: SignInOptions): SignIn {
  return {} as SignIn;
}
