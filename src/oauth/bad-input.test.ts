/** What is refused, how, and what it tells: the client in the words of OAuth, people in plain ones, the log without secrets. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  askUrl,
  CALLBACK,
  createTestBrowser,
  decide,
  formOf,
  postForm,
  postJson,
  registerClient,
  type TestBrowser,
} from '../../test/support/oauth.ts';
import { openSession } from '../../test/support/session.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { createOAuth } from './index.ts';

let world: World;
let server: Server;
let origin: string;
/** Stands for the hosts that publish metadata documents. */
let publisher: Server;
let published: string;
let document: (req: IncomingMessage, res: ServerResponse) => void;
const failures: unknown[] = [];
const refusals: string[] = [];
let address = '10.0.0.1';

beforeAll(async () => {
  world = await openWorld();
  world.setNow(new Date().toISOString());
  publisher = createServer((req, res) => document(req, res));
  published = `127.0.0.1:${await portOf(publisher)}`;
  const mount = createOAuth({
    database: world.runtime.database,
    secretKeys: world.runtime.secretKeys,
    now: world.now,
    addressOf: () => address,
    testHosts: [published],
    logFailure: (error) => `failure-${failures.push(error)}`,
    logRefusal: (what, facts) => refusals.push(JSON.stringify({ what, ...facts })),
  });
  server = createServer((req, res) => {
    if (!mount(req, res, origin)) res.writeHead(404).end('elsewhere');
  });
  origin = `http://127.0.0.1:${await portOf(server)}`;
});
afterAll(async () => {
  for (const each of [server, publisher]) {
    each.close();
    each.closeAllConnections();
  }
  await world.close();
});
beforeEach(() => {
  failures.length = 0;
  refusals.length = 0;
  address = `10.0.0.${Math.floor(Math.random() * 250)}.${Math.random()}`;
});

async function portOf(listening: Server): Promise<number> {
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

async function signedIn(): Promise<TestBrowser> {
  const browser = createTestBrowser(origin);
  browser.signIn((await openSession(world, 'several')).cookie);
  return browser;
}

/** What the client is told by way of the browser. */
async function refusalFor(clientId: string, changes: Record<string, string | null>) {
  const visit = await (await signedIn()).get(askUrl({ origin, clientId, changes }).url);
  const { searchParams, hash } = visit.left ?? new URL(CALLBACK);
  return { visit, told: Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]) };
}

async function codeFor(clientId: string): Promise<{ code: string; verifier: string }> {
  const browser = await signedIn();
  const { url, verifier } = askUrl({ origin, clientId });
  const { left } = await decide(browser, await browser.get(url));
  return { code: left!.searchParams.get('code')!, verifier };
}

const exchange = (form: Record<string, string>) =>
  postForm(`${origin}/oauth/token`, { grant_type: 'authorization_code', redirect_uri: CALLBACK, ...form });

