/** Companies of a workspace; `requireCompany` and `requireOpenBooks` serve the slices whose records belong to one. */

import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { createCompany } from './operations/create.ts';
import { getCompany } from './operations/get.ts';
import { listCompanies } from './operations/list.ts';
import { updateCompany } from './operations/update.ts';
import { suggestCompanyIds } from './resource.ts';

export { findCompanyByDocument, requireCompany } from './resource.ts';
export { requireOpenBooks } from './rules.ts';

export const companyCompletion: Completion = {
  kind: 'records',
  operation: 'finance_companies_list',
  suggest: suggestCompanyIds,
};

export const operations = [listCompanies, getCompany, createCompany, updateCompany];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/companies/{id}',
    name: 'company',
    title: 'Company',
    description: 'A company in the workspace.',
    mimeType: 'application/json',
    operation: 'finance_companies_get',
    variable: 'uuid',
    completion: companyCompletion,
    ttlMs: 0,
  },
];
