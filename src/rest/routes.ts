/** Where each operation is reached over REST: derived from its name, its effect and its arguments, never written twice. */

import type { z } from 'zod';
import type { Catalogue, Operation } from '../core/operation.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** How a value stands in a query: as it is, as a number or a boolean in their one form, or as JSON text. */
export type QueryForm = 'text' | 'number' | 'boolean' | 'json';

export interface QueryParameter {
  readonly name: string;
  readonly form: QueryForm;
  /** Given once for each of its values. */
  readonly isList: boolean;
}

export interface Route {
  readonly operation: Operation;
  readonly method: Method;
  /** With its parameters in braces, for example `/finance/v1/payables/{id}`. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  /** Arguments that stand in the query; none where the request has a body. */
  readonly query: ReadonlyMap<string, QueryParameter>;
  readonly hasBody: boolean;
  /** Answers 201: the operation makes one record. */
  readonly isCreation: boolean;
}

/** Records whose own id is an argument of another name than `id`. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  financial_accounts: 'account_id',
  attachments: 'attachment_id',
  schemas: 'schema',
};

/** Records that are listed and made under another one: whose, by which argument, and what they are called there. */
const SUB_RESOURCES: Readonly<Record<string, { under: string; by: string; as: string }>> = {
  financial_account_balances: { under: 'financial_accounts', by: 'account_id', as: 'balances' },
  person_contacts: { under: 'people', by: 'person_id', as: 'contacts' },
  collection_rule_steps: { under: 'collection_rules', by: 'rule_id', as: 'steps' },
  discount_campaign_charges: { under: 'discount_campaigns', by: 'campaign_id', as: 'charges' },
  agreement_installments: { under: 'agreements', by: 'agreement_id', as: 'installments' },
  dispute_comments: { under: 'disputes', by: 'dispute_id', as: 'comments' },
  negativation_events: { under: 'negativations', by: 'negativation_id', as: 'events' },
  protest_events: { under: 'protests', by: 'protest_id', as: 'events' },
};

const METHODS: Readonly<Record<string, Method>> = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  update: 'PATCH',
  delete: 'DELETE',
};

/** The route of every operation, in the order of the catalogue. */
export function routesOf(catalogue: Catalogue): readonly Route[] {
  const resources = resourcesOf(catalogue);
  return catalogue.operations.map((operation) => routeOf(operation, resources));
}

function routeOf(operation: Operation, resources: ReadonlySet<string>): Route {
  const { resource, verb } = partsOf(nameOf(operation), resources);
  const identifier = IDENTIFIERS[resource] ?? 'id';
  const sub = SUB_RESOURCES[resource];
  const isUnder = sub !== undefined && isRequired(operation, sub.by);
  const steps = isUnder ? [sub.under, `{${sub.by}}`, sub.as] : [resource];
  if (!isUnder && isRequired(operation, identifier)) steps.push(`{${identifier}}`);
  if (verb !== '' && METHODS[verb] === undefined) steps.push(verb);
  const method = METHODS[verb] ?? (operation.effect === 'read' && !needsBody(operation) ? 'GET' : 'POST');
  const hasBody = method === 'POST' || method === 'PATCH';
  const pathParameters = steps.filter((step) => step.startsWith('{')).map((step) => step.slice(1, -1));
  const words = steps.map((step) => (step.startsWith('{') ? step : step.replaceAll('_', '-')));
  return {
    operation,
    method,
    path: `/${operation.product}/v1/${words.join('/')}`,
    pathParameters,
    query: hasBody ? new Map() : queryOf(operation, pathParameters),
    hasBody,
    isCreation: verb === 'create',
  };
}

const nameOf = ({ name, product }: Operation): string => name.slice(product.length + 1);

/** What the names speak of: whatever is listed, read, made, changed or deleted. */
function resourcesOf({ operations }: Catalogue): ReadonlySet<string> {
  const resources = new Set<string>();
  for (const operation of operations) {
    const [, resource] = /^(.+?)_(?:list|get|create|update|delete)$/.exec(nameOf(operation)) ?? [];
    if (resource !== undefined && !resource.endsWith('_bulk')) resources.add(resource);
  }
  return resources;
}

/**
 * What the operation speaks of and what it does: the longest known name that it begins with. Operations on nothing that
 * is listed, such as reports, speak of what their name says up to its first plural.
 */
function partsOf(name: string, resources: ReadonlySet<string>): { resource: string; verb: string } {
  const words = name.split('_');
  for (let count = words.length; count > 0; count -= 1) {
    const resource = words.slice(0, count).join('_');
    if (resources.has(resource)) return { resource, verb: words.slice(count).join('_') };
  }
  const plural = words.findIndex((word) => word.endsWith('s'));
  const count = plural === -1 ? words.length : plural + 1;
  return { resource: words.slice(0, count).join('_'), verb: words.slice(count).join('_') };
}

function isRequired({ input }: Operation, name: string): boolean {
  const schema = input.shape[name] as z.core.$ZodType | undefined;
  return schema !== undefined && schema._zod.optin !== 'optional';
}

/** A read that has to be given an object, or several, would not fit into an address. */
function needsBody(operation: Operation): boolean {
  return Object.entries(operation.input.shape).some(
    ([name, schema]) => isRequired(operation, name) && parameterOf(name, schema).form === 'json',
  );
}

function queryOf({ input }: Operation, inPath: readonly string[]): ReadonlyMap<string, QueryParameter> {
  const own = Object.entries(input.shape).filter(
    ([name]) => !inPath.includes(name) && name !== 'idempotency_key',
  );
  return new Map(own.map(([name, schema]) => [name, parameterOf(name, schema)]));
}

function parameterOf(name: string, schema: z.core.$ZodType): QueryParameter {
  const base = baseOf(schema);
  if (base._zod.def.type !== 'array') return { name, form: formOf(base), isList: false };
  const form = formOf(baseOf((base as z.core.$ZodArray)._zod.def.element));
  // A list of objects is one JSON text, as an object is.
  return { name, form, isList: form !== 'json' };
}

/** The schema of what is sent, without what makes it optional, null or something else afterwards. */
function baseOf(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType; in?: z.core.$ZodType } };
  if (def.type === 'pipe') return baseOf(def.in!);
  return def.innerType === undefined ? schema : baseOf(def.innerType);
}

function formOf(schema: z.core.$ZodType): QueryForm {
  const { def } = schema._zod as { def: { type: string; options?: readonly z.core.$ZodType[] } };
  if (def.type === 'number') return 'number';
  if (def.type === 'boolean') return 'boolean';
  if (def.type === 'string' || def.type === 'enum' || def.type === 'literal') return 'text';
  // What may be text, such as an amount, is sent as text.
  if (def.options?.some((option) => formOf(baseOf(option)) === 'text')) return 'text';
  return 'json';
}
