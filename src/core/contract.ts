/** The schemas of the contract: every record that has a name and the arguments of every operation, said once. */

import { z } from 'zod';
import type { Catalogue } from './operation.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Contract {
  /** By name, each pointing to others as `#/$defs/<name>`. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** What each operation answers, by its name; points to the schemas. */
  readonly answers: ReadonlyMap<string, JsonSchema>;
}

/** A schema of the catalogue: complete in itself. */
export interface ContractSchema {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

const DEFINITION = '#/$defs/';

const problemSchema = z
  .object({
    type: z.string().describe('A URI that names the kind of problem; it leads nowhere.'),
    title: z.string().describe('What went wrong; the same for every problem of the kind.'),
    status: z.int().min(400).max(599),
    detail: z.string().describe('What to do next.'),
    code: z.string().describe('Stable; the same on every surface. `docs/errors.md` lists them.'),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('What the texts refer to, such as `path` and `expected` of an argument.'),
  })
  .meta({ id: 'problem', description: 'Why a request was refused (RFC 9457).' });

const contracts = new WeakMap<Catalogue, Contract>();
const catalogues = new WeakMap<Catalogue, ReadonlyMap<string, ContractSchema>>();

/**
 * The contract of a catalogue, made when it is first asked for: the schemas of a product take a quarter of a second.
 * Throws when two schemas share a name.
 */
export function contractOf(catalogue: Catalogue): Contract {
  const known = contracts.get(catalogue);
  if (known !== undefined) return known;
  const schemas = new Map<string, JsonSchema>();
  const answers = new Map<string, JsonSchema>();
  gather(schemas, problemSchema, 'output');
  for (const { name, output } of catalogue.operations) answers.set(name, gather(schemas, output, 'output'));
  for (const { name, summary, input } of catalogue.operations) {
    const schema = gather(schemas, input, 'input');
    add(schemas, argumentsName(name), { description: `Arguments of ${name}: ${summary}`, ...schema });
  }
  const contract = { schemas: sorted(schemas), answers };
  contracts.set(catalogue, contract);
  return contract;
}

/** The same schemas, each with those it points to; what `kobana://finance/schemas` serves. */
export function contractSchemas(catalogue: Catalogue): ReadonlyMap<string, ContractSchema> {
  const known = catalogues.get(catalogue);
  if (known !== undefined) return known;
  const { schemas } = contractOf(catalogue);
  const entries = [...schemas].map(([name, schema]): [string, ContractSchema] => {
    const used = usedBy(schema, schemas);
    const { description } = schema;
    return [
      name,
      {
        name,
        description: typeof description === 'string' ? description : name,
        schema: used.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(sorted(used)) },
      },
    ];
  });
  const all = new Map(entries);
  catalogues.set(catalogue, all);
  return all;
}

/** The name under which the arguments of an operation stand. */
export function argumentsName(operation: string): string {
  return `${operation}_arguments`;
}

/** The schema with every pointer to another one as `pointer` says it. */
export function withPointers(schema: JsonSchema, pointer: (name: string) => string): JsonSchema {
  return mapped(schema, (name) => pointer(name)) as JsonSchema;
}

/** The schema without its definitions, which are added to the others. */
function gather(schemas: Map<string, JsonSchema>, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => leaveFormatsAlone(jsonSchema),
  });
  const renamed = new Map<string, string>();
  const definitions = Object.entries($defs as Record<string, JsonSchema>);
  if (io === 'input') {
    // What goes in may leave out what comes out with its default; a record that does is another one.
    for (const [name, definition] of definitions) {
      const known = schemas.get(name);
      if (known !== undefined && !isSame(known, withoutId(definition))) renamed.set(name, `${name}_input`);
    }
  }
  const rename = (name: string): string => `${DEFINITION}${renamed.get(name) ?? name}`;
  for (const [name, definition] of definitions) {
    add(schemas, renamed.get(name) ?? name, withPointers(withoutId(definition), rename));
  }
  return withPointers(withoutId(root), rename);
}

function add(schemas: Map<string, JsonSchema>, name: string, schema: JsonSchema): void {
  const known = schemas.get(name);
  if (known !== undefined && !isSame(known, schema)) throw new Error(`two schemas are named ${name}`);
  schemas.set(name, schema);
}

/** Beside a format, the pattern of it says the same again in hundreds of characters. */
function leaveFormatsAlone(schema: { format?: unknown; pattern?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
}

function usedBy(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): Map<string, JsonSchema> {
  const used = new Map<string, JsonSchema>();
  const visit = (one: JsonSchema): void => {
    mapped(one, (name) => {
      if (!used.has(name)) {
        used.set(name, schemas.get(name)!);
        visit(schemas.get(name)!);
      }
      return name;
    });
  };
  visit(schema);
  return used;
}

function mapped(value: unknown, pointer: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, pointer));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === '$ref' && typeof item === 'string' && item.startsWith(DEFINITION)
        ? [key, pointer(item.slice(DEFINITION.length))]
        : [key, mapped(item, pointer)],
    ),
  );
}

function withoutId(schema: JsonSchema): JsonSchema {
  const { id: _id, ...rest } = schema;
  return rest;
}

function isSame(left: JsonSchema, right: JsonSchema): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function sorted(schemas: ReadonlyMap<string, JsonSchema>): Map<string, JsonSchema> {
  return new Map([...schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
}
