import { cleanText, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { searchPattern } from '../../../db/listing.ts';
import { pageArguments } from '../../schema.ts';
import { personSort, selectPeople } from '../queries.ts';
import { personOf } from '../resource.ts';
import { personSchema } from '../schema.ts';

export const listPeople = operation({
  name: 'account_people_list',
  title: 'List people',
  summary: 'Who belongs to the organization or is invited to it, with their roles.',
  effect: 'read',
  scope: 'account.people',
  input: {
    search: cleanText(100).optional().describe('Part of the name or of the e-mail address.'),
    ...pageArguments,
  },
  output: listOutput(personSchema),
  async run({ search, cursor, limit }, { db, organizationId }) {
    const sort = personSort;
    const pattern = search === undefined ? undefined : searchPattern(search);
    const page = { sort, position: decodeCursor(sort, cursor), limit };
    const found = await selectPeople(db, organizationId, { pattern }, page);
    const { rows, next_cursor } = pageOf(found, limit, sort, (row) => ({ key: row.shown_as, id: row.id }));
    return { items: rows.map(personOf), next_cursor };
  },
});
