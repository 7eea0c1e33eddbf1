import { listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { pageArguments, stateArgument, whoseArgument } from '../../schema.ts';
import { userToList } from '../../whose.ts';
import { newestFirst, selectTokens } from '../queries.ts';
import { tokenOf } from '../resource.ts';
import { tokenSchema } from '../schema.ts';

export const listTokens = operation({
  name: 'account_tokens_list',
  title: 'List tokens',
  summary: 'Tokens made by hand: what they may do, until when, and when they were last used.',
  effect: 'read',
  scope: null,
  input: { whose: whoseArgument, state: stateArgument, ...pageArguments },
  output: listOutput(tokenSchema),
  async run({ whose, state, cursor, limit }, context) {
    const sort = newestFirst;
    const filter = { userId: userToList(context, whose), state };
    const page = { sort, position: decodeCursor(sort, cursor), limit };
    const { db, organizationId, now } = context;
    const found = await selectTokens(db, organizationId, filter, page, now);
    const { rows, next_cursor } = pageOf(found, limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: rows.map(tokenOf), next_cursor };
  },
});
