import { z } from 'zod';
import { listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { searchPattern } from '../../../db/listing.ts';
import { selectTemplates, templateSorts } from '../queries.ts';
import { templateItemOf } from '../resource.ts';
import { templateChannel, templateItemSchema, templateLanguage } from '../schema.ts';

export const listTemplates = operation({
  name: 'dunning_templates_list',
  title: 'List message templates',
  summary: 'Find message templates by name, channel or language; their bodies are in dunning_templates_get.',
  effect: 'read',
  scope: 'dunning.templates',
  input: {
    search: text(100).optional().describe('Part of the name.'),
    channel: templateChannel.optional().describe('Only templates of this channel.'),
    language: templateLanguage.optional().describe('Only templates in this language.'),
    active: z.boolean().optional(),
    archived: z.boolean().default(false).describe('true: archived ones instead.'),
    sort: z.enum(['name', '-name', 'created_at', '-created_at']).default('name'),
    ...listArguments,
  },
  output: listOutput(templateItemSchema),
  async run(input, { db, organizationId }) {
    const sort = templateSorts[input.sort]!;
    const search = input.search === undefined ? undefined : searchPattern(input.search);
    const position = decodeCursor(sort, input.cursor);
    const filter = { ...input, search };
    const found = await selectTemplates(db, organizationId, filter, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('name') ? row.name : row.created_at,
      id: row.id,
    }));
    return { items: page.rows.map(templateItemOf), next_cursor: page.next_cursor };
  },
});
