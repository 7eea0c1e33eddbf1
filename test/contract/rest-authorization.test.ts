/** Every operation at its route against every token that must not run it, made from the registry: none is left out. */

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { account } from '../../src/account/index.ts';
import { products } from '../../src/apps/runtime.ts';
import type { AccessLevel, Product } from '../../src/core/caller.ts';
import { newId } from '../../src/core/ids.ts';
import { createToken, revokeToken } from '../../src/identity/tokens.ts';
import { fileRoutesOf } from '../../src/rest/files.ts';
import { type Route, routesOf } from '../../src/rest/routes.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { openWorld, type World } from '../support/world.ts';

type Holder = 'full' | 'read' | 'expired' | 'revoked' | 'programs';

let world: World;
let server: HttpServer;
let base: string;
const tokens = {} as Record<Product, Record<Holder, string>>;
/** Which tests asked for a route, to see that none was left out. */
const checks = new Map<string, Set<string>>();

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  base = `http://127.0.0.1:${server.port}`;
  for (const product of ['finance', 'dunning'] as const) tokens[product] = await tokensOf(product);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

async function tokensOf(product: Product): Promise<Record<Holder, string>> {
  const { user } = await world.caller('owner');
  const db = world.runtime.database.shared;
  const tokenOf = (access: AccessLevel, expiresAt: string, isForPrograms = false) =>
    createToken(db, {
      userId: user.id,
      organizationId: world.organizationId,
      product,
      access,
      workspaceId: product === 'finance' ? world.workspaceId : null,
      expiresAt: new Date(expiresAt),
      isForPrograms,
    });
  const revoked = await tokenOf('write', '2030-01-01T00:00:00Z');
  await revokeToken(db, revoked.id, world.now());
  return {
    full: (await tokenOf('write', '2030-01-01T00:00:00Z')).token,
    read: (await tokenOf('read', '2030-01-01T00:00:00Z')).token,
    expired: (await tokenOf('write', '2026-10-01T12:00:00Z')).token,
    programs: (await tokenOf('write', '2030-01-01T00:00:00Z', true)).token,
    revoked: revoked.token,
  };
}

interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  readonly text: string;
  readonly code: string | undefined;
  readonly details: Record<string, unknown> | undefined;
}

/** One request at the route: ids that are none in its path, `args` where its arguments go. */
async function send(route: Route, token: string | null, args: Record<string, string> = {}): Promise<Answer> {
  const path = route.path.replaceAll(/\{\w+\}/g, '0192f0a1-7b1c-7c3d-8e4f-0123456789ab');
  const query = route.hasBody ? '' : `?${new URLSearchParams(args)}`;
  const response = await fetch(`${base}${path}${query}`, {
    method: route.method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(route.hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(route.hasBody && { body: JSON.stringify(args) }),
  });
  const text = await response.text();
  const { code, details } = JSON.parse(text);
  const key = keyOf(route);
  checks.set(key, (checks.get(key) ?? new Set()).add(expect.getState().currentTestName!));
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    text,
    code: isProblem ? code : undefined,
    details: isProblem ? details : undefined,
  };
}

const challengeOf = (product: Product, error: string, access: AccessLevel = 'read'): string =>
  `Bearer ${error}scope="${product}:${access}", resource_metadata="${base}/.well-known/oauth-protected-resource/${product}/mcp"`;

function expectUnauthenticated(answer: Answer, product: Product, error = 'error="invalid_token", '): void {
  expect([answer.status, answer.code]).toEqual([401, 'unauthenticated']);
  expect(answer.challenge).toBe(challengeOf(product, error));
}

const routes = Object.values(products).flatMap((product): readonly Route[] => [
  ...routesOf(product.catalogue),
  ...fileRoutesOf(product).map(({ route, path }) => ({ ...route, path })),
]);
const keyOf = ({ method, path }: Route): string => `${method} ${path}`;
const accountRoutes = routesOf(account);
const CHECKS = 7;
const ACCOUNT_CHECKS = 2;

