/** The official client's own authorization flow against a running server, with consent in a real browser: both products. */

import {
  type Client,
  InsufficientScopeError,
  type StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Callback } from '../support/agent.ts';
import {
  AgentMemory,
  type AgentOptions,
  authorizeWith,
  connectAgent,
  openCallback,
} from '../support/agent.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { openPerson, type Person } from '../support/person.ts';
import { createOwnerThere, type ServeProcess, startServe } from '../support/processes.ts';
import { TEST_KEY } from '../support/world.ts';

vi.setConfig({ testTimeout: 60_000 });
const PASSWORD = 'um rio atravessa a planície';

/** A write that needs nothing there before, for each product. */
const writes = {
  finance: { name: 'finance_categories_create', arguments: { name: 'Aluguel', kind: 'expense' } },
  dunning: { name: 'dunning_people_create', arguments: { name: 'Devedora de Teste', kind: 'natural' } },
} as const;

let database: TestDatabase;
let serve: ServeProcess;
let origin: string;
let browser: Browser;
let callback: Callback;
let owner: Person;

describe.skipIf(chromiumPath() === null)('the official client, from an empty database', () => {
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const created = await createOwnerThere(database.url, [TEST_KEY]);
    serve = await startServe(database.url, [TEST_KEY]);
    origin = new URL(serve.url).origin;
    browser = (await openBrowser())!;
    callback = await openCallback();
    owner = await openPerson(browser, origin);
    await owner.go(created.path);
    await owner.fill('password', PASSWORD);
    await owner.fill('password_again', PASSWORD);
    await owner.press('Entrar');
    await owner.press('Sair');
  }, 120_000);
  afterAll(async () => {
    callback?.close();
    await browser?.close();
    await serve?.end('SIGTERM');
    await database?.drop();
  });

  describe.each(['finance', 'dunning'] as const)('%s', (product) => {
    let client: Client;
    let transport: StreamableHTTPClientTransport;
    let memory: AgentMemory;
    const options = (access: 'read' | 'write'): AgentOptions => ({
      url: `${origin}/${product}/mcp`,
      callback,
      memory,
      onTransport: (used) => {
        transport = used;
      },
      async authorize(asked) {
        await owner.go(asked.href);
        // Whoever is not signed in signs in on the way, and comes back to the question.
        if (owner.page.url().includes('/console/sign-in')) {
          await owner.fill('email', 'dona@aurora.example');
          await owner.fill('password', PASSWORD);
          await owner.press('Entrar');
        }
        const choice = owner.page.locator(`[name="access"][value="${access}"]`);
        if ((await choice.count()) > 0) await choice.check();
        await owner.looksWell();
        await owner.press('Permitir');
      },
    });
    const me = async () =>
      ((await client.callTool({ name: `${product}_me`, arguments: {} })) as any).structuredContent;

    test('discovers, registers, proves its key, and connects with what was consented to', async () => {
      memory = new AgentMemory(callback.url, 'Agente');
      client = await connectAgent(options('read'));
      expect(memory.asked!.searchParams.get('code_challenge_method')).toBe('S256');
      expect(memory.asked!.searchParams.get('resource')).toBe(`${origin}/${product}/mcp`);
      expect(await me()).toMatchObject({ access: 'read', person: { email: 'dona@aurora.example' } });
    });

    test('comes back with a new token by itself when the old one is over', async () => {
      const before = memory.granted!;
      memory.granted = { ...before, access_token: 'an-access-token-whose-time-is-long-over' };
      expect(await me()).toMatchObject({ access: 'read' });
      expect(memory.granted.access_token).not.toBe(before.access_token);
      expect(memory.granted.refresh_token).not.toBe(before.refresh_token);
    });

    test('asks for more when a tool needs it, and gets it by a new consent', async () => {
      memory.asked = undefined;
      const refused = await client.callTool(writes[product]).catch((error: unknown) => error);
      expect(
        refused instanceof UnauthorizedError || refused instanceof InsufficientScopeError,
        String(refused),
      ).toBe(true);
      expect(memory.asked!.searchParams.get('scope')).toContain(`${product}:write`);
      await authorizeWith(options('write'), transport);
      client = await connectAgent(options('write'));
      expect(await me()).toMatchObject({ access: 'write' });
      expect((await client.callTool(writes[product])).isError).not.toBe(true);
    });

    test('a token of it is no token of the other product', async () => {
      const other = product === 'finance' ? 'dunning' : 'finance';
      const answer = await fetch(`${origin}/${other}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${memory.granted!.access_token}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
      expect(answer.status).toBe(401);
      await client.close();
    });
  });
});
