import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { agreementSorts, selectAgreements } from '../queries.ts';
import { agreementOf } from '../resource.ts';
import { agreementSchema, agreementStatuses } from '../schema.ts';

export const listAgreements = operation({
  name: 'dunning_agreements_list',
  title: 'List agreements',
  summary: 'Agreements and proposals, newest first.',
  effect: 'read',
  scope: 'dunning.agreements',
  input: {
    person_id: id('the debtor').optional(),
    charge_id: id('a charge in it').optional(),
    campaign_id: id('the discount campaign').optional(),
    status: z.enum(agreementStatuses).optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(agreementSchema),
  async run(input, { db, organizationId }) {
    const sort = agreementSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectAgreements(db, organizationId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(agreementOf), next_cursor: page.next_cursor };
  },
});
