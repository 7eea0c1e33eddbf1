/** Every operation of both products against every kind of caller who must not run it: none is left out. */

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { products } from '../../src/apps/runtime.ts';
import type { Product } from '../../src/core/caller.ts';
import { newId } from '../../src/core/ids.ts';
import type { Operation } from '../../src/core/operation.ts';
import { type Role, roleScopes } from '../../src/identity/roles.ts';
import { createToken, revokeToken } from '../../src/identity/tokens.ts';
import { errorOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { type Answer, callOf } from '../support/raw-client.ts';
import { formCapable, openWorld, type World } from '../support/world.ts';
import { clientOf, tokenFor } from './product.ts';

const ERAS = ['m', 'l'] as const;
const ROLES = ['viewer', 'accountant', 'collections', 'finance'] as const satisfies readonly Role[];
type Holder = 'full' | 'read' | 'expired' | 'revoked' | (typeof ROLES)[number];

let world: World;
let server: HttpServer;
const tokens = {} as Record<Product, Record<Holder, string>>;
/** Which tests called an operation, to see that none was left out. */
const checks = new Map<string, Set<string>>();

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  for (const product of ['finance', 'dunning'] as const) tokens[product] = await tokensOf(product);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

async function tokensOf(product: Product): Promise<Record<Holder, string>> {
  const { user } = await world.caller('owner');
  const db = world.runtime.database.shared;
  const tokenOf = (access: 'read' | 'write', expiresAt: string) =>
    createToken(db, {
      userId: user.id,
      organizationId: world.organizationId,
      product,
      access,
      workspaceId: product === 'finance' ? world.workspaceId : null,
      expiresAt: new Date(expiresAt),
    });
  const revoked = await tokenOf('write', '2030-01-01T00:00:00Z');
  await revokeToken(db, revoked.id, world.now());
  const ofRoles = ROLES.map(
    async (role) => [role, (await tokenFor(world, { role, product })).token] as const,
  );
  return {
    ...(Object.fromEntries(await Promise.all(ofRoles)) as Record<(typeof ROLES)[number], string>),
    full: (await tokenOf('write', '2030-01-01T00:00:00Z')).token,
    read: (await tokenOf('read', '2030-01-01T00:00:00Z')).token,
    expired: (await tokenOf('write', '2026-10-01T12:00:00Z')).token,
    revoked: revoked.token,
  };
}

/** Where the challenge says that tokens come from. */
const metadataOf = (product: Product): string =>
  `resource_metadata="http://127.0.0.1:${server.port}/.well-known/oauth-protected-resource/${product}/mcp"`;

interface Sent {
  readonly args?: object;
  readonly capabilities?: unknown;
}

/** One call of the operation on each era. */
async function callsOf(operation: Operation, token: string | null, sent: Sent = {}): Promise<Answer[]> {
  const { args = {}, capabilities = formCapable } = sent;
  const client = clientOf(server.port, token, operation.product as Product);
  const answers: Answer[] = [];
  for (const era of ERAS) {
    answers.push(await client[era]('tools/call', callOf(operation.name, args), { capabilities }));
  }
  const known = checks.get(operation.name) ?? new Set();
  checks.set(operation.name, known.add(expect.getState().currentTestName!));
  return answers;
}

function expectUnauthenticated(answers: readonly Answer[], product: Product, error: string): void {
  for (const { status, headers, body } of answers) {
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      `Bearer ${error}scope="${product}:read", ${metadataOf(product)}`,
    ]);
    expect(body.error.code).toBe('unauthenticated');
    expect(body).not.toHaveProperty('result');
  }
}

/** The error code in a result, or undefined when there is none. */
const codeOf = ({ body }: Answer): string | undefined => body.result?._meta?.['com.kobana/error']?.error.code;

