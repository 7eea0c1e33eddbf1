import { z } from 'zod';
import type { Caller } from '../../core/caller.ts';
import type { Catalogue } from '../../core/operation.ts';

export interface ContractSchema {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const catalogues = new WeakMap<Catalogue, ReadonlyMap<string, ContractSchema>>();

/**
 * The schemas of the contract by name: every record that has a name, and the arguments of every tool as
 * `<tool>_arguments`. Computed once per catalogue from the operations themselves.
 */
export function contractSchemas(catalogue: Catalogue): ReadonlyMap<string, ContractSchema> {
  const known = catalogues.get(catalogue);
  if (known !== undefined) return known;
  const schemas = new Map<string, ContractSchema>();
  for (const operation of catalogue.operations) {
    const outputSchema = z.toJSONSchema(operation.output, { io: 'output' }) as JsonSchema;
    collectNamed(outputSchema, schemas);
  }
  for (const operation of catalogue.operations) {
    const name = `${operation.name}_arguments`;
    const schema = withoutDialect(z.toJSONSchema(operation.input, { io: 'input' }) as JsonSchema);
    schemas.set(name, { name, description: `Arguments of ${operation.name}: ${operation.summary}`, schema });
  }
  const sorted = new Map([...schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
  catalogues.set(catalogue, sorted);
  return sorted;
}

/** The workspaces a caller reaches, by name. */
export function workspacesOf(caller: Caller) {
  return [...caller.workspaces.values()].map(({ id, name, timeZone }) => ({
    id,
    name,
    time_zone: timeZone,
    is_default: id === caller.defaultWorkspaceId,
  }));
}

type JsonSchema = Record<string, unknown>;

/** Schemas with an id are gathered under `$defs`; a schema that is one itself stands at the root. */
function collectNamed(root: JsonSchema, schemas: Map<string, ContractSchema>): void {
  const definitions = (root['$defs'] ?? {}) as Record<string, JsonSchema>;
  const named = { ...definitions, ...(typeof root['id'] === 'string' && { [root['id']]: root }) };
  for (const [name, schema] of Object.entries(named)) {
    const { $defs: _inner, ...own } = withoutDialect(schema);
    const used = usedDefinitions(own, definitions);
    schemas.set(name, {
      name,
      description: typeof own['description'] === 'string' ? own['description'] : name,
      schema: Object.keys(used).length === 0 ? own : { ...own, $defs: used },
    });
  }
}

/** The definitions a schema points to, and those they point to. */
function usedDefinitions(
  schema: JsonSchema,
  definitions: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const used: Record<string, JsonSchema> = {};
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      const name = key === '$ref' && typeof item === 'string' ? item.replace('#/$defs/', '') : undefined;
      if (name !== undefined && definitions[name] !== undefined && used[name] === undefined) {
        used[name] = definitions[name];
        visit(definitions[name]);
      } else visit(item);
    }
  };
  visit(schema);
  return used;
}

function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, id: _id, ...rest } = schema;
  return rest;
}
