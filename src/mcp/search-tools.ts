/**
 * The tools by which every tool is reached although a client lists few: one finds them, one runs those that read, one
 * runs those that change something. The two stay apart, so that a client which lets reads through without asking
 * never lets an action through with them. An action is confirmed as if it had been called by its own name: the
 * question, the binding and the record are those of the inner tool.
 */

import { z } from 'zod';
import { parseArguments } from '../core/arguments.ts';
import type { AccessLevel, Product } from '../core/caller.ts';
import { failArgument } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import type { Exchange } from './protocol.ts';
import { schemaOf } from './schemas.ts';
import { indexOf } from './search.ts';
import { requireOffered, type Toolsets } from './toolsets.ts';
import { maySee } from './visibility.ts';

const FOUND_MAX = 10;
const WORDS_LENGTH_MAX = 200;

/** A tool that is no operation. */
export interface SurfaceTool {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly access: AccessLevel;
  /** Empty: it belongs to every set. */
  readonly toolset: '';
  readonly input: z.ZodObject;
  /** Absent where the answer is that of another tool. */
  readonly answer?: z.ZodObject;
  readonly hints: Operation['hints'];
  /** What the call comes to: an answer, or a call of an operation. Fails with `AppError`. */
  resolve(args: unknown, exchange: Exchange): Resolved;
}

export type Resolved =
  | { readonly kind: 'answer'; readonly output: Record<string, unknown> }
  | { readonly kind: 'call'; readonly operation: Operation; readonly args: unknown };

/** The three tools of a product; none where it lists everything to everybody. */
export function searchToolsOf(definition: ProductDefinition, toolsets: Toolsets): readonly SurfaceTool[] {
  if (definition.everyday === undefined) return [];
  return [searchTool(definition, toolsets), readTool(definition, toolsets), actTool(definition, toolsets)];
}

const foundSchema = z.object({
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  toolset: z.string(),
  effect: z.enum(['read', 'write', 'destructive']).describe('A destructive tool asks the person first.'),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of its arguments.'),
});

function searchTool({ product, catalogue }: ProductDefinition, toolsets: Toolsets): SurfaceTool {
  const index = indexOf(catalogue.operations);
  const found = new Map<Operation, z.output<typeof foundSchema>>();
  return {
    name: `${product}_tools_search`,
    title: 'Find tools',
    summary: `Finds tools that are not listed here, by words; run what it finds with ${product}_tools_read or _act.`,
    access: 'read',
    toolset: '',
    input: z.strictObject({
      query: z
        .string({ error: 'words, in English or Portuguese' })
        .min(1)
        .max(WORDS_LENGTH_MAX)
        .describe('Words, in English or Portuguese.'),
      toolset: z.enum(toolsets.names.slice(2)).optional().describe('Only tools of this set.'),
      effect: z.enum(['read', 'write', 'destructive']).optional(),
    }),
    answer: z.object({ items: z.array(foundSchema) }),
    hints: hintsOf({ readOnlyHint: true, idempotentHint: true }),
    resolve(args, { caller, view }) {
      const { query, toolset, effect } = parseArguments(this, args) as z.output<typeof queryShape>;
      const isWanted = (operation: Operation): boolean =>
        toolsets.isOffered(operation, view) && maySee(caller, [operation]);
      const items = index.find({ words: query, toolset, effect }, isWanted, FOUND_MAX).map((operation) => {
        const known = found.get(operation) ?? describe(operation);
        found.set(operation, known);
        return known;
      });
      return { kind: 'answer', output: { items } };
    },
  };
}

const queryShape = z.object({
  query: z.string(),
  toolset: z.string().optional(),
  effect: z.enum(['read', 'write', 'destructive']).optional(),
});

function describe({ name, title, summary, toolset, effect, input }: Operation): z.output<typeof foundSchema> {
  return { name, title, summary, toolset, effect, input_schema: schemaOf(input, 'input') };
}

function readTool(definition: ProductDefinition, toolsets: Toolsets): SurfaceTool {
  const { product } = definition;
  return {
    name: `${product}_tools_read`,
    title: 'Run a tool that reads',
    summary: `Runs a tool that only reads, found with ${product}_tools_search. Changes nothing.`,
    access: 'read',
    toolset: '',
    input: callInput(product),
    hints: hintsOf({ readOnlyHint: true, idempotentHint: true }),
    resolve(args, exchange) {
      const { name, arguments: inner } = parseArguments(this, args);
      const operation = innerOperation(definition, toolsets, String(name), exchange);
      if (operation.effect !== 'read')
        failArgument('name', `a tool that reads; this one runs with ${product}_tools_act`);
      return { kind: 'call', operation, args: inner };
    },
  };
}

function actTool(definition: ProductDefinition, toolsets: Toolsets): SurfaceTool {
  const { product } = definition;
  return {
    name: `${product}_tools_act`,
    title: 'Run a tool that acts',
    summary: `Runs a tool that changes something, found with ${product}_tools_search. Destructive ones ask the person first.`,
    access: 'write',
    toolset: '',
    input: callInput(product),
    hints: hintsOf({ destructiveHint: true, openWorldHint: true }),
    resolve(args, exchange) {
      const { name, arguments: inner } = parseArguments(this, args);
      const operation = innerOperation(definition, toolsets, String(name), exchange);
      if (operation.effect === 'read')
        failArgument('name', `a tool that changes something; this one runs with ${product}_tools_read`);
      return { kind: 'call', operation, args: inner };
    },
  };
}

function callInput(product: Product): z.ZodObject {
  return z.strictObject({
    name: z
      .string({ error: 'the name of a tool' })
      .min(1)
      .max(64)
      .describe(`As ${product}_tools_search gives it.`),
    arguments: z
      .record(z.string(), z.unknown(), { error: 'an object' })
      .optional()
      .describe('As its input_schema says.'),
  });
}

/** Only operations: these tools never run one another. */
function innerOperation(
  { product, catalogue }: ProductDefinition,
  toolsets: Toolsets,
  name: string,
  { view }: Exchange,
): Operation {
  const operation = catalogue.byName.get(name);
  if (operation === undefined) {
    return failArgument('name', `the name of a tool; look it up with ${product}_tools_search`);
  }
  requireOffered(operation, toolsets, view);
  return operation;
}

function hintsOf(said: Partial<Operation['hints']>): Operation['hints'] {
  return {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
    ...said,
  };
}
