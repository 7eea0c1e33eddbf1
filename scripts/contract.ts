/** The generated files that follow from the code alone: the tools of both products and the page of errors. */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { errorRegistry } from '../src/core/errors.ts';
import type { Operation } from '../src/core/operation.ts';
import type { ProductDefinition } from '../src/core/surfaces.ts';
import { dunning } from '../src/dunning/index.ts';
import { finance } from '../src/finance/index.ts';
import { toolOf } from '../src/mcp/tools.ts';

/** Paths relative to the repository, with their content. */
export function contractFiles(): [path: string, content: string][] {
  return [
    ['contract/finance.json', contractOf(finance)],
    ['contract/dunning.json', contractOf(dunning)],
    [
      'contract/sizes.json',
      `${JSON.stringify({ finance: sizeOf(finance), dunning: sizeOf(dunning) }, null, 2)}\n`,
    ],
    ['docs/errors.md', errorsPage()],
  ];
}

/** What `tools/list` with every right costs: on the wire, and in the tokens of o200k that a model reads. */
export interface ListSize {
  readonly tools: number;
  readonly bytes: number;
  readonly tokens: number;
  /** Without output schemas and annotations, which most clients keep from the model. */
  readonly modelTokens: number;
}

export function sizeOf(product: ProductDefinition): ListSize {
  const tools = product.catalogue.operations.map(toolOf);
  const list = JSON.stringify({ tools });
  const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    tools: tools.length,
    bytes: Buffer.byteLength(list),
    tokens: countTokens(list),
    modelTokens: countTokens(JSON.stringify(read)),
  };
}

/** Everything a client can see of a product: a change of meaning shows as a diff of this file. */
function contractOf(product: ProductDefinition): string {
  const contract = {
    server: product.serverName,
    instructions: product.instructions,
    tools: product.catalogue.operations.map(contractTool),
    resources: product.resources.map(({ uri, name, title, description, mimeType, operation }) => ({
      uri,
      name,
      title,
      description,
      mimeType,
      tool: operation,
    })),
    prompts: product.prompts.map(({ name, title, description, arguments: args, operations }) => ({
      name,
      title,
      description,
      arguments: args.map(({ name, title, description, required, form }) => ({
        name,
        title,
        description,
        required,
        form,
      })),
      tools: operations,
    })),
  };
  return `${JSON.stringify(contract, null, 2)}\n`;
}

/** The tool as `tools/list` sends it, with what the server knows besides. */
function contractTool(operation: Operation) {
  const { effect, tenant, scopes } = operation;
  return { ...toolOf(operation), effect, tenant, scopes };
}

function errorsPage(): string {
  const rows = Object.entries(errorRegistry).map(
    ([code, { status, message, next }]) => `| \`${code}\` | ${status} | ${message} | ${next} |`,
  );
  return [
    '# Errors',
    '',
    'Generated from `src/core/errors.ts` by `npm run generate`.',
    '',
    'A tool answers `isError: true`; the first text block and `_meta["com.kobana/error"]` hold',
    '`{ "error": { "code", "message", "details" } }`. Codes are stable. `details` names what the message refers to.',
    'The HTTP status is what REST answers with the same code; MCP results travel with 200, except',
    '`unauthenticated` (401) and `insufficient_scope` (403).',
    '',
    '| code | HTTP | what happened | what to do next |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
