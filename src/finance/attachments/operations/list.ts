import { z } from 'zod';
import { listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { attachmentSorts, selectAttachments } from '../queries.ts';
import { attachmentOf } from '../resource.ts';
import { attachmentKinds, attachmentSchema, linkTarget } from '../schema.ts';

export const listAttachments = operation({
  name: 'finance_attachments_list',
  title: 'List attachments',
  summary: 'Stored files, newest first: receipts, boletos, XML, contracts.',
  effect: 'read',
  scope: 'finance.attachments',
  input: {
    linked_to: linkTarget.optional().describe('Only files tied to this record.'),
    kind: z.enum(attachmentKinds).optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(attachmentSchema),
  async run(input, { db, workspaceId }) {
    const sort = attachmentSorts[input.sort]!;
    const found = await selectAttachments(db, workspaceId, input, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(attachmentOf), next_cursor: page.next_cursor };
  },
});
