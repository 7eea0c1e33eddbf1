/** Debtors and how to reach them. */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { anonymizePerson } from './operations/anonymize.ts';
import { archivePerson } from './operations/archive.ts';
import { archivePeople } from './operations/bulk-archive.ts';
import { createPeople } from './operations/bulk-create.ts';
import { createContact } from './operations/contacts-create.ts';
import { deleteContact } from './operations/contacts-delete.ts';
import { listContacts } from './operations/contacts-list.ts';
import { updateContact } from './operations/contacts-update.ts';
import { createPerson } from './operations/create.ts';
import { getPerson } from './operations/get.ts';
import { listPeople } from './operations/list.ts';
import { updatePerson } from './operations/update.ts';
import { suggestPersonIds } from './resource.ts';

export { type Channel, channels } from '../contact-law/index.ts';
export { isUsable, normaliseContact, pickContact } from './contact-rules.ts';
export { channel as channelSchema, contactSchema } from './contact-schema.ts';
export { type ContactRow, contactOf, contactsOf, markContact, requireContact } from './contacts.ts';
export {
  findPersonByDocument,
  type PersonDraft,
  type PersonRow,
  personFacts,
  personOf,
  personSummary,
  registerPerson,
  requirePerson,
} from './resource.ts';
export { maskDocument, searchedTexts } from './rules.ts';
export { type PersonSummary, personSchema, personSummarySchema } from './schema.ts';

export const personCompletion: Completion = {
  kind: 'records',
  operation: 'dunning_people_list',
  suggest: suggestPersonIds,
};

export const operations = [
  listPeople,
  getPerson,
  createPerson,
  updatePerson,
  archivePerson,
  createPeople,
  archivePeople,
  anonymizePerson,
  listContacts,
  createContact,
  updateContact,
  deleteContact,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/people/{id}',
    name: 'person',
    title: 'Debtor',
    description: 'One debtor: data, contacts, what is owed.',
    mimeType: 'application/json',
    operation: 'dunning_people_get',
    variable: 'uuid',
    completion: personCompletion,
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [];
