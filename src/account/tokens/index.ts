/** Tokens that people make by hand. */

import { createToken } from './operations/create.ts';
import { listTokens } from './operations/list.ts';
import { revokeToken } from './operations/revoke.ts';

export const operations = [listTokens, createToken, revokeToken];
