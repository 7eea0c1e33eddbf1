import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRawClient } from '../../test/support/raw-client.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { openRuntime, type Runtime } from '../apps/runtime.ts';
import { createAppServer, listen, shut } from '../apps/server.ts';
import { createExternalIdentity, type ExternalIdentityConfig } from './external.ts';

const AUDIENCE = 'https://books.example/finance/mcp';
const NOW = new Date('2026-10-01T12:00:00Z');
const seconds = (offset: number): number => Math.floor(NOW.getTime() / 1_000) + offset;

let world: World;
let provider: Server;
let issuer: string;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let stranger: Awaited<ReturnType<typeof generateKeyPair>>;
let published: object;
let asked: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  keys = await generateKeyPair('ES256');
  stranger = await generateKeyPair('ES256');
  published = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] };
  provider = createServer((req, res) => {
    asked.push(req.url!);
    const metadata = { issuer, jwks_uri: `${issuer}/keys` };
    const body = { '/tenant/.well-known/openid-configuration': metadata, '/tenant/keys': published }[
      req.url!
    ];
    res.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/tenant`;
});
afterAll(async () => {
  provider.close();
  provider.closeAllConnections();
  await world.close();
});
beforeEach(() => {
  asked = [];
});

const configOf = (changes: Partial<ExternalIdentityConfig> = {}): ExternalIdentityConfig => ({
  issuer,
  audienceOf: (product) => `https://books.example/${product}/mcp`,
  emailClaim: 'email',
  scopeClaim: 'scope',
  ...changes,
});

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: AUDIENCE,
  exp: seconds(600),
  email: 'owner@example.com',
  email_verified: true,
  scope: 'openid finance:read',
  client_id: 'the client of the provider',
  ...changes,
});

function sign(payload: JWTPayload, header = {}, key = keys.privateKey): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'one', ...header })
    .sign(key);
}

