/** A product small enough to read at once, with one operation of each kind, for tests of the wire. */

import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Caller } from '../../src/core/caller.ts';
import { isCivilMonth } from '../../src/core/dates.ts';
import { AppError, fail } from '../../src/core/errors.ts';
import { parseId } from '../../src/core/ids.ts';
import { catalogueOf, operation } from '../../src/core/operation.ts';
import type { ProductDefinition } from '../../src/core/surfaces.ts';

export const KNOWN_ID = '0192f0a1-7b1c-7c3d-8e4f-0123456789ab';
export const MISSING_ID = '0192f0a1-7b1c-7c3d-8e4f-00000000dead';
export const MIB = 1024 * 1024;

/** What ran, by operation name; tests empty it. */
export const ran: string[] = [];
/** Swapped by tests that need a certain file. */
export const file = { bytes: Buffer.from('%PDF-1.7 small'), contentType: 'application/pdf' };
/** The deletion says that it began, and goes on when `open` is settled. */
export const gate = { begun: (): void => undefined, open: Promise.resolve() };
/** Calls of the suggestion source. */
export const suggested: string[] = [];

const owner = z.object({ name: z.string() }).meta({ id: 'owner_of_item' });
/** Named, and with a named part, as the records of the real products are. */
const item = z.object({ id: z.string(), name: z.string(), owner: owner.optional() }).meta({ id: 'item' });

const get = operation({
  name: 'finance_items_get',
  title: 'Get an item',
  summary: 'One item.',
  effect: 'read',
  scope: 'finance.items',
  input: { id: z.uuid().describe('The item.') },
  output: item,
  run: async ({ id }) => {
    ran.push('get');
    if (id === MISSING_ID) fail('not_found', { kind: 'item' });
    return { id, name: 'Ação “quoted” \u2028 \\' };
  },
});

const list = operation({
  name: 'finance_items_list',
  title: 'List items',
  summary: 'All items.',
  effect: 'read',
  scope: 'finance.items',
  input: {},
  output: z.object({ items: z.array(item) }),
  run: async () => ({ items: [] }),
});

const failing = operation({
  name: 'finance_items_fail',
  title: 'Fail',
  summary: 'Fails in the way asked for.',
  effect: 'read',
  scope: 'finance.items',
  input: { id: z.string().describe('The error code, or "crash".') },
  output: z.object({}),
  run: async ({ id }) => {
    if (id === 'crash') throw new Error('password=hunter2 at db.internal:5432');
    throw new AppError(id as 'unavailable', id === 'not_found' ? { reason: 'unpaid' } : undefined);
  },
});

const count = operation({
  name: 'finance_items_count',
  title: 'Count items',
  summary: 'Counts, telling how far it is.',
  effect: 'read',
  scope: 'finance.items',
  input: { pause: z.number().max(1_000).describe('Milliseconds between two reports.') },
  output: z.object({ count: z.number() }),
  run: async ({ pause }, { progress }) => {
    for (const done of [1, 2, 2, 1, 3]) {
      progress({ done, total: 3, message: `${done} of 3` });
      await wait(pause);
    }
    setTimeout(() => progress({ done: 4, total: 3 }), pause);
    return { count: 3 };
  },
});

const catalog = operation({
  name: 'finance_catalog_list',
  title: 'List the catalog',
  summary: 'Names that depend on no workspace.',
  effect: 'read',
  scope: null,
  tenant: 'none',
  input: {},
  output: z.object({ names: z.array(z.string()) }),
  run: async () => ({ names: ['item', 'order'] }),
});

const create = operation({
  name: 'finance_items_create',
  title: 'Create an item',
  summary: 'Adds an item.',
  effect: 'write',
  scope: 'finance.items',
  input: { name: z.string().min(1).max(50).describe('Its name.') },
  output: item,
  run: async ({ name }) => {
    ran.push('create');
    return { id: KNOWN_ID, name };
  },
});

const remove = operation({
  name: 'finance_items_delete',
  title: 'Delete an item',
  summary: 'Removes an item for good.',
  effect: 'destructive',
  scope: 'finance.items',
  hints: { openWorld: true },
  input: { id: z.uuid().describe('The item.') },
  output: z.object({ deleted: z.boolean() }),
  question: async () => [],
  run: async () => {
    gate.begun();
    await gate.open;
    ran.push('delete');
    return { deleted: true };
  },
});

