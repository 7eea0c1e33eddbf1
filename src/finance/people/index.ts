/** Suppliers and customers of a workspace, with the bank details that payments to them use. */

import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { createPerson } from './operations/create.ts';
import { deletePerson } from './operations/delete.ts';
import { getPerson } from './operations/get.ts';
import { listPeople } from './operations/list.ts';
import { updatePerson } from './operations/update.ts';
import { suggestPersonIds } from './resource.ts';

export {
  bankDetailsChangedDaysAgo,
  bankDetailsOf,
  findPersonByDocument,
  type PersonRow,
  registerPerson,
  requirePerson,
} from './resource.ts';

export const personCompletion: Completion = {
  kind: 'records',
  operation: 'finance_people_list',
  suggest: suggestPersonIds,
};

export const operations = [listPeople, getPerson, createPerson, updatePerson, deletePerson];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/people/{id}',
    name: 'person',
    title: 'Person',
    description: 'A person: supplier, customer or both.',
    mimeType: 'application/json',
    operation: 'finance_people_get',
    variable: 'uuid',
    completion: personCompletion,
    ttlMs: 0,
  },
];
