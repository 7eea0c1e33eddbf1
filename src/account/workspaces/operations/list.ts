import { listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { pageArguments } from '../../schema.ts';
import { byName, selectWorkspaces } from '../queries.ts';
import { workspaceSchema } from '../schema.ts';

export const listWorkspaces = operation({
  name: 'account_workspaces_list',
  title: 'List workspaces',
  summary: 'The workspaces you reach.',
  effect: 'read',
  scope: null,
  input: pageArguments,
  output: listOutput(workspaceSchema),
  async run({ cursor, limit }, { db, organizationId, caller }) {
    const sort = byName;
    const page = { sort, position: decodeCursor(sort, cursor), limit };
    const found = await selectWorkspaces(db, organizationId, [...caller.workspaces.keys()], page);
    const { rows, next_cursor } = pageOf(found, limit, sort, (row) => ({ key: row.name, id: row.id }));
    return { items: rows, next_cursor };
  },
});