describe('an authorization request', () => {
  it.each([
    ['an address nobody registered', { redirect_uri: 'https://evil.example/cb' }, 'endereço que não é dele'],
    ['one that only begins like it', { redirect_uri: `${CALLBACK}.evil.example` }, 'endereço que não é dele'],
    ['one with more in the path', { redirect_uri: `${CALLBACK}/../evil` }, 'endereço que não é dele'],
    ['no address', { redirect_uri: null }, 'incompleto ou errado'],
    ['a client nobody knows', { client_id: 'nobody' }, 'não pôde ser identificado'],
    ['no client', { client_id: null }, 'incompleto ou errado'],
  ])('AU-48: with %s is answered to nobody, in a page', async (_what, changes, words) => {
    const clientId = await registerClient(origin);
    const { visit } = await refusalFor(clientId, changes);
    expect([visit.status, visit.left]).toEqual([400, null]);
    expect(visit.text).toContain(words);
    expect(visit.text).not.toContain('evil.example');
    expect(visit.text).not.toMatch(/\n\s+at |node_modules|oops/);
    expect(visit.headers.get('x-frame-options')).toBe('DENY');
    expect(refusals).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('takes any port of the machine itself (RFC 8252, 7.3)', async () => {
    const clientId = await registerClient(origin);
    const { visit } = await refusalFor(clientId, { redirect_uri: 'http://127.0.0.1:51234/callback' });
    expect(visit.status).toBe(200);
    expect(visit.text).toContain('127.0.0.1:51234');
  });

  it.each([
    ['no resource', { resource: null }, 'invalid_target'],
    ['another resource', { resource: 'https://elsewhere.example/finance/mcp' }, 'invalid_target'],
    ['a resource with a slash more', { resource: 'slash' }, 'invalid_target'],
    ['the bare origin as resource', { resource: 'origin' }, 'invalid_target'],
    ['a scope nobody knows', { scope: 'finance:read admin' }, 'invalid_scope'],
    ['a scope of the other product', { scope: 'dunning:read' }, 'invalid_scope'],
    ['the scope openid', { scope: 'openid finance:read' }, 'invalid_scope'],
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['prompt=none', { prompt: 'none' }, 'consent_required'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a request elsewhere', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['an answer in the fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
    ['an answer in a form', { response_mode: 'form_post' }, 'unsupported_response_mode'],
  ])(
    'AU-41 AU-42 AU-47: with %s is refused to the client, with issuer and state',
    async (_what, said, error) => {
      const clientId = await registerClient(origin);
      const { resource } = said as { resource?: string };
      const named = { slash: `${origin}/finance/mcp/`, origin }[resource ?? ''];
      const { visit, told } = await refusalFor(clientId, {
        ...said,
        ...(named !== undefined && { resource: named }),
      });
      expect(visit.left?.origin).toBe(new URL(CALLBACK).origin);
      expect(told).toMatchObject({ error, iss: origin, state: 'the state of the client' });
      expect(failures).toEqual([]);
    },
  );

  it('gives the state back as it came, whatever it is', async () => {
    const clientId = await registerClient(origin);
    const state = `"><script>&iss=https://evil.example ${'x'.repeat(500)}`;
    const { told } = await refusalFor(clientId, { state, prompt: 'none' });
    expect(told).toMatchObject({ state, iss: origin });
  });

  it('names one resource: two are refused', async () => {
    const clientId = await registerClient(origin);
    const { url } = askUrl({ origin, clientId });
    const two = `${url}&resource=${encodeURIComponent(`${origin}/dunning/mcp`)}`;
    const { left } = await (await signedIn()).get(two);
    expect(left?.searchParams.get('error')).toBe('invalid_target');
  });
});

describe('a consent', () => {
  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['without a word where it comes from', { origin: '' }],
    ['that a browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('is not given by a form %s', async (_what, headers) => {
    const browser = await signedIn();
    const page = await browser.get(askUrl({ origin, clientId: await registerClient(origin) }).url);
    const visit = await browser.post(page.url, { ...formOf(page.text), decision: 'allow' }, headers);
    expect([visit.status, visit.left]).toEqual([403, null]);
  });

  it('is not given without the word of the session, or with that of another one', async () => {
    const browser = await signedIn();
    const page = await browser.get(askUrl({ origin, clientId: await registerClient(origin) }).url);
    for (const word of ['', 'x', formOf((await (await signedIn()).get(page.url)).text)['word'] ?? '']) {
      const visit = await browser.post(page.url, { ...formOf(page.text), word, decision: 'allow' });
      expect(visit.status).toBe(403);
    }
    browser.signIn((await openSession(world, 'owner')).cookie);
    expect((await decide(browser, page)).status).toBe(403);
  });

  it('is not given by a browser that did not start it', async () => {
    const page = await (await signedIn()).get(askUrl({ origin, clientId: await registerClient(origin) }).url);
    const other = await signedIn();
    const visit = await other.get(page.url);
    expect(visit.status).toBe(400);
    expect(visit.text).toContain('expirou ou já foi respondido');
    expect((await decide(other, page)).status).toBe(400);
  });

  it('is not given by a page of another consent', async () => {
    const browser = await signedIn();
    const clientId = await registerClient(origin);
    const first = await browser.get(askUrl({ origin, clientId }).url);
    const visit = await browser.post(`${first.url}x`, { ...formOf(first.text), decision: 'allow' });
    expect([400, 404]).toContain(visit.status);
  });

  it('is given once: the same form again leads nowhere', async () => {
    const browser = await signedIn();
    const page = await browser.get(askUrl({ origin, clientId: await registerClient(origin) }).url);
    expect((await decide(browser, page)).left?.searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
    const again = await decide(browser, page);
    expect([again.status, again.left]).toEqual([400, null]);
  });

  it('is not given by who found an open browser: the proof is of the last five minutes, and a no needs none', async () => {
    const browser = await signedIn();
    const { url } = askUrl({ origin, clientId: await registerClient(origin) });
    const page = await browser.get(url);
    const before = await world.look('select id from connections order by id');
    const instant = world.now();
    world.setNow(new Date(instant.getTime() + 5 * 60_000 + 1_000).toISOString());
    const toVerify = (visit: { url: string }) => {
      const { pathname, searchParams } = new URL(visit.url);
      return [pathname, searchParams.get('next')];
    };
    const consent = new URL(page.url).pathname;
    expect(toVerify(await decide(browser, page))).toEqual(['/console/verify', consent]);
    expect(toVerify(await browser.get(page.url))).toEqual(['/console/verify', consent]);
    expect(await world.look('select id from connections order by id')).toEqual(before);
    const { left } = await decide(browser, page, { decision: 'deny' });
    expect(left?.searchParams.get('error')).toBe('access_denied');
    world.setNow(instant.toISOString());
  });

  it('says nothing of what was sent when it is refused', async () => {
    const browser = await signedIn();
    const page = await browser.get(askUrl({ origin, clientId: await registerClient(origin) }).url);
    const word = '<b>forged</b>';
    const visit = await browser.post(page.url, { ...formOf(page.text), word, decision: 'allow' });
    expect(visit.text).not.toContain('forged');
    expect(refusals.join()).not.toContain('forged');
  });
});

describe('a code', () => {
  it.each([
    ['without the verifier', { code_verifier: '' }],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }],
    ['with another address', { redirect_uri: 'http://127.0.0.1:1/callback' }],
  ])('is not exchanged %s', async (_what, changes) => {
    const clientId = await registerClient(origin);
    const { code, verifier } = await codeFor(clientId);
    const form = { code, client_id: clientId, code_verifier: verifier, ...changes };
    const { status, body } = await exchange(form);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    expect(refusals.join()).not.toContain(code);
  });

  it('is not exchanged by another client, not even with the verifier', async () => {
    const { code, verifier } = await codeFor(await registerClient(origin));
    const thief = await registerClient(origin);
    const { status, body } = await exchange({ code, client_id: thief, code_verifier: verifier });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  it('is not exchanged for the other product', async () => {
    const clientId = await registerClient(origin);
    const { code, verifier } = await codeFor(clientId);
    const resource = `${origin}/dunning/mcp`;
    const { body } = await exchange({ code, client_id: clientId, code_verifier: verifier, resource });
    expect(body.error).toBe('invalid_target');
  });

  it.each([
    ['another grant', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
    ['the grant of programs', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['a refresh token nobody gave', { grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
  ])('is the only way in: not %s', async (_what, form, error) => {
    const client_id = await registerClient(origin);
    const { status, body } = await postForm(`${origin}/oauth/token`, { client_id, ...form } as never);
    expect([status, body.error]).toEqual([400, error]);
  });

  it('a refresh token is of its client and gives no more than was allowed', async () => {
    const clientId = await registerClient(origin);
    const { code, verifier } = await codeFor(clientId);
    const { body } = await exchange({ code, client_id: clientId, code_verifier: verifier });
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const thief = await registerClient(origin);
    const stolen = await postForm(`${origin}/oauth/token`, { ...form, client_id: thief });
    expect(stolen.body.error).toBe('invalid_grant');
    const more = await postForm(`${origin}/oauth/token`, {
      ...form,
      client_id: clientId,
      scope: 'finance:write',
    });
    expect(more.body.error).toBe('invalid_scope');
    expect(refusals.join()).not.toContain(body.refresh_token);
  });
});

describe('a registration', () => {
  it('gives an id and no secret, whatever was asked for', async () => {
    const { status, body, headers } = await postJson(`${origin}/oauth/register`, {
      client_name: 'Program',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'finance:read finance:write',
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', application_type: 'native' });
    expect(Object.keys(body)).not.toContain('client_secret');
  });

  it.each([
    ['no JSON', 'x', 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['nothing', {}, 'invalid_redirect_uri'],
    ['a foreign address', { redirect_uris: ['http://evil.example/'] }, 'invalid_redirect_uri'],
    ['too much', { redirect_uris: [CALLBACK], x: 'x'.repeat(17_000) }, 'invalid_client_metadata'],
    [
      'a type that contradicts its address',
      { redirect_uris: ['cursor://x/cb'], application_type: 'web' },
      'invalid_client_metadata',
    ],
  ])('with %s is refused with its reason', async (_what, body, error) => {
    const answer = await postJson(`${origin}/oauth/register`, body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(failures).toEqual([]);
  });

  it('is not given twenty-one times in an hour to one address', async () => {
    const send = () => postJson(`${origin}/oauth/register`, { redirect_uris: [CALLBACK] });
    const answers = [];
    for (let count = 0; count < 21; count += 1) answers.push(await send());
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(201), 429]);
    expect(Number(answers[20]!.headers.get('retry-after'))).toBeGreaterThan(0);
    address = '203.0.113.9';
    expect((await send()).status).toBe(201);
  });

  it('cannot be read or changed by others: there is no such address', async () => {
    const clientId = await registerClient(origin);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await fetch(`${origin}/oauth/register/${clientId}`, { method })).status).toBe(404);
    }
  });
});

describe('a metadata document', () => {
  const urlOf = () => `https://${published}/client-${Math.random()}.json`;
  const of = (id: string, more: object = {}) =>
    JSON.stringify({ client_id: id, client_name: 'Publicado', redirect_uris: [CALLBACK], ...more });
  const answering =
    (body: string, status = 200, headers = {}) =>
    (_req: IncomingMessage, res: ServerResponse) => {
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    };

  it('AU-43: makes its host vouch for the name', async () => {
    const id = urlOf();
    document = answering(of(id));
    const browser = await signedIn();
    const { url, verifier } = askUrl({ origin, clientId: id });
    const page = await browser.get(url);
    expect(page.status, page.text).toBe(200);
    expect(page.text).toContain('Publicado');
    expect(page.text).toContain('Este site responde pelo nome.');
    expect(page.text).toContain(published);
    const { left } = await decide(browser, page);
    const code = left!.searchParams.get('code')!;
    expect((await exchange({ code, client_id: id, code_verifier: verifier })).status).toBe(200);
    const [connection] = await world.look('select * from connections where client_id = $1', [id]);
    expect(connection).toMatchObject({ is_verified: true, client_host: published, client_name: 'Publicado' });
  });

  it('AU-43: is asked for again only when its time is over', async () => {
    const id = urlOf();
    let asked = 0;
    document = (req, res) => {
      asked += 1;
      answering(of(id), 200, { 'cache-control': 'max-age=600' })(req, res);
    };
    for (let round = 0; round < 3; round += 1) await refusalFor(id, {});
    expect(asked).toBe(1);
  });

  it.each([
    ['is of another client', (_id: string) => of('https://other.example/c.json')],
    ['has no client', (_id: string) => JSON.stringify({ client_name: 'x', redirect_uris: [CALLBACK] })],
    ['has no name', (id: string) => JSON.stringify({ client_id: id, redirect_uris: [CALLBACK] })],
    ['has no address', (id: string) => JSON.stringify({ client_id: id, client_name: 'x' })],
    ['is no JSON', (_id: string) => '<html>'],
    ['is a list', (_id: string) => '[]'],
    ['is huge', (id: string) => of(id, { x: 'x'.repeat(6_000) })],
    ['has a secret', (id: string) => of(id, { client_secret: 'x' })],
    ['wants one', (id: string) => of(id, { token_endpoint_auth_method: 'client_secret_basic' })],
    ['has another address', (id: string) => of(id, { redirect_uris: ['https://app.example/cb'] })],
    ['has a dangerous address', (id: string) => of(id, { redirect_uris: ['javascript:alert(1)'] })],
  ])('AU-43: that %s is refused in a page', async (_what, text) => {
    const id = urlOf();
    document = answering(text(id));
    const { visit } = await refusalFor(id, {});
    expect([visit.status, visit.left]).toEqual([400, null]);
    expect(failures).toEqual([]);
  });

  it.each([301, 302, 307, 404, 500])('AU-44: that answers %i is refused and not followed', async (status) => {
    const paths: string[] = [];
    const id = urlOf();
    document = (req, res) => {
      paths.push(req.url!);
      answering(of(id), status, { location: `http://${published}/elsewhere` })(req, res);
    };
    expect((await refusalFor(id, {})).visit.status).toBe(400);
    expect(paths).toEqual([new URL(id).pathname]);
  });

  it('AU-44: that never ends is given up', async () => {
    document = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => res.write(' '), 20);
      res.on('close', () => clearInterval(timer));
    };
    const { visit } = await refusalFor(urlOf(), {});
    expect(visit.status).toBe(400);
  }, 8_000);

  it.each([
    'https://127.0.0.1:1/c.json',
    'https://localhost:1/c.json',
    'https://[::1]:1/c.json',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.8/c.json',
    'https://[fd00::1]/c.json',
    'https://[::ffff:127.0.0.1]/c.json',
    'https://2130706433/c.json',
    'http://127.0.0.1:1/c.json',
    'https://user:word@app.example/c.json',
  ])('AU-44: at %s is not asked for', async (id) => {
    const { visit } = await refusalFor(id, {});
    expect([visit.status, visit.left]).toEqual([400, null]);
    expect(failures).toEqual([]);
  });

  it('is not asked for without end by one address', async () => {
    let asked = 0;
    document = (_req, res) => {
      asked += 1;
      res.writeHead(404).end();
    };
    const browser = await signedIn();
    for (let count = 0; count < 63; count += 1) await browser.get(askUrl({ origin, clientId: urlOf() }).url);
    expect(asked).toBe(60);
  });
});