describe.each(routes.map((route) => [keyOf(route), route] as const))('%s', (_name, route) => {
  const { access, tenant, effect } = route.operation;
  const product = route.operation.product as Product;
  const other = product === 'finance' ? 'dunning' : 'finance';

  it('answers nobody without a token', async () => {
    expectUnauthenticated(await send(route, null), product, '');
  });

  it('does not take a token of the other product', async () => {
    expectUnauthenticated(await send(route, tokens[other].full), product);
  });

  it('does not take a token from the second it expires', async () => {
    expectUnauthenticated(await send(route, tokens[product].expired), product);
  });

  it('does not take a revoked token', async () => {
    expectUnauthenticated(await send(route, tokens[product].revoked), product);
  });

  it('with a read token only reads, whatever the arguments are', async () => {
    const { status, code, challenge } = await send(route, tokens[product].read);
    if (access === 'read') {
      expect([401, 403]).not.toContain(status);
      return;
    }
    expect([status, code]).toEqual([403, 'insufficient_scope']);
    expect(challenge).toBe(challengeOf(product, 'error="insufficient_scope", ', 'write'));
  });

  it('treats the workspace of others as one that does not exist', async () => {
    const texts = new Set<string>();
    for (const workspace_id of [world.otherWorkspaceId, world.foreignWorkspaceId, newId()]) {
      const { text, code, details } = await send(route, tokens[product].full, { workspace_id });
      // Without a workspace it is an argument that nobody knows; whoever cannot ask is told so before arguments are read.
      const unknown = effect === 'destructive' ? 'confirmation_required' : 'invalid_argument';
      expect(code).toBe(tenant === 'workspace' ? 'not_found' : unknown);
      if (tenant === 'workspace') expect(details).toEqual({ kind: 'workspace' });
      texts.add(text.replaceAll(workspace_id, 'id'));
    }
    expect(texts.size).toBe(1);
  });

  it('wants a confirmation exactly when it is destructive, or a key of a program', async () => {
    const ordinary = await send(route, tokens[product].full);
    expect(ordinary.code === 'confirmation_required', ordinary.text).toBe(effect === 'destructive');
    if (effect !== 'destructive') return;
    const program = await send(route, tokens[product].programs);
    expect(program.status, program.text).toBe(422);
    // The arguments that are missing here come first where there are any.
    expect(['idempotency_key_required', 'invalid_argument']).toContain(program.code);
  });
});

describe.each(accountRoutes.map((route) => [keyOf(route), route] as const))('%s', (_name, route) => {
  it('is for people in the console: a token of either product is told so', async () => {
    for (const product of ['finance', 'dunning'] as const) {
      const { status, code } = await send(route, tokens[product].full);
      expect([status, code]).toEqual([403, 'session_required']);
    }
  });

  it('answers nobody else', async () => {
    for (const token of [null, tokens.finance.expired, tokens.dunning.revoked, 'kob_account_nothing']) {
      const { status, code, challenge } = await send(route, token);
      expect([status, code, challenge]).toEqual([401, 'unauthenticated', 'Bearer']);
    }
  });
});

test('no operation was left out, and nothing of all this was run', async () => {
  const registered = Object.values(products).flatMap(({ catalogue }) => catalogue.operations);
  expect([...new Set(routes.map(({ operation }) => operation))]).toEqual(registered);
  expect(routes.length).toBeGreaterThan(200);
  expect(accountRoutes.length).toBeGreaterThan(10);
  expect([...checks].map(([key, done]) => [key, done.size])).toEqual([
    ...routes.map((route) => [keyOf(route), CHECKS]),
    ...accountRoutes.map((route) => [keyOf(route), ACCOUNT_CHECKS]),
  ]);
  const [left] = await world.look(`
    select (select count(*) from events)::int as events,
           (select count(*) from used_confirmations)::int as confirmations,
           (select count(*) from idempotency_keys)::int as keys,
           (select count(*) from approvals)::int as approvals`);
  expect(left).toEqual({ events: 0, confirmations: 0, keys: 0, approvals: 0 });
});
