import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../schema.ts';
import { updateFiscalDocument as updateRow } from '../queries.ts';
import { fiscalDocumentOf, requireFiscalDocument } from '../resource.ts';
import { requireIgnorable } from '../rules.ts';
import { fiscalDocumentSchema } from '../schema.ts';

export const updateFiscalDocument = operation({
  name: 'finance_fiscal_documents_update',
  title: 'Update fiscal document',
  summary: 'Change the notes, set a new document aside as ignored, or take it back.',
  effect: 'write',
  scope: 'finance.fiscal_documents',
  hints: { idempotent: true },
  input: {
    id: id('the fiscal document'),
    notes: cleanText(1_000).nullable().optional().describe('null removes them.'),
    status: z
      .enum(['new', 'ignored'], { error: 'one of: new, ignored' })
      .optional()
      .describe('Only between `new` and `ignored`.'),
  },
  output: fiscalDocumentSchema,
  async run({ id, notes, status }, context) {
    const before = await requireFiscalDocument(context, id);
    if (status !== undefined) requireIgnorable(before);
    const row = { ...before, ...(notes !== undefined && { notes }), ...(status !== undefined && { status }) };
    await updateRow(context.db, row, context.now);
    const after = await requireFiscalDocument(context, id);
    context.changed('fiscal_document', id, fiscalDocumentOf(before), fiscalDocumentOf(after));
    return fiscalDocumentOf(after);
  },
});
