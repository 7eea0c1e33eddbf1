/** Received fiscal documents: their XML is read, kept and turned into bills. */

import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { createFiscalDocumentPayables } from './operations/create-payables.ts';
import { deleteFiscalDocument } from './operations/delete.ts';
import { getFiscalDocument } from './operations/get.ts';
import { importFiscalDocument } from './operations/import.ts';
import { linkFiscalDocumentPayable } from './operations/link-payable.ts';
import { listFiscalDocuments } from './operations/list.ts';
import { updateFiscalDocument } from './operations/update.ts';
import { suggestFiscalDocumentIds } from './resource.ts';

export const fiscalDocumentCompletion: Completion = {
  kind: 'records',
  operation: 'finance_fiscal_documents_list',
  suggest: suggestFiscalDocumentIds,
};

export const operations = [
  listFiscalDocuments,
  getFiscalDocument,
  importFiscalDocument,
  linkFiscalDocumentPayable,
  createFiscalDocumentPayables,
  updateFiscalDocument,
  deleteFiscalDocument,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/fiscal-documents/{id}',
    name: 'fiscal_document',
    title: 'Fiscal document',
    description: 'A received fiscal document.',
    mimeType: 'application/json',
    operation: 'finance_fiscal_documents_get',
    variable: 'uuid',
    completion: fiscalDocumentCompletion,
    ttlMs: 0,
  },
];
