/** The OpenAPI 3.1 document of a product, made of the same operations and schemas that run (docs/rest.md). */

import type { Product } from '../core/caller.ts';
import { argumentsName, contractOf, type JsonSchema, withPointers } from '../core/contract.ts';
import { errorRegistry } from '../core/errors.ts';
import { tokenScopeOf } from '../core/operation.ts';
import { metadataPathOf } from '../core/resources.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import { fileRoutesOf } from './files.ts';
import { PROBLEM_TYPE } from './problems.ts';
import { type Route, routesOf } from './routes.ts';

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly JsonSchema[];
  readonly 'x-kobana-effect': string;
  /** Permissions of the person, all of them needed; what a token may do at most stands in `security`. */
  readonly 'x-kobana-scopes': readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema?: JsonSchema;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: JsonSchema;
    readonly headers: JsonSchema;
    readonly responses: JsonSchema;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/** What each refusal means, for every operation alike; the codes say more. */
const refusals = {
  400: 'The request cannot be read, or its credentials are malformed.',
  401: errorRegistry.unauthenticated.message,
  403: 'The token, the role of the person or the kind of action does not allow this.',
  404: errorRegistry.not_found.message,
  409: 'The record, or something else as it is now, does not allow this.',
  413: 'The body or its file is too large.',
  415: 'The body is not JSON, or its file is of a kind that cannot be read.',
  422: errorRegistry.invalid_argument.message,
  429: errorRegistry.rate_limited.message,
} as const;

const schemaPointer = (name: string): string => `#/components/schemas/${name}`;

/** The document, with addresses under `origin`, such as `https://books.example`; the empty string gives relative ones. */
export function openApiOf(
  definition: Pick<ProductDefinition, 'product' | 'catalogue' | 'resources' | 'title'>,
  origin: string,
): OpenApiDocument {
  const { product, catalogue, title } = definition;
  const contract = contractOf(catalogue);
  const schemas = Object.fromEntries(
    [...contract.schemas].map(([name, schema]) => [name, withPointers(schema, schemaPointer)]),
  );
  const routes = routesOf(catalogue);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const answer = withPointers(contract.answers.get(route.operation.name)!, schemaPointer);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, schemas[argumentsName(route.operation.name)]!, answer),
    };
  }
  for (const { route, path } of fileRoutesOf(definition))
    paths[path] = { get: fileOperationOf(paths, route) };
  const tags = [...new Set(routes.map(tagOf))];
  return {
    openapi: '3.1.0',
    info: infoOf(product, title),
    servers: [{ url: origin === '' ? '/' : origin }],
    tags: tags.map((name) => ({ name, description: `What stands under \`/${product}/v1/${name}\`.` })),
    paths,
    components: {
      securitySchemes: securitySchemesOf(product, origin),
      headers: sharedHeaders,
      responses: sharedResponses(),
      schemas,
    },
  };
}

function operationOf(route: Route, args: JsonSchema, answer: JsonSchema): OpenApiOperation {
  const { operation, hasBody } = route;
  const { product, access, effect } = operation;
  const scope = tokenScopeOf(product, access);
  const body = hasBody ? requestBodyOf(route, args) : undefined;
  return {
    operationId: operation.name,
    summary: operation.title,
    description: descriptionOf(route),
    tags: [tagOf(route)],
    security: [{ bearer: [] }, { oauth: [scope] }],
    'x-kobana-effect': effect,
    'x-kobana-scopes': operation.scopes,
    parameters: parametersOf(route, args),
    ...(body && { requestBody: body }),
    responses: responsesOf(route, answer),
  };
}

/** The bytes of the file that the operation at this route describes. */
function fileOperationOf(paths: OpenApiDocument['paths'], route: Route): OpenApiOperation {
  const described = paths[route.path]!['get']!;
  return {
    ...described,
    operationId: `${described.operationId}_content`,
    summary: `${described.summary}: the file`,
    description: `The bytes of what \`${described.operationId}\` describes.`,
    responses: {
      ...described.responses,
      '200': { description: 'The file.', content: { 'application/octet-stream': {} } },
    },
  };
}

function descriptionOf({ operation }: Route): string {
  if (operation.effect !== 'destructive') return operation.summary;
  return `${operation.summary}\n\nNeeds a person's yes: an ordinary token is answered with \`confirmation_required\`. With a token made for programs it runs at once, under an \`Idempotency-Key\`.`;
}

const tagOf = ({ path }: Route): string => path.split('/')[3]!;

function parametersOf(route: Route, args: JsonSchema): OpenApiParameter[] {
  const properties = args['properties'] as Readonly<Record<string, JsonSchema>>;
  const required = new Set((args['required'] ?? []) as readonly string[]);
  const inPath = route.pathParameters.map((name) => parameterOf(name, 'path', true, properties[name]!));
  const inQuery = [...route.query].map(([name, { form, isList }]) =>
    parameterOf(name, 'query', required.has(name), properties[name]!, form === 'json' && !isList),
  );
  return [...inPath, ...inQuery, ...(route.operation.effect === 'read' ? [] : [idempotencyKey(route)])];
}