describe('a token of the identity provider', () => {
  it('says who it is for, at which access, until when', async () => {
    const external = createExternalIdentity(configOf());
    expect(await external.verify(await sign(claims()), 'finance', NOW)).toEqual({
      email: 'owner@example.com',
      access: 'read',
      clientId: 'the client of the provider',
      workspaceId: null,
      expiresAt: '2026-10-01T12:10:00.000Z',
    });
    await external.verify(await sign(claims()), 'finance', NOW);
    expect(asked).toEqual(['/tenant/.well-known/openid-configuration', '/tenant/keys']);
  });

  it.each([
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['for the other product', { aud: 'https://books.example/dunning/mcp' }],
    ['for nobody', { aud: undefined }],
    ['that is over', { exp: seconds(-1) }],
    ['without an end', { exp: undefined }],
    ['that begins later', { nbf: seconds(60) }],
    ['without our scopes', { scope: 'openid profile' }],
    ['with scopes of the other product', { scope: 'dunning:write' }],
    ['without an address', { email: undefined }],
    ['with an address nobody verified', { email_verified: false }],
    ['that does not say the address was verified', { email_verified: undefined }],
    ['that says so as a text', { email_verified: 'true' }],
    ['without a client', { client_id: undefined }],
  ])('AU-08 AU-09: %s is no token', async (_what, changes) => {
    const external = createExternalIdentity(configOf());
    expect(await external.verify(await sign(claims(changes)), 'finance', NOW)).toBeNull();
  });

  it.each([
    ['of another type', { typ: 'dpop+jwt' }],
    ['an ID token is not: without a type', { typ: undefined }],
    ['that names a key nobody has', { kid: 'two' }],
  ])('AU-09: %s is no token', async (_what, header) => {
    const external = createExternalIdentity(configOf());
    expect(await external.verify(await sign(claims(), header), 'finance', NOW)).toBeNull();
  });

  it('AU-09: with no signature, a shared secret or a foreign key is no token', async () => {
    const external = createExternalIdentity(configOf());
    const [, payload] = (await sign(claims())).split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey));
    const shared = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'one' })
      .sign(secret);
    const own = await exportJWK(stranger.publicKey);
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.x`,
      shared,
      await sign(claims(), {}, stranger.privateKey),
      await sign(claims(), { jwk: own }, stranger.privateKey),
      await sign(claims(), { jku: 'https://evil.example/keys' }, stranger.privateKey),
      `${(await sign(claims())).slice(0, -4)}AAAA`,
      'a.b.c',
      '..',
      'x'.repeat(9_000),
    ];
    for (const token of forged) expect(await external.verify(token, 'finance', NOW), token).toBeNull();
  });

  it('is read by the claims that were configured', async () => {
    const external = createExternalIdentity(
      configOf({
        audienceOf: () => 'kobana',
        jwksUrl: `${issuer}/keys`,
        emailClaim: 'upn',
        scopeClaim: 'scp',
        workspaceClaim: 'workspace',
      }),
    );
    const payload = {
      iss: issuer,
      aud: ['other', 'kobana'],
      exp: seconds(60),
      upn: 'owner@example.com',
      scp: ['finance:write'],
      azp: 'client',
      workspace: world.workspaceId,
    };
    expect(await external.verify(await sign(payload, { typ: 'JWT' }), 'finance', NOW)).toMatchObject({
      access: 'write',
      clientId: 'client',
      workspaceId: world.workspaceId,
    });
    expect(asked).toEqual(['/tenant/keys']);
    const { workspace: _workspace, ...unpinned } = payload;
    expect(await external.verify(await sign(unpinned), 'finance', NOW)).toBeNull();
  });

  it('is not called wrong when the provider cannot be reached; the next one asks again', async () => {
    let jwksUrl = 'http://127.0.0.1:1/keys';
    const unreachable = createExternalIdentity(configOf({ jwksUrl }));
    await expect(unreachable.verify(await sign(claims()), 'finance', NOW)).rejects.toThrow();
    jwksUrl = `${issuer}/nothing`;
    await expect(
      createExternalIdentity(configOf({ jwksUrl })).verify(await sign(claims()), 'finance', NOW),
    ).rejects.toThrow();
  });
});

describe('a server whose people come from there', () => {
  let runtime: Runtime;
  let server: ReturnType<typeof createAppServer>;
  let origin: string;
  beforeAll(async () => {
    runtime = openRuntime({
      databaseUrl: world.url,
      secretKeys: world.runtime.secretKeys,
      environment: 'test',
      poolSize: 2,
      now: () => NOW,
      identityProvider: configOf({ workspaceClaim: 'workspace' }),
      logFailure: () => undefined,
    });
    server = createAppServer(runtime);
    origin = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  });
  afterAll(async () => {
    await shut(server, 0);
    await runtime.close();
  });

  const pinned = (changes: JWTPayload = {}) => sign(claims({ workspace: world.workspaceId, ...changes }));
  const call = (token: string, name = 'finance_payables_list') =>
    createRawClient(`${origin}/finance/mcp`, token).m('tools/call', { name, arguments: {} });

  it('names the provider, and lets nobody in itself', async () => {
    const answer = await fetch(`${origin}/.well-known/oauth-protected-resource/finance/mcp`);
    expect(await answer.json()).toMatchObject({ authorization_servers: [issuer] });
    for (const path of ['/oauth/authorize', '/oauth/token', '/.well-known/oauth-authorization-server']) {
      expect((await fetch(origin + path)).status).toBe(404);
    }
  });

  it('serves who is here, with their own rights and no more', async () => {
    expect((await call(await pinned())).status).toBe(200);
    expect((await call(await pinned(), 'finance_categories_create')).status).toBe(403);
    const viewer = await pinned({ email: 'Viewer@example.com', scope: 'finance:write' });
    const answer = await createRawClient(`${origin}/finance/mcp`, viewer).m('tools/call', {
      name: 'finance_categories_create',
      arguments: { name: 'x', kind: 'expense' },
    });
    expect([answer.status, answer.body.result.isError]).toEqual([200, true]);
  });

  it('reaches the workspace the token names and no other', async () => {
    const caller = await runtime.authenticator.authenticate(await pinned(), 'finance', NOW);
    expect([...caller!.workspaces.keys()]).toEqual([world.workspaceId]);
    expect(caller!.tokenId).toBeNull();
    const foreign = await pinned({ workspace: world.foreignWorkspaceId });
    const nowhere = (await runtime.authenticator.authenticate(foreign, 'finance', NOW))!;
    expect(nowhere.workspaces.size).toBe(0);
    expect((await runtime.authenticator.refresh(nowhere, NOW))!.workspaces.size).toBe(0);
  });

  it('makes nobody, and takes no product for the other', async () => {
    const before = await world.look('select id from users');
    expect((await call(await pinned({ email: 'nobody@example.com' }))).status).toBe(401);
    expect(await world.look('select id from users')).toEqual(before);
    const token = await pinned();
    expect((await createRawClient(`${origin}/dunning/mcp`, token).m('tools/list')).status).toBe(401);
  });

  it('looks again at who is calling, and lets go of who has no role or whose token is over', async () => {
    const { authenticator } = runtime;
    const caller = (await authenticator.authenticate(
      await pinned({ email: 'approver@example.com' }),
      'finance',
      NOW,
    ))!;
    const again = await authenticator.refresh(caller, NOW);
    expect(again).toMatchObject({ user: caller.user, access: 'read', tokenExpiresAt: caller.tokenExpiresAt });
    expect([...again!.workspaces.keys()]).toEqual([world.workspaceId]);
    expect(await authenticator.refresh(caller, new Date(NOW.getTime() + 600_000))).toBeNull();
    await world.look(
      `delete from memberships where user_id = (select id from users where email = 'approver@example.com')`,
    );
    expect(await authenticator.refresh(caller, NOW)).toBeNull();
    authenticator.forget();
    expect((await call(await pinned({ email: 'approver@example.com' }))).status).toBe(401);
  });

  it('still takes tokens made by hand', async () => {
    expect((await call(world.tokens.owner)).status).toBe(200);
    expect((await call(`${world.tokens.owner}.x.y`)).status).toBe(401);
  });
});
