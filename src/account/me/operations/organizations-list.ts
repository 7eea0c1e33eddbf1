import { listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { pageArguments } from '../../schema.ts';
import { byName, selectOrganizationsOf } from '../queries.ts';
import { organizationSchema } from '../schema.ts';

export const listOrganizations = operation({
  name: 'account_organizations_list',
  title: 'List organizations',
  summary: 'The organizations you belong to; a session is in one of them.',
  effect: 'read',
  scope: null,
  input: pageArguments,
  output: listOutput(organizationSchema),
  async run({ cursor, limit }, { db, caller, organizationId }) {
    const sort = byName;
    const page = { sort, position: decodeCursor(sort, cursor), limit };
    const found = await selectOrganizationsOf(db, caller.user.id, page);
    const { rows, next_cursor } = pageOf(found, limit, sort, (row) => ({ key: row.name, id: row.id }));
    return { items: rows.map((row) => ({ ...row, is_this_one: row.id === organizationId })), next_cursor };
  },
});
