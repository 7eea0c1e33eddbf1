/** The official client's own way in, from an address and nothing else, with a person at the browser. */

import {
  Client,
  type OAuthClientInformationContext,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HttpServer, openServer } from '../../test/support/http.ts';
import { CALLBACK, type Choices, createTestBrowser, decide } from '../../test/support/oauth.ts';
import { openSession } from '../../test/support/session.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { revokeConnection } from '../identity/connections.ts';

const STATE = 'what the client remembers';

/** A program that keeps what it is told, and whose browser is the person's. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly asked: URL[] = [];
  readonly told: StoredOAuthTokens[] = [];
  #client: StoredOAuthClientInformation | undefined;
  #verifier = '';

  get clientMetadata() {
    return {
      client_name: 'Official client',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
  }
  state() {
    return STATE;
  }
  clientInformation(_context?: OAuthClientInformationContext) {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client;
  }
  tokens() {
    return this.told.at(-1);
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.told.push(tokens);
  }
  invalidateCredentials(what: string) {
    if (what === 'tokens' || what === 'all') this.told.length = 0;
  }
  redirectToAuthorization(url: URL) {
    this.asked.push(url);
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

let world: World;
let server: HttpServer;
let origin: string;
beforeAll(async () => {
  world = await openWorld();
  world.setNow(new Date().toISOString());
  server = await openServer(world);
  origin = new URL(server.url).origin;
});
afterAll(async () => {
  await server.close();
  await world.close();
});

/** The person decides on what the program asked for last; the program gets the answer. */
async function answerAt(
  program: Program,
  transport: StreamableHTTPClientTransport,
  choices: Choices = {},
): Promise<URL> {
  const browser = createTestBrowser(origin);
  browser.signIn((await openSession(world)).cookie);
  const page = await browser.get(program.asked.at(-1)!.href);
  const { left } = await decide(browser, page, choices);
  expect(left?.searchParams.get('state')).toBe(STATE);
  await transport.finishAuth(left!.searchParams);
  return left!;
}

async function connect(program: Program, product: string) {
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/${product}/mcp`), {
    authProvider: program,
  });
  const client = new Client({ name: 'journey', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  const connected = client.connect(transport);
  return { transport, client, connected };
}

describe.each([
  ['finance', 'finance_payables_list', 'finance_categories_create', { name: 'Criada', kind: 'expense' }],
  ['dunning', 'dunning_charges_list', 'dunning_people_create', { name: 'Devedor', document: '52998224725' }],
] as const)('the official client at %s', (product, read, write, args) => {
  const program = new Program();

  it('finds the way in from a 401, registers, and reads once a person allowed it', async () => {
    const first = await connect(program, product);
    await expect(first.connected).rejects.toThrow();
    expect(program.asked).toHaveLength(1);
    expect(program.asked[0]!.searchParams.get('scope')).toBe(`${product}:read`);
    await answerAt(program, first.transport);
    expect(program.told).toHaveLength(1);
    const { client, connected } = await connect(program, product);
    await connected;
    const answer = await client.callTool({ name: read, arguments: {} });
    expect(answer.isError).toBeFalsy();
    await client.close();
  });

  it('is told what a write needs, and asks the person again with the same registration', async () => {
    const { client, connected, transport } = await connect(program, product);
    await connected;
    await expect(client.callTool({ name: write, arguments: args })).rejects.toThrow();
    const [before, again] = program.asked.slice(-2);
    expect(again!.searchParams.get('client_id')).toBe(before!.searchParams.get('client_id'));
    expect(again!.searchParams.get('scope')!.split(' ')).toContain(`${product}:write`);
    await answerAt(program, transport);
    await client.close();
    const wider = await connect(program, product);
    await wider.connected;
    const answer = await wider.client.callTool({ name: write, arguments: args });
    expect(answer.content).toBeDefined();
    expect(JSON.stringify(answer)).not.toContain('insufficient_scope');
    await wider.client.close();
  });

  it('refreshes by itself when its access token is over', async () => {
    const before = program.told.length;
    world.setNow(new Date(world.now().getTime() + 3_601_000).toISOString());
    const { client, connected } = await connect(program, product);
    await connected;
    expect((await client.callTool({ name: read, arguments: {} })).isError).toBeFalsy();
    expect(program.told.length).toBe(before + 1);
    expect(program.asked).toHaveLength(2);
    await client.close();
  });

  it('is asked for consent again once its connection was revoked', async () => {
    const { client, connected } = await connect(program, product);
    await connected;
    const rows = await world.look<{ id: string }>('select id from connections where product = $1', [product]);
    for (const { id } of rows) await revokeConnection(world.runtime.database.shared, id, null, world.now());
    // Every process is told; that takes a moment.
    await vi.waitFor(async () => {
      await expect(client.callTool({ name: read, arguments: {} })).rejects.toThrow();
    });
    expect(program.asked).toHaveLength(3);
  });
});
