import { listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { SESSION_IDLE_MS } from '../../../identity/sessions.ts';
import { pageArguments } from '../../schema.ts';
import { newestFirst, selectSessions } from '../queries.ts';
import { sessionSchema } from '../schema.ts';

export const listSessions = operation({
  name: 'account_sessions_list',
  title: 'List sessions',
  summary: 'The browsers in which you are signed in to this organization.',
  effect: 'read',
  scope: null,
  input: pageArguments,
  output: listOutput(sessionSchema),
  async run({ cursor, limit }, { db, organizationId, caller, now }) {
    const sort = newestFirst;
    const page = { sort, position: decodeCursor(sort, cursor), limit };
    const seenAfter = new Date(now.getTime() - SESSION_IDLE_MS);
    const found = await selectSessions(db, organizationId, caller.user.id, page, { now, seenAfter });
    const { rows, next_cursor } = pageOf(found, limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    const items = rows.map(({ ended_at: _none, ...row }) => ({
      ...row,
      is_this_one: row.id === caller.session?.id,
    }));
    return { items, next_cursor };
  },
});