/** The product `finance` of these tests. */
export const smallProduct: ProductDefinition = {
  product: 'finance',
  serverName: 'kobana-finance',
  title: 'Small finance',
  instructions: 'Static instructions.',
  catalogue: catalogueOf([get, list, failing, count, catalog, create, remove]),
  resources: [
    {
      uri: 'kobana://finance/schemas',
      name: 'schemas',
      title: 'Catalog',
      description: 'All names.',
      mimeType: 'application/json',
      operation: 'finance_catalog_list',
      ttlMs: 3_600_000,
    },
    {
      uri: 'kobana://finance/items/{id}',
      name: 'item',
      title: 'Item',
      description: 'One item.',
      mimeType: 'application/json',
      operation: 'finance_items_get',
      variable: 'uuid',
      completion: {
        kind: 'records',
        operation: 'finance_items_list',
        suggest: async (context, typed) => {
          suggested.push(`${context.workspaceId} ${typed}`);
          if (typed === 'crash') throw new Error('search is down');
          return typed === 'many' ? Array.from({ length: 250 }, (_, index) => `many-${index}`) : [KNOWN_ID];
        },
      },
      ttlMs: 0,
    },
    {
      uri: 'kobana://finance/items/{id}/file',
      name: 'item-file',
      title: 'File',
      description: 'The file of an item.',
      operation: 'finance_items_get',
      variable: 'uuid',
      file: async () => file,
      ttlMs: 0,
    },
    {
      uri: 'kobana://finance/failures/{id}',
      name: 'failure',
      title: 'Failure',
      description: 'Fails.',
      mimeType: 'application/json',
      operation: 'finance_items_fail',
      variable: 'name',
      ttlMs: 0,
    },
  ],
  prompts: [
    {
      name: 'item_overview',
      title: 'Item overview',
      description: 'What there is about an item.',
      arguments: [
        {
          name: 'item_id',
          title: 'Item',
          description: 'The item.',
          required: true,
          parse: (value) => parseId(value),
          form: 'a UUID',
        },
        {
          name: 'month',
          title: 'Month',
          description: 'The month.',
          required: false,
          parse: (value) => (isCivilMonth(value) ? value : null),
          form: 'YYYY-MM',
          completion: { kind: 'values', values: (today) => [today.slice(0, 7), '2025-12', '2024-12'] },
        },
      ],
      operations: ['finance_items_get', 'finance_catalog_list'],
      render: (args, { today, timeZone }) =>
        `Item ${args['item_id']} in ${args['month'] ?? 'any month'}; ${today} ${timeZone}`,
    },
    {
      name: 'catalog_overview',
      title: 'Catalog overview',
      description: 'The catalog.',
      arguments: [],
      operations: ['finance_catalog_list'],
      render: () => 'Show the catalog.',
    },
  ],
};

/** The small product with a short list of its own, and with a panel. */
export const listedProduct: ProductDefinition = {
  ...smallProduct,
  everyday: ['finance_items_get', 'finance_items_create'],
  panels: [
    {
      uri: 'ui://finance/aging',
      name: 'aging',
      title: 'Aging',
      description: 'A panel.',
      operations: ['finance_items_get'],
    },
  ],
};

/** A second product, to show that the two are apart. */
export const otherProduct: ProductDefinition = {
  product: 'dunning',
  serverName: 'kobana-dunning',
  title: 'Small dunning',
  instructions: 'Other static instructions.',
  catalogue: catalogueOf([]),
  resources: [],
  prompts: [],
};

const SCOPES = ['finance.items', 'finance.items.write'];

/** A person of the small product: with every scope in one workspace, unless changed. */
export function callerOf(
  changes: { access?: 'read' | 'write'; scopes?: readonly string[]; workspaces?: number; name?: string } = {},
): Caller {
  const { access = 'write', scopes = SCOPES, workspaces = 1, name = 'full' } = changes;
  const held = new Set(scopes);
  const ids = Array.from({ length: workspaces }, (_, index) => `0192f0a1-0000-7000-8000-00000000000${index}`);
  return {
    product: 'finance',
    access,
    user: { id: `user-${name}`, name: 'Ana', email: 'ana@example.com', locale: 'en' },
    organization: { id: 'org-1', name: 'Acme', timeZone: 'America/Sao_Paulo' },
    tokenId: `token-${name}`,
    clientId: 'test-client',
    tokenExpiresAt: null,
    organizationScopes: held,
    workspaces: new Map(ids.map((id) => [id, { id, name: id, timeZone: 'America/Manaus', scopes: held }])),
    defaultWorkspaceId: workspaces === 1 ? ids[0]! : null,
    visibilityKey: `${access}:${scopes.join(' ')}`,
  };
}
