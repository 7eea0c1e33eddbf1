import { z } from 'zod';
import { contractSchemas } from '../../../core/contract.ts';
import { fail } from '../../../core/errors.ts';
import { text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';

export const getSchema = operation({
  name: 'finance_schemas_get',
  title: 'Get schema',
  summary: 'One schema of the contract: the fields a tool returns or takes.',
  effect: 'read',
  scope: null,
  tenant: 'none',
  input: { schema: text(100).describe('A name of finance_schemas_list.') },
  output: z.object({ name: z.string(), description: z.string(), schema: z.record(z.string(), z.unknown()) }),
  async run({ schema }, { catalogue }) {
    return contractSchemas(catalogue).get(schema) ?? fail('not_found', { kind: 'schema' });
  },
});
