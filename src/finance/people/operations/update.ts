import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { searchTextOf } from '../../../db/listing.ts';
import { countOpenPayables, updatePerson as updateRow } from '../queries.ts';
import {
  personDataOf,
  personOf,
  recordedPerson,
  requireFreeDocument,
  requirePersonToChange,
} from '../resource.ts';
import { changedPerson, hasSameBankDetails, searchedTexts } from '../rules.ts';
import { personFields, personSchema } from '../schema.ts';

export const updatePerson = operation({
  name: 'finance_people_update',
  title: 'Update person',
  summary: 'Change a person; lists are replaced whole. Changed bank details are flagged on open payables.',
  effect: 'write',
  scope: 'finance.people',
  hints: { idempotent: true },
  input: {
    id: id('the person'),
    ...personFields,
    name: personFields.name.optional(),
    roles: personFields.roles.optional(),
    active: z.boolean().optional(),
  },
  output: personSchema.extend({
    bank_details_flagged_payables: z
      .int()
      .describe('Unpaid payables that now show changed bank details; 0 when this call changed none.'),
  }),
  async run({ id, active, ...changes }, context) {
    const { db, workspaceId, now } = context;
    const before = await requirePersonToChange(context, id);
    const person = changedPerson(personDataOf(before), changes);
    const hasNewBankDetails = !hasSameBankDetails(personDataOf(before), person);
    const number = person.document_number;
    if (number !== null && number !== before.document_number) await requireFreeDocument(context, number, id);
    const row = {
      ...before,
      ...person,
      active: active ?? before.active,
      bank_details_changed_at: hasNewBankDetails ? now.toISOString() : before.bank_details_changed_at,
      search_text: searchTextOf(...searchedTexts(person)),
    };
    await updateRow(db, row, now);
    const after = await requirePersonToChange(context, id);
    context.changed('person', id, recordedPerson(before), recordedPerson(after));
    return {
      ...personOf(after, context.scopes),
      bank_details_flagged_payables: hasNewBankDetails ? await countOpenPayables(db, workspaceId, id) : 0,
    };
  },
});
