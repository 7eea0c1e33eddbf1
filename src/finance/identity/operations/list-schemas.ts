import { contractSchemas } from '../../../core/contract.ts';
import { listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { schemaEntrySchema } from '../schema.ts';

export const listSchemas = operation({
  name: 'finance_schemas_list',
  title: 'List schemas',
  summary: "Catalogue of the contract's schemas.",
  effect: 'read',
  scope: null,
  tenant: 'none',
  input: { prefix: text(100).optional().describe('Only names that start with this.') },
  output: listOutput(schemaEntrySchema),
  async run({ prefix = '' }, { catalogue }) {
    const schemas = [...contractSchemas(catalogue).values()].filter(({ name }) =>
      name.startsWith(prefix.toLowerCase()),
    );
    return { items: schemas.map(({ name, description }) => ({ name, description })), next_cursor: null };
  },
});
