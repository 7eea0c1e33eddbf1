/** The reference of a product as a page: every route and every schema of its OpenAPI document, with an address each. */

import type { Locale, Product } from '../core/caller.ts';
import type { JsonSchema } from '../core/contract.ts';
import { type Html, html } from '../web/html.ts';
import { documentOf } from '../web/layout.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi.ts';

const text = {
  'pt-BR': {
    title: 'Referência',
    finance: 'Finanças',
    dunning: 'Cobrança',
    download: 'Documento OpenAPI 3.1',
    contents: 'Rotas por assunto',
    content: 'O texto abaixo é o do contrato, em inglês.',
    schemas: 'Esquemas',
  },
  en: {
    title: 'Reference',
    finance: 'Finance',
    dunning: 'Dunning',
    download: 'OpenAPI 3.1 document',
    contents: 'Routes by subject',
    content: 'What follows is the text of the contract.',
    schemas: 'Schemas',
  },
} as const;

const POINTER = '#/components/schemas/';

/** The page; the frame in the language of the reader, the contract in its own. */
export function referencePage(document: OpenApiDocument, shown: Product, locale: Locale): Html {
  const own = text[locale];
  const { info, tags, components } = document;
  const name = String(info['title']);
  const sections = tags.map((tag) => ({ ...tag, operations: operationsOf(document, tag.name) }));
  return documentOf({
    locale,
    title: `${name}: ${own.title}`,
    nav: (['finance', 'dunning'] as const).map((product) => ({
      href: `/${product}/docs`,
      label: own[product],
      icon: product === 'finance' ? 'payables' : 'dunning',
      isCurrent: product === shown,
    })),
    body: html`<div class="reference">
<h1>${name}: ${own.title}</h1>
<p><a href="openapi.json">${own.download}</a></p>
<nav aria-label="${own.contents}"><ul>${sections.map((tag) => html`<li><a href="#tag-${tag.name}">${tag.name}</a></li>`)}<li><a href="#schemas">${own.schemas}</a></li></ul></nav>
<p>${own.content}</p>
<div lang="en">
${String(info['description'])
  .split('\n\n')
  .map((line) => html`<p>${prose(line)}</p>\n`)}
${sections.map(
  (tag) => html`<section id="tag-${tag.name}"><h2>${tag.name}</h2>
${tag.operations.map(operationPart)}</section>
`,
)}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(components.schemas)
  .filter(([schema]) => !schema.endsWith('_arguments'))
  .map(([schema, content]) => schemaPart(schema, content))}</section>
</div>
</div>`,
  });
}

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
  /** All that may be sent as the body; null where nothing may. */
  readonly body: JsonSchema | null;
}

function operationsOf({ paths, components }: OpenApiDocument, tag: string): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags[0] === tag)
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        body: bodyOf(operation, components.schemas),
      })),
  );
}

function bodyOf(
  { requestBody }: OpenApiOperation,
  schemas: OpenApiDocument['components']['schemas'],
): JsonSchema | null {
  if (requestBody === undefined) return null;
  const { schema } = requestBody.content['application/json']!;
  const pointer = schema['$ref'];
  return typeof pointer === 'string' ? schemas[pointer.slice(POINTER.length)]! : schema;
}

function operationPart({ method, path, operation, body }: Placed): Html {
  const { operationId, summary, description, parameters } = operation;
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${summary}</h3>
<p><code><strong>${method}</strong> ${path}</code></p>
${description.split('\n\n').map((line) => html`<p>${prose(line)}</p>\n`)}<p class="hint">${rightsOf(operation)}</p>
${parameters.length > 0 && fieldTable('Parameters', operationId, parameters.map(parameterRow))}
${body !== null && fieldTable('Body', operationId, propertyRows(body))}
<p>Answers ${answerOf(operation)}.</p>
</article>
`;
}

function rightsOf(operation: OpenApiOperation): string {
  const scopes = operation['x-kobana-scopes'];
  const rights = scopes.length === 0 ? 'any connection of the product' : scopes.join(', ');
  return `${operation['x-kobana-effect']} · ${rights} · ${operation.operationId}`;
}

function answerOf({ responses }: OpenApiOperation): Html {
  const [status, response] = Object.entries(responses)[0]!;
  const content = response['content'] as Readonly<Record<string, { schema: JsonSchema } | undefined>>;
  const schema = content['application/json']?.schema;
  return html`${status}: ${schema === undefined ? 'a file' : schemaText(schema)}`;
}

function schemaPart(name: string, schema: JsonSchema): Html {
  const description = schema['description'];
  return html`<article id="schema-${name}" aria-labelledby="schema-${name}-title">
<h3 id="schema-${name}-title"><code>${name}</code></h3>
${typeof description === 'string' && html`<p>${prose(description)}</p>`}
${schema['properties'] === undefined ? html`<p>${schemaText(schema)}</p>` : fieldTable('Fields', name, propertyRows(schema))}
</article>
`;
}

interface Row {
  readonly name: string;
  readonly where: string;
  readonly type: Html;
  readonly description: string;
}

/** `of` tells tables of one kind apart for those who do not see what they stand under. */
function fieldTable(kind: string, of: string, rows: readonly Row[]): Html {
  return html`<div class="scroll" role="group" aria-label="${kind} of ${of}" tabindex="0"><table>
<caption>${kind}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(
    ({ name, where, type, description }) =>
      html`<tr><th scope="row"><code>${name}</code> <span class="hint">${where}</span></th><td>${type}</td><td>${prose(description)}</td></tr>\n`,
  )}</tbody></table></div>`;
}

function parameterRow({
  name,
  in: place,
  required,
  description = '',
  schema,
  content,
}: OpenApiParameter): Row {
  const type = schema ?? content!['application/json']!.schema;
  return { name, where: required ? `${place}, required` : place, type: schemaText(type), description };
}

function propertyRows(schema: JsonSchema): Row[] {
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  return Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>).map(
    ([name, property]) => ({
      name,
      where: required.has(name) ? 'required' : '',
      type: schemaText(property),
      description: typeof property['description'] === 'string' ? property['description'] : '',
    }),
  );
}

/** A schema in a few words, with a link where it has a name. */
function schemaText(schema: JsonSchema): Html {
  const { $ref, anyOf, enum: values, const: only, type, items, format, properties } = schema;
  const fallback = schema['default'];
  const ending = fallback === undefined ? '' : `, default ${JSON.stringify(fallback)}`;
  if (typeof $ref === 'string') {
    const name = $ref.slice(POINTER.length);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const choices = anyOf ?? schema['oneOf'];
  if (Array.isArray(choices)) {
    return html`${choices.map((one: JsonSchema, index) => html`${index > 0 && ' or '}${schemaText(one)}`)}${ending}`;
  }
  if (Array.isArray(values))
    return html`${values.map((value) => JSON.stringify(value)).join(' | ')}${ending}`;
  if (only !== undefined) return html`${JSON.stringify(only)}`;
  if (type === 'array') return html`list of ${schemaText((items ?? {}) as JsonSchema)}${ending}`;
  if (type === 'object' && properties !== undefined) {
    return html`object (${Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
      ([name, property], index) =>
        html`${index > 0 && ', '}${name}${name === 'items' && html`: ${schemaText(property)}`}`,
    )})${ending}`;
  }
  const plain = Array.isArray(type) ? type.join(' or ') : String(type ?? 'any value');
  return html`${plain}${typeof format === 'string' && ` (${format})`}${ending}`;
}

/** Our own sentences, with what stands between backticks as code. */
function prose(line: string): Html {
  return html`${line.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
