import { describe, expect, it } from 'vitest';
import { clientFactsOf, formTargetOf, isLocalRedirect, redirectHostOf } from './clients.ts';

const REDIRECT = 'https://app.example/callback';
const of = (said: object) => clientFactsOf({ redirect_uris: [REDIRECT], ...said });

describe('what a client says of itself', () => {
  it.each([
    'https://app.example/callback?from=us',
    'https://app.example:8443/',
    'http://localhost:3118/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9000/callback',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'com.example.app:/callback',
  ])('may be answered at %s', (uri) => {
    expect(of({ redirect_uris: [uri] }).redirect_uris).toEqual([uri]);
  });

  it.each([
    'http://app.example/callback',
    'http://192.168.0.7/callback',
    'https://app.example/callback#fragment',
    'https://person:word@app.example/',
    'https://a;frame-ancestors/x',
    'https://a,b/x',
    'https:app.example/callback',
    'http:localhost/callback',
    'http://localhost.app.example/callback',
    'http://127.0.0.1.app.example/callback',
    'https://*.app.example/callback',
    'javascript:alert(1)',
    'JavaScript://x/%0aalert(1)',
    'ms-msdt:/id',
    'search-ms:query=x',
    'chrome-extension://x/y',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'intent://x',
    '/callback',
    'https://app.example/with space',
    `https://app.example/${'x'.repeat(500)}`,
    '',
  ])('may not be answered at %s', (uri) => {
    expect(() => of({ redirect_uris: [uri] })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri' }),
    );
  });

  it.each([[undefined], [[]], ['https://app.example/'], [[1]], [Array.from({ length: 11 }, () => REDIRECT)]])(
    'has to name from one to ten addresses: %j',
    (redirect_uris) => {
      expect(() => of({ redirect_uris })).toThrow(expect.objectContaining({ code: 'invalid_redirect_uri' }));
    },
  );

  it('AU-46: is a native program when an answer does not go to https, unless it says otherwise', () => {
    expect(of({}).application_type).toBe('web');
    expect(of({ redirect_uris: ['http://localhost/cb', REDIRECT] }).application_type).toBe('native');
    expect(of({ redirect_uris: ['cursor://x/cb'] }).application_type).toBe('native');
    expect(of({ application_type: 'native' }).application_type).toBe('native');
  });

  it('keeps nothing it does not use: no scopes, no secrets, no pictures', () => {
    const facts = of({
      client_name: 'Program',
      client_uri: 'https://app.example',
      logo_uri: 'https://app.example/logo.png',
      scope: 'finance:write',
      client_secret: 'x',
      grant_types: ['password'],
      __proto__: { polluted: true },
    });
    expect(Object.keys(facts).sort()).toEqual([
      'application_type',
      'client_name',
      'client_uri',
      'grant_types',
      'redirect_uris',
      'response_types',
    ]);
    expect(facts.grant_types).toEqual(['authorization_code', 'refresh_token']);
  });

  it('has a name without anything invisible, or the place its answers go to', () => {
    expect(of({ client_name: 'Pro\u202egram\u200b\n\u0000' }).client_name).toBe('Program');
    expect(of({ client_name: '\u200b' }).client_name).toBe('app.example');
    expect(of({ client_name: '\u3164\u115f' }).client_name).toBe('app.example');
    expect(of({}).client_name).toBe('app.example');
    for (const client_name of ['x'.repeat(101), 5, ['x']]) {
      expect(() => of({ client_name })).toThrow(expect.objectContaining({ code: 'invalid_client_metadata' }));
    }
  });
});

describe('where an answer goes', () => {
  it.each([
    ['https://app.example:8443/cb', 'app.example:8443', false, 'https://app.example:8443'],
    ['http://127.0.0.1:7777/cb', '127.0.0.1:7777', true, 'http://127.0.0.1:7777'],
    ['http://[::1]:7777/cb', '[::1]:7777', true, 'http:'],
    ['cursor://x.y/cb', 'cursor:', true, 'cursor:'],
  ])('%s is shown, warned of, and allowed as a target', (uri, host, isLocal, target) => {
    expect([redirectHostOf(uri), isLocalRedirect(uri), formTargetOf(uri)]).toEqual([host, isLocal, target]);
  });
});