function parameterOf(
  name: string,
  place: 'path' | 'query',
  required: boolean,
  property: JsonSchema,
  isJson = false,
): OpenApiParameter {
  const { description, ...schema } = property;
  return {
    name,
    in: place,
    required,
    ...(typeof description === 'string' && { description }),
    ...(isJson ? { content: { 'application/json': { schema } } } : { schema }),
  };
}

function idempotencyKey({ operation }: Route): OpenApiParameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: operation.effect === 'destructive',
    description: 'New for each action: the same key and arguments get the same answer for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
}

/** All arguments, or all but those in the path. */
function requestBodyOf(route: Route, args: JsonSchema): OpenApiOperation['requestBody'] {
  const { pathParameters, operation } = route;
  const inBody = (name: string): boolean => !pathParameters.includes(name);
  const required = ((args['required'] ?? []) as readonly string[]).filter(inBody);
  const whole = pathParameters.length === 0;
  const properties = Object.entries(args['properties'] as object).filter(([name]) => inBody(name));
  const schema = whole
    ? { $ref: schemaPointer(argumentsName(operation.name)) }
    : {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

function responsesOf(route: Route, answer: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { operation, hasBody, isCreation } = route;
  const success = {
    description: isCreation ? 'Made; or, of a dry run, what would be.' : 'Done.',
    headers: {
      ...(isCreation && { Location: { $ref: '#/components/headers/Location' } }),
      ...(route.query.has('cursor') && { Link: { $ref: '#/components/headers/Link' } }),
      ...rateHeaderPointers,
    },
    content: { 'application/json': { schema: answer } },
  };
  const statuses = [
    ...[400, 401, 403, 404],
    ...(operation.effect === 'read' ? [] : [409]),
    ...(hasBody ? [413, 415] : []),
    ...[422, 429],
  ];
  const refused = statuses.map((status) => [String(status), { $ref: `#/components/responses/${status}` }]);
  return {
    [isCreation ? '201' : '200']: success,
    ...Object.fromEntries(refused),
    default: { $ref: '#/components/responses/default' },
  };
}

const rateHeaderNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const rateHeaderPointers = Object.fromEntries(
  rateHeaderNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const headerOf = (description: string, type: 'string' | 'integer') => ({ description, schema: { type } });

const sharedHeaders = {
  Location: headerOf('Where the record is, where it has a route of its own.', 'string'),
  Link: headerOf('The next page as `rel="next"`, where there is one.', 'string'),
  'Retry-After': headerOf('Seconds to wait.', 'integer'),
  'RateLimit-Limit': headerOf('Calls of the nearest limit.', 'integer'),
  'RateLimit-Remaining': headerOf('Calls that are left of it.', 'integer'),
  'RateLimit-Reset': headerOf('Seconds until all of them are there again.', 'integer'),
};

function sharedResponses(): JsonSchema {
  const content = { [PROBLEM_TYPE]: { schema: { $ref: schemaPointer('problem') } } };
  const refused = Object.entries(refusals).map(([status, description]) => [
    status,
    {
      description,
      ...(status === '429' && { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }),
      content,
    },
  ]);
  return { ...Object.fromEntries(refused), default: { description: 'It did not work.', content } };
}

function securitySchemesOf(product: Product, origin: string): JsonSchema {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'A token of this product, made in the console.',
    },
    oauth: {
      type: 'oauth2',
      description: `Where the authorization server is, says \`${origin}${metadataPathOf(product)}\`.`,
      flows: {
        authorizationCode: {
          authorizationUrl: `${origin}/oauth/authorize`,
          tokenUrl: `${origin}/oauth/token`,
          refreshUrl: `${origin}/oauth/token`,
          scopes: {
            [tokenScopeOf(product, 'read')]: 'Read what the person may read.',
            [tokenScopeOf(product, 'write')]: 'Read and change what the person may.',
          },
        },
      },
    },
  };
}

function infoOf(product: Product, title: string): JsonSchema {
  return {
    title,
    version: '1.0.0',
    summary: `Every operation of ${product} over HTTP.`,
    description: [
      'The tools of the MCP server as routes: the same permissions, checks and records.',
      'Amounts are decimal strings in reais, civil dates are `YYYY-MM-DD`, instants have an offset.',
      'Lists answer `items` and `next_cursor`, and the next page as a `Link`. With `fields` the items have only those.',
      'In a query, lists are repeated (`status=open&status=paid`), objects are JSON text, booleans `true` or `false`.',
      'Refusals are problems of RFC 9457; act on `code`, which never changes.',
    ].join('\n\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  };
}
