/** Behind a proxy with TLS, with keys that are being replaced, and with clients that have keys of their own. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  askUrl,
  CALLBACK,
  createTestBrowser,
  decide,
  postForm,
  registerClient,
} from '../../test/support/oauth.ts';
import { openSession } from '../../test/support/session.ts';
import { openWorld, TEST_KEY, type World } from '../../test/support/world.ts';
import { createOAuth } from './index.ts';

const PUBLIC = 'https://books.example';
const NEW_KEY = 'the key that comes next, of thirty-two bytes or more';

let world: World;
const servers: Server[] = [];
beforeAll(async () => {
  world = await openWorld();
  world.setNow(new Date().toISOString());
});
afterAll(async () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  await world.close();
});

/** The address of a server with these keys, which is told that its requests came to `origin`, else to itself. */
async function serve(
  secretKeys: readonly string[],
  origin?: string,
  testHosts: string[] = [],
): Promise<string> {
  const mount = createOAuth({
    database: world.runtime.database,
    secretKeys,
    now: world.now,
    addressOf: () => 'test',
    testHosts,
    logFailure: (error) => {
      throw error;
    },
    logRefusal: () => undefined,
  });
  let address = '';
  const server = createServer((req, res) => {
    if (!mount(req, res, origin ?? address)) res.writeHead(404).end();
  });
  servers.push(server);
  address = `http://127.0.0.1:${await portOf(server)}`;
  return address;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

it('behind TLS everything is of the public address, and cookies go nowhere without it', async () => {
  const address = await serve([TEST_KEY], PUBLIC);
  const metadata: any = await (await fetch(`${address}/.well-known/oauth-authorization-server`)).json();
  expect([metadata.issuer, metadata.token_endpoint]).toEqual([PUBLIC, `${PUBLIC}/oauth/token`]);
  const clientId = await registerClient(address);
  const browser = createTestBrowser(PUBLIC, address);
  browser.move();
  const { secret } = await openSession(world, 'several');
  browser.signIn(`__Host-kobana_session=${secret}`);
  const { url, verifier } = askUrl({ origin: PUBLIC, clientId });
  const first = await fetch(address + new URL(url).pathname + new URL(url).search, { redirect: 'manual' });
  const cookies = first.headers.getSetCookie();
  expect(cookies.length).toBeGreaterThan(1);
  for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/secure.*httponly|httponly.*secure/);
  const page = await browser.get(url);
  expect(new URL(page.url).origin).toBe(PUBLIC);
  const { left } = await decide(browser, page);
  expect(left!.searchParams.get('iss')).toBe(PUBLIC);
  const { status } = await postForm(`${address}/oauth/token`, {
    grant_type: 'authorization_code',
    code: left!.searchParams.get('code')!,
    redirect_uri: CALLBACK,
    client_id: clientId,
    code_verifier: verifier,
    resource: `${PUBLIC}/finance/mcp`,
  });
  expect(status).toBe(200);
});

it('headers of strangers do not change whose server it is', async () => {
  const address = await serve([TEST_KEY]);
  const answer = await fetch(`${address}/.well-known/oauth-authorization-server`, {
    headers: {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    },
  });
  expect(await answer.text()).not.toContain('evil.example');
});

it('a consent begun under the old key is finished under the new one', async () => {
  const before = await serve([TEST_KEY]);
  const after = await serve([NEW_KEY, TEST_KEY], before);
  const without = await serve([NEW_KEY], before);
  const clientId = await registerClient(before);
  const open = async (second: string) => {
    const browser = createTestBrowser(before, second);
    browser.signIn((await openSession(world, 'several')).cookie);
    const page = await browser.get(askUrl({ origin: before, clientId }).url);
    browser.move();
    return decide(browser, page);
  };
  expect((await open(after)).left?.searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
  expect((await open(without)).status).toBe(400);
  const { keys }: any = await (await fetch(`${after}/oauth/jwks`)).json();
  expect(keys).toHaveLength(2);
});

it('a client that publishes its key has to sign for its tokens', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const stranger = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  let id = '';
  const publisher = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(
      JSON.stringify({
        client_id: id,
        client_name: 'Com chave',
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [jwk] },
      }),
    );
  });
  servers.push(publisher);
  const host = `127.0.0.1:${await portOf(publisher)}`;
  id = `https://${host}/client.json`;
  const address = await serve([TEST_KEY], undefined, [host]);
  const browser = createTestBrowser(address);
  browser.signIn((await openSession(world, 'several')).cookie);
  const { url, verifier } = askUrl({ origin: address, clientId: id });
  const { left } = await decide(browser, await browser.get(url));
  const form = {
    grant_type: 'authorization_code',
    code: left!.searchParams.get('code')!,
    redirect_uri: CALLBACK,
    client_id: id,
    code_verifier: verifier,
  };
  const asserted = async (key: typeof privateKey) => ({
    ...form,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(address)
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key),
  });
  for (const wrong of [form, await asserted(stranger.privateKey)]) {
    expect((await postForm(`${address}/oauth/token`, wrong)).status).toBe(401);
  }
  const signed = await asserted(privateKey);
  expect((await postForm(`${address}/oauth/token`, signed)).status).toBe(200);
  expect((await postForm(`${address}/oauth/token`, signed)).status).toBe(401);
});
