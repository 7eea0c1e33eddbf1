/** Who the connection is, which workspaces it reaches, and the catalogue of schemas. */

import { contractSchemas } from '../../core/contract.ts';
import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { getSchema } from './operations/get-schema.ts';
import { listSchemas } from './operations/list-schemas.ts';
import { listWorkspaces } from './operations/list-workspaces.ts';
import { me } from './operations/me.ts';

/** The contract changes only with a new version of the server. */
const SCHEMAS_TTL_MS = 3_600_000;

const schemaCompletion: Completion = {
  kind: 'records',
  operation: 'finance_schemas_list',
  suggest: async ({ catalogue }, typed) =>
    [...contractSchemas(catalogue).keys()].filter((name) => name.startsWith(typed.toLowerCase())),
};

export const operations = [me, listWorkspaces, listSchemas, getSchema];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/schemas',
    name: 'schemas',
    title: 'Schema catalogue',
    description: "The catalogue of the API contract's schemas.",
    mimeType: 'application/json',
    operation: 'finance_schemas_list',
    ttlMs: SCHEMAS_TTL_MS,
  },
  {
    uri: 'kobana://finance/schemas/{schema}',
    name: 'schema',
    title: 'Schema',
    description: 'One schema: the fields a tool returns or accepts.',
    mimeType: 'application/json',
    operation: 'finance_schemas_get',
    variable: 'name',
    completion: schemaCompletion,
    ttlMs: SCHEMAS_TTL_MS,
  },
];
