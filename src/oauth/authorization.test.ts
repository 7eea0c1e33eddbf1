import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppServer, listen, shut } from '../../src/apps/server.ts';
import { type HttpServer, openServer } from '../../test/support/http.ts';
import {
  askUrl,
  CALLBACK,
  type Choices,
  createTestBrowser,
  decide,
  formOf,
  type Json,
  postForm,
  registerClient,
  type TestBrowser,
} from '../../test/support/oauth.ts';
import { type Answer, createRawClient } from '../../test/support/raw-client.ts';
import { openSession } from '../../test/support/session.ts';
import { openWorld, type Who, type World } from '../../test/support/world.ts';
import { verifyChain } from '../db/events.ts';

const DAY_MS = 86_400_000;

let world: World;
let server: HttpServer;
let origin: string;
let clientId: string;
beforeAll(async () => {
  world = await openWorld();
  world.setNow(new Date().toISOString());
  server = await openServer(world);
  origin = new URL(server.url).origin;
  clientId = await registerClient(origin);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

async function browserOf(who: Who | null = 'several'): Promise<TestBrowser> {
  const browser = createTestBrowser(origin);
  if (who !== null) browser.signIn((await openSession(world, who)).cookie);
  return browser;
}

interface Wish {
  readonly who?: Who;
  readonly product?: 'finance' | 'dunning';
  readonly scope?: string;
  readonly choices?: Choices;
}

/** Asks, has the person decide, and exchanges the code. */
async function tokensFor({
  who = 'several',
  product = 'finance',
  scope,
  choices,
}: Wish): Promise<Json['body']> {
  const browser = await browserOf(who);
  const { url, verifier } = askUrl({ origin, clientId, product, ...(scope !== undefined && { scope }) });
  const { left } = await decide(browser, await browser.get(url), choices);
  const { status, body } = await exchange(left!.searchParams.get('code')!, verifier);
  expect([status, body.token_type, body.expires_in]).toEqual([200, 'Bearer', 3_600]);
  return body;
}

function exchange(code: string, verifier: string, changes: Record<string, string> = {}): Promise<Json> {
  return postForm(`${origin}/oauth/token`, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: clientId,
    code_verifier: verifier,
    ...changes,
  });
}

function refresh(token: string, changes: Record<string, string> = {}): Promise<Json> {
  return postForm(`${origin}/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: clientId,
    ...changes,
  });
}

function call(token: string, name: string, product = 'finance'): Promise<Answer> {
  return createRawClient(`${origin}/${product}/mcp`, token).m('tools/call', { name, arguments: {} });
}

const statusOf = async (token: string): Promise<number> =>
  (await call(token, 'finance_payables_list')).status;

const getJson = async (url: string): Promise<any> => (await fetch(url)).json();

const connections = () =>
  world.look<Record<string, any>>('select * from connections order by created_at, id');

describe('the metadata', () => {
  it.each(['finance', 'dunning'])(
    'AU-01 AU-03 AU-04 AU-16: says who lets clients in at %s',
    async (product) => {
      const answer = await fetch(`${origin}/.well-known/oauth-protected-resource/${product}/mcp`);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(await answer.json()).toEqual({
        resource: `${origin}/${product}/mcp`,
        authorization_servers: [origin],
        scopes_supported: [`${product}:read`],
        bearer_methods_supported: ['header'],
        resource_name: product === 'finance' ? 'Kobana Finance' : 'Kobana Dunning',
      });
    },
  );

  it('AU-02: is where the challenge says', async () => {
    const { headers } = await createRawClient(server.url, null).m('tools/list');
    const url = /resource_metadata="([^"]+)"/.exec(headers['www-authenticate']!)![1]!;
    expect(await getJson(url)).toMatchObject({ resource: server.url });
  });

  it('AU-03: has no document for the bare origin', async () => {
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource`)).status).toBe(404);
  });

  it.each(['oauth-authorization-server', 'openid-configuration'])(
    'AU-40 AU-41 AU-42 AU-43: names in %s what is there, and nothing that is not',
    async (name) => {
      const answer = await fetch(`${origin}/.well-known/${name}`);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const document = (await answer.json()) as Record<string, unknown>;
      expect(document).toMatchObject({
        issuer: origin,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        scopes_supported: ['finance:read', 'finance:write', 'dunning:read', 'dunning:write'],
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      });
      for (const [field, url] of Object.entries(document)) {
        if (/_endpoint$|_uri$/.test(field))
          expect(String(url).startsWith(`${origin}/oauth/`), field).toBe(true);
      }
    },
  );

  it('publishes the public half of its keys and no other', async () => {
    const { keys } = await getJson(`${origin}/oauth/jwks`);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig' });
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('lets pages of any origin register and ask for tokens', async () => {
    for (const path of ['register', 'token', 'revoke']) {
      const answer = await fetch(`${origin}/oauth/${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      expect([answer.status, answer.headers.get('access-control-allow-credentials')]).toEqual([204, null]);
      expect(answer.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/app\.example)$/);
    }
  });
});

describe('the consent page', () => {
  it('sends whoever is not signed in to sign in, and back to this very consent', async () => {
    const browser = await browserOf(null);
    const visit = await browser.get(askUrl({ origin, clientId }).url);
    const { pathname, searchParams } = new URL(visit.url);
    expect(pathname).toBe('/console/sign-in');
    expect(searchParams.get('next')).toMatch(/^\/oauth\/interaction\/[\w-]+$/);
    browser.signIn((await openSession(world, 'several')).cookie);
    expect((await browser.get(searchParams.get('next')!)).status).toBe(200);
  });

  it('AU-45: shows who asks, where the answer goes, and warns of programs on the machine itself', async () => {
    const { text, headers } = await (await browserOf()).get(askUrl({ origin, clientId }).url);
    for (const word of ['A program of tests', '127.0.0.1:7777', 'Não verificado', 'Kobana Financeiro']) {
      expect(text).toContain(word);
    }
    expect(text).toContain('qualquer programa daqui poderia dizer que é este');
    const away = await registerClient(origin, { redirect_uris: ['https://app.example/cb'] });
    const page = await (await browserOf()).get(
      askUrl({ origin, clientId: away, redirectUri: 'https://app.example/cb' }).url,
    );
    expect(page.text).toContain('app.example');
    expect(page.text).not.toContain('qualquer programa daqui');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;");
    expect(headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:7777;");
  });

  it('cannot be framed, cached or told to another site', async () => {
    const { headers } = await (await browserOf()).get(askUrl({ origin, clientId }).url);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('speaks the language of the person', async () => {
    await world.look("update users set locale = 'en' where email = 'several@example.com'");
    const { text } = await (await browserOf()).get(askUrl({ origin, clientId, scope: 'finance:write' }).url);
    await world.look("update users set locale = 'pt-BR' where email = 'several@example.com'");
    for (const word of [
      '<html lang="en">',
      'asks to connect to',
      'Look and change',
      'Every workspace I reach',
    ]) {
      expect(text).toContain(word);
    }
  });

  it('shows a name with markup in it as text', async () => {
    const client_name = '<img src=x onerror=alert(1)>"\'&';
    const evil = await registerClient(origin, { client_name });
    const { text } = await (await browserOf()).get(askUrl({ origin, clientId: evil }).url);
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
  });

  it('offers the workspaces the person reaches and no other', async () => {
    const { text } = await (await browserOf()).get(askUrl({ origin, clientId }).url);
    expect(text).toContain(world.workspaceId);
    expect(text).toContain(world.otherWorkspaceId);
    expect(text).not.toContain(world.foreignWorkspaceId);
  });

  it('AU-49: is shown each time, whatever was allowed before', async () => {
    const browser = await browserOf();
    for (let round = 0; round < 2; round += 1) {
      const page = await browser.get(askUrl({ origin, clientId }).url);
      expect(page.status).toBe(200);
      expect((await decide(browser, page)).left?.searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
    }
  });

  it.each(['consent', 'login', 'login consent'])('is the answer to prompt=%s as well', async (prompt) => {
    const browser = await browserOf();
    const page = await browser.get(askUrl({ origin, clientId, changes: { prompt } }).url);
    expect((await decide(browser, page)).left?.searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
  });
});

describe('what is allowed', () => {
  it('AU-08 AU-13 AU-47: is for one product, with reading where writing was asked for', async () => {
    const { access_token: token, scope } = await tokensFor({ scope: 'finance:write' });
    expect(scope).toBe('finance:read finance:write');
    expect(await statusOf(token)).toBe(200);
    expect((await call(token, 'dunning_charges_list', 'dunning')).status).toBe(401);
    const other = await tokensFor({ product: 'dunning' });
    expect((await call(other.access_token, 'dunning_charges_list', 'dunning')).status).toBe(200);
    expect(await statusOf(other.access_token)).toBe(401);
  });

  it('may be less than was asked for', async () => {
    const { access_token: token, scope } = await tokensFor({
      scope: 'finance:write',
      choices: { access: 'read' },
    });
    expect(scope).toBe('finance:read');
    expect((await call(token, 'finance_payables_create')).status).toBe(403);
    expect((await connections()).at(-1)).toMatchObject({ access: 'read' });
  });

  it.each([
    ['a workspace of somebody else', 'finance:read', { workspace: 'foreign' }],
    ['another time', 'finance:read', { days: '9999' }],
    ['no access at all', 'finance:read', { access: '' }],
  ])('is never %s, whatever the form says', async (_what, scope, choices) => {
    const browser = await browserOf();
    const page = await browser.get(askUrl({ origin, clientId, scope }).url);
    const before = await connections();
    const workspace = 'workspace' in choices ? { workspace: world.foreignWorkspaceId } : {};
    const visit = await decide(browser, page, { ...choices, ...workspace });
    expect([visit.status, visit.left]).toEqual([400, null]);
    expect(await connections()).toEqual(before);
  });

  it('may be more than was asked for, which the person is told, and the client with its tokens', async () => {
    const browser = await browserOf();
    const { url, verifier } = askUrl({ origin, clientId, scope: 'finance:read' });
    const page = await browser.get(url);
    expect(formOf(page.text)['access']).toBe('read');
    expect(page.text).toContain('O programa pediu só consulta.');
    const { left } = await decide(browser, page, { access: 'write' });
    const { body } = await exchange(left!.searchParams.get('code')!, verifier);
    expect(body.scope).toBe('finance:read finance:write');
    expect((await call(body.access_token, 'finance_payables_create')).status).toBe(200);
    expect((await refresh(body.refresh_token)).body.scope).toBe('finance:read finance:write');
  });

  it('is never writing for whoever may only look, unless the client asked for it', async () => {
    const browser = await browserOf('viewer');
    const page = await browser.get(askUrl({ origin, clientId, scope: 'finance:read' }).url);
    expect(page.text).not.toContain('value="write"');
    expect((await decide(browser, page, { access: 'write' })).status).toBe(400);
  });

  it('is pinned to the workspace the person chose, or to none', async () => {
    const pinned = await tokensFor({ choices: { workspace: world.otherWorkspaceId } });
    const caller = await world.runtime.authenticator.authenticate(
      pinned.access_token,
      'finance',
      world.now(),
    );
    expect([...caller!.workspaces.keys()]).toEqual([world.otherWorkspaceId]);
    const all = await tokensFor({ choices: { workspace: 'all' } });
    const free = await world.runtime.authenticator.authenticate(all.access_token, 'finance', world.now());
    expect([free!.workspaces.size, free!.defaultWorkspaceId]).toEqual([2, null]);
    expect(free!.clientId).toBe(clientId);
  });

  it('AU-17: never gives more than the person may', async () => {
    const { access_token: token } = await tokensFor({ who: 'viewer', scope: 'finance:write' });
    const answer = await createRawClient(server.url, token).m('tools/call', {
      name: 'finance_categories_create',
      arguments: { name: 'x', kind: 'expense' },
    });
    expect([answer.status, answer.body.result.isError]).toEqual([200, true]);
    expect(answer.text).toContain('forbidden');
  });

  it('is read when no scope is named', async () => {
    const browser = await browserOf();
    const { url, verifier } = askUrl({ origin, clientId, changes: { scope: null } });
    const { left } = await decide(browser, await browser.get(url));
    expect((await exchange(left!.searchParams.get('code')!, verifier)).body.scope).toBe('finance:read');
  });

  it('takes offline_access as it comes from clients of OpenID Connect', async () => {
    const { scope, refresh_token } = await tokensFor({ scope: 'finance:read offline_access' });
    expect([scope, typeof refresh_token]).toEqual(['finance:read', 'string']);
  });

  it('is a connection with its end, and a line of the audit chain that says who allowed it', async () => {
    await tokensFor({ choices: { days: '7', workspace: world.workspaceId } });
    const connection = (await connections()).at(-1)!;
    expect(connection).toMatchObject({
      client_id: clientId,
      client_name: 'A program of tests',
      client_host: '127.0.0.1:7777',
      is_verified: false,
      product: 'finance',
      workspace_id: world.workspaceId,
      revoked_at: null,
    });
    expect(connection['expires_at'].getTime()).toBe(world.now().getTime() + 7 * DAY_MS);
    const [event] = await world.look<{ body: any }>(
      `select body from events where tenant_id = $1 order by position desc limit 1`,
      [world.organizationId],
    );
    const body = typeof event!.body === 'string' ? JSON.parse(event!.body) : event!.body;
    expect(body).toMatchObject({
      operation: 'account_connections_create',
      actor: { userId: connection['user_id'], surface: 'console' },
      changes: [{ kind: 'connection', id: connection['id'], before: null }],
    });
    const tenant = { organizationId: world.organizationId, workspaceId: null };
    const report = await world.runtime.database.read(tenant, (db) => verifyChain(db, world.organizationId));
    expect(report.broken).toBeNull();
  });

  it('is nothing when the person says no, and the client is told so with its own state', async () => {
    const browser = await browserOf();
    const before = await connections();
    const page = await browser.get(askUrl({ origin, clientId }).url);
    const { left } = await decide(browser, page, { decision: 'deny' });
    expect(Object.fromEntries(left!.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state of the client',
      iss: origin,
    });
    expect(await connections()).toEqual(before);
  });
});

describe('tokens', () => {
  it('AU-48: rotate: the new refresh token works, and both access tokens until their end', async () => {
    const first = await tokensFor({});
    const { status, body } = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect([await statusOf(first.access_token), await statusOf(body.access_token)]).toEqual([200, 200]);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('refreshes once more for a client that lost the answer, within half a minute', async () => {
    const first = await tokensFor({});
    const lost = await refresh(first.refresh_token);
    const again = await refresh(first.refresh_token);
    expect([lost.status, again.status]).toEqual([200, 200]);
    expect((await refresh(again.body.refresh_token)).status).toBe(200);
  });

  it('a refresh token that comes again later ends the whole connection at once', async () => {
    const first = await tokensFor({});
    const { body } = await refresh(first.refresh_token);
    const instant = world.now();
    world.setNow(new Date(instant.getTime() + 30_001).toISOString());
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await connections()).at(-1)!['revoked_at']).not.toBeNull();
    await expect.poll(() => statusOf(body.access_token)).toBe(401);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    world.setNow(instant.toISOString());
  });

  it('a code that comes again ends the connection it gave', async () => {
    const browser = await browserOf();
    const { url, verifier } = askUrl({ origin, clientId });
    const { left } = await decide(browser, await browser.get(url));
    const code = left!.searchParams.get('code')!;
    const { body } = await exchange(code, verifier);
    expect(await statusOf(body.access_token)).toBe(200);
    expect((await exchange(code, verifier)).body.error).toBe('invalid_grant');
    await expect.poll(() => statusOf(body.access_token)).toBe(401);
  });

  it('of two servers that get the same code at once, one gives tokens', async () => {
    const browser = await browserOf();
    const { url, verifier } = askUrl({ origin, clientId });
    const { left } = await decide(browser, await browser.get(url));
    const code = left!.searchParams.get('code')!;
    const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(code, verifier)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it.each(['refresh_token', 'access_token'])(
    'the %s, revoked by its client, ends the connection',
    async (kind) => {
      const tokens = await tokensFor({});
      const form = { token: tokens[kind], client_id: clientId };
      expect((await postForm(`${origin}/oauth/revoke`, form)).status).toBe(200);
      await expect.poll(() => statusOf(tokens.access_token)).toBe(401);
      expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    },
  );

  it('are not revoked by another client', async () => {
    const tokens = await tokensFor({});
    const other = await registerClient(origin);
    await postForm(`${origin}/oauth/revoke`, { token: tokens.refresh_token, client_id: other });
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('end with the role of their person', async () => {
    const tokens = await tokensFor({ who: 'accountant' });
    await world.look(
      `delete from memberships where user_id = (select id from users where email = 'accountant@example.com')`,
    );
    world.runtime.authenticator.forget();
    expect(await statusOf(tokens.access_token)).toBe(401);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('AU-19: are kept nowhere in clear', async () => {
    const tokens = await tokensFor({});
    const [{ all }] = (await world.look<{ all: string }>(
      `select (select coalesce(string_agg(o::text, ''), '') from oauth_records o)
           || (select string_agg(t::text, '') from tokens t) || (select string_agg(c::text, '') from connections c) as all`,
    )) as [{ all: string }];
    for (const secret of [tokens.access_token, tokens.refresh_token]) expect(all).not.toContain(secret);
  });
});

describe('two servers over one database', () => {
  it('a yes that reaches both at once is one connection', async () => {
    const browser = await browserOf();
    const { url, verifier } = askUrl({ origin, clientId });
    const page = await browser.get(url);
    const before = (await connections()).length;
    const visits = await Promise.all(Array.from({ length: 3 }, () => decide(browser, page)));
    expect((await connections()).length).toBe(before + 1);
    const codes = visits.flatMap(({ left }) => left?.searchParams.get('code') ?? []);
    expect(codes.length).toBeGreaterThan(0);
    expect((await exchange(codes[0]!, verifier)).status).toBe(200);
  });

  it('a person goes on at the second when the first is gone, at each step', async () => {
    const second = createAppServer(world.runtime, { publicUrl: origin });
    const port = await listen(second, 0, '127.0.0.1');
    const elsewhere = `http://127.0.0.1:${port}`;
    // What a proxy in front of both does: the name stays, the server changes.
    const browser = createTestBrowser(origin, elsewhere);
    browser.signIn((await openSession(world, 'several')).cookie);
    const { url, verifier } = askUrl({ origin, clientId });
    const page = await browser.get(url);
    browser.move();
    const again = await browser.get(page.url);
    expect(formOf(again.text)).toEqual(formOf(page.text));
    const visit = await decide(browser, again);
    browser.move();
    const code = visit.left!.searchParams.get('code')!;
    const { status, body } = await exchange(code, verifier);
    expect(status).toBe(200);
    expect(await statusOf(body.access_token)).toBe(200);
    await shut(second, 0);
  });
});
