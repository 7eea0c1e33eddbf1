/** Lists of what a person has, that some may see of everybody. */

import { fail } from '../core/errors.ts';
import type { Context } from '../core/operation.ts';

const SEES_EVERYBODYS = 'account.connections';
const ENDS_EVERYBODYS = 'account.connections.write';

/** The user to list for, or undefined for everybody. Fails with `forbidden` for who may only see their own. */
export function userToList({ caller, scopes }: Context, whose: 'me' | 'everybody'): string | undefined {
  if (whose === 'me') return caller.user.id;
  if (!scopes.has(SEES_EVERYBODYS)) fail('forbidden', { required: [SEES_EVERYBODYS] });
  return undefined;
}

/** The user whose records may be ended, or undefined for anybody's: those of others look as if they did not exist. */
export function userToEndFor({ caller, scopes }: Context): string | undefined {
  return scopes.has(ENDS_EVERYBODYS) ? undefined : caller.user.id;
}
