import { listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { pageArguments, stateArgument, whoseArgument } from '../../schema.ts';
import { userToList } from '../../whose.ts';
import { newestFirst, selectConnections } from '../queries.ts';
import { connectionOf } from '../resource.ts';
import { connectionSchema } from '../schema.ts';

export const listConnections = operation({
  name: 'account_connections_list',
  title: 'List connections',
  summary:
    'Clients that were let in by signing in: what they may do, until when, and when they were last used.',
  effect: 'read',
  scope: null,
  input: { whose: whoseArgument, state: stateArgument, ...pageArguments },
  output: listOutput(connectionSchema),
  async run({ whose, state, cursor, limit }, context) {
    const sort = newestFirst;
    const filter = { userId: userToList(context, whose), state };
    const page = { sort, position: decodeCursor(sort, cursor), limit };
    const { db, organizationId, now } = context;
    const found = await selectConnections(db, organizationId, filter, page, now);
    const { rows, next_cursor } = pageOf(found, limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: rows.map(connectionOf), next_cursor };
  },
});
