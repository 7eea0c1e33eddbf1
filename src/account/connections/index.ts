/** Clients that people let in by signing in. */

import { listConnections } from './operations/list.ts';
import { revokeConnection } from './operations/revoke.ts';

export const operations = [listConnections, revokeConnection];
