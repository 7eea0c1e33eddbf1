/** The generated files that follow from the code alone: the tools of both products and the page of errors. */

import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { errorRegistry } from '../src/core/errors.ts';
import type { Operation } from '../src/core/operation.ts';
import type { ProductDefinition } from '../src/core/surfaces.ts';
import { dunning } from '../src/dunning/index.ts';
import { finance } from '../src/finance/index.ts';
import { searchToolsOf } from '../src/mcp/search-tools.ts';
import { surfaceToolOf, toolOf, toolsListed } from '../src/mcp/tools.ts';
import { toolsetsOf } from '../src/mcp/toolsets.ts';
import { WHOLE_VIEW } from '../src/mcp/view.ts';
import { openApiOf } from '../src/rest/openapi.ts';

/** Paths relative to the repository, with their content. */
export function contractFiles(): [path: string, content: string][] {
  const sizes = { finance: sizesOf(finance), dunning: sizesOf(dunning) };
  return [
    ['contract/finance.json', contractOf(finance)],
    ['contract/dunning.json', contractOf(dunning)],
    ['contract/finance.openapi.json', openApiFile(finance)],
    ['contract/dunning.openapi.json', openApiFile(dunning)],
    ['contract/sizes.json', `${JSON.stringify(sizes, null, 2)}\n`],
    ['README.md', readme(sizes)],
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

export interface ProductSizes {
  /** What a client gets that asks for nothing. */
  readonly everyday: ListSize;
  /** What it gets with `?toolsets=all`. */
  readonly all: ListSize;
}

export function sizesOf(product: ProductDefinition): ProductSizes {
  return {
    everyday: sizeOf(toolsListed(product, WHOLE_VIEW)),
    all: sizeOf(toolsListed(product, { ...WHOLE_VIEW, toolsets: ['all'] })),
  };
}

function sizeOf(tools: readonly Record<string, unknown>[]): ListSize {
  const list = JSON.stringify({ tools });
  const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    tools: tools.length,
    bytes: Buffer.byteLength(list),
    tokens: countTokens(list),
    modelTokens: countTokens(JSON.stringify(read)),
  };
}

/** The README with the table of sizes as they are. */
function readme(sizes: Readonly<Record<string, ProductSizes>>): string {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const number = (value: number): string => value.toLocaleString('en-US');
  const row = (product: string, address: string, { tools, bytes, tokens, modelTokens }: ListSize): string =>
    `| ${product} | ${address} | ${tools} | ${number(bytes)} | ${number(tokens)} | ${number(modelTokens)} |`;
  const rows = Object.entries(sizes).flatMap(([product, { everyday, all }]) => [
    row(product, 'as it is', everyday),
    row(product, '`?toolsets=all`', all),
  ]);
  const table = [
    '| server | address | tools | bytes | tokens | of which name, description, arguments |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
  const [before, rest] = text.split('<!-- sizes -->\n');
  const after = rest?.split('<!-- /sizes -->')[1];
  if (after === undefined) throw new Error('README.md has lost the place of its table of sizes');
  return `${before}<!-- sizes -->\n${table}\n<!-- /sizes -->${after}`;
}

/** Everything a client can see of a product: a change of meaning shows as a diff of this file. */
function contractOf(product: ProductDefinition): string {
  const contract = {
    server: product.serverName,
    instructions: product.instructions,
    toolsets: toolsetsOf(product).names,
    everyday: product.everyday,
    tools: product.catalogue.operations.map(contractTool),
    searchTools: searchToolsOf(product, toolsetsOf(product)).map(surfaceToolOf),
    panels: product.panels,
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

/** The routes of a product, with addresses relative to wherever it is served. */
function openApiFile(product: ProductDefinition): string {
  return `${JSON.stringify(openApiOf(product, ''), null, 2)}\n`;
}

/** The tool as `tools/list` sends it, with what the server knows besides. */
function contractTool(operation: Operation) {
  const { effect, tenant, scopes, toolset } = operation;
  return { ...toolOf(operation), effect, tenant, scopes, toolset };
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
