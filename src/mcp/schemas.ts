/** The JSON Schemas that tools show of what they take and give. */

import { z } from 'zod';

const DEFINITION = '#/$defs/';

/**
 * The schema in JSON Schema 2020-12, which is what an absent `$schema` means. A schema with a name of its own comes
 * as a reference to itself; clients of 2025 want the object at the root (PROTOCOL TO-06, VE-71).
 */
export function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const {
    $schema: _dialect,
    $ref,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => leaveFormatsAlone(jsonSchema),
  });
  if ($ref === undefined) return rest;
  const name = $ref.slice(DEFINITION.length);
  const { [name]: root, ...others } = rest.$defs!;
  const isRecursive = JSON.stringify(rest.$defs).includes(`"${$ref}"`);
  const definitions = isRecursive ? rest.$defs! : others;
  return { ...root!, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
}

/** Beside a format, the pattern of it says the same again in hundreds of characters that every model reads. */
function leaveFormatsAlone(schema: { format?: unknown; pattern?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
}