const operations = Object.values(products).flatMap(({ catalogue }) => catalogue.operations);
const CHECKS = 8;

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s',
  (_name, operation) => {
    const { access, tenant, effect } = operation;
    const product = operation.product as Product;
    const other = product === 'finance' ? 'dunning' : 'finance';

    it('AU-05: answers nobody without a token', async () => {
      expectUnauthenticated(await callsOf(operation, null), product, '');
    });

    it('AU-08: does not take a token of the other product', async () => {
      expectUnauthenticated(await callsOf(operation, tokens[other].full), product, 'error="invalid_token", ');
    });

    it('AU-05: does not take a token from the second it expires', async () => {
      expectUnauthenticated(
        await callsOf(operation, tokens[product].expired),
        product,
        'error="invalid_token", ',
      );
    });

    it('AU-05: does not take a revoked token', async () => {
      expectUnauthenticated(
        await callsOf(operation, tokens[product].revoked),
        product,
        'error="invalid_token", ',
      );
    });

    it('TO-25 AU-11 AU-15: with a read token only reads, whatever the arguments are', async () => {
      for (const answer of await callsOf(operation, tokens[product].read)) {
        if (access === 'read') {
          expect([200, 'insufficient_scope']).not.toContain(codeOf(answer));
          expect(answer.status).toBe(200);
          continue;
        }
        expect(answer.status).toBe(403);
        expect(answer.headers['www-authenticate']).toBe(
          `Bearer error="insufficient_scope", scope="${product}:write", ${metadataOf(product)}`,
        );
      }
    });

    it('SE-19: treats the workspace of others as one that does not exist', async () => {
      const texts = new Set<string>();
      for (const workspace_id of [world.otherWorkspaceId, world.foreignWorkspaceId, newId()]) {
        const answers = await callsOf(operation, tokens[product].full, { args: { workspace_id } });
        for (const [place, answer] of answers.entries()) {
          const { code, details } = errorOf(answer);
          // Without a workspace it is an argument that nobody knows; whoever cannot ask is told so before arguments are read.
          const cannotAsk = effect === 'destructive' && ERAS[place] === 'l';
          const unknown = cannotAsk ? 'confirmation_required' : 'invalid_argument';
          expect(code).toBe(tenant === 'workspace' ? 'not_found' : unknown);
          if (tenant === 'workspace') expect(details).toEqual({ kind: 'workspace' });
          texts.add(answer.text.replaceAll(workspace_id, 'id'));
        }
      }
      expect(texts.size, 'one answer for each era').toBe(2);
    });

    it('AU-14 AU-17: is forbidden to a role without its scopes, which no new token would cure', async () => {
      for (const role of ROLES) {
        const mayRun = operation.scopes.every((scope) => roleScopes[role].has(scope));
        for (const answer of await callsOf(operation, tokens[product][role])) {
          expect(answer.status).toBe(200);
          expect(answer.headers['www-authenticate']).toBeUndefined();
          expect(codeOf(answer) === 'forbidden', `${role}: ${answer.text}`).toBe(!mayRun);
        }
      }
    });

    it('TO-22 CF-15 CF-80 CF-82: wants a confirmation exactly when it is destructive', async () => {
      for (const answer of await callsOf(operation, tokens[product].full, { capabilities: {} })) {
        expect(codeOf(answer) === 'confirmation_required').toBe(effect === 'destructive');
        expect(answer.body.result.resultType ?? 'complete').toBe('complete');
      }
    });
  },
);

test('no operation was left out, and nothing of all this was run', async () => {
  expect(operations.length).toBeGreaterThan(50);
  expect([...checks].map(([name, done]) => [name, done.size])).toEqual(
    operations.map(({ name }) => [name, CHECKS]),
  );
  const [left] = await world.look(`
    select (select count(*) from events)::int as events,
           (select count(*) from used_confirmations)::int as confirmations,
           (select count(*) from idempotency_keys)::int as keys`);
  expect(left).toEqual({ events: 0, confirmations: 0, keys: 0 });
});
