/** The browsers in which a person is signed in. */

import { listSessions } from './operations/list.ts';
import { revokeSession } from './operations/revoke.ts';

export const operations = [listSessions, revokeSession];
