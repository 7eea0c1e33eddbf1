import { z } from 'zod';
import { date, id, listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { fiscalDocumentSorts, selectFiscalDocuments } from '../queries.ts';
import { fiscalDocumentOf } from '../resource.ts';
import { documentKinds, documentStatuses, fiscalDocumentSchema } from '../schema.ts';

export const listFiscalDocuments = operation({
  name: 'finance_fiscal_documents_list',
  title: 'List fiscal documents',
  summary: 'Received fiscal documents (NF-e, NFS-e, CT-e), latest issue first.',
  effect: 'read',
  scope: 'finance.fiscal_documents',
  input: {
    kind: z.enum(documentKinds).optional(),
    company_id: id('the company that received it').optional(),
    person_id: id('the issuer').optional(),
    status: z.enum(documentStatuses).optional(),
    issued_from: date().optional(),
    issued_to: date().optional().describe('This day included.'),
    access_key: text(50).optional().describe('The whole key.'),
    sort: z.enum(['issued_at', '-issued_at']).default('-issued_at'),
    ...listArguments,
  },
  output: listOutput(fiscalDocumentSchema),
  async run(input, { db, workspaceId, timeZone }) {
    const sort = fiscalDocumentSorts[input.sort]!;
    const found = await selectFiscalDocuments(db, workspaceId, input, timeZone, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.issued_at, id: row.id }));
    return { items: page.rows.map(fiscalDocumentOf), next_cursor: page.next_cursor };
  },
});
