import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CAPABILITIES_KEY,
  callOf,
  createRawClient,
  headOf,
  type RawClient,
  rawSocket,
  VERSION_KEY,
} from '../../test/support/raw-client.ts';
import { gate, KNOWN_ID, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const GET = callOf('finance_items_get', { id: KNOWN_ID });
const FORM = { capabilities: { elicitation: {} } };
const ENVELOPE = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: { elicitation: {} } };

describe.each(['lean', 'sdk'] as const)('the HTTP transport (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  const metadata = () =>
    `resource_metadata="${server.origin}/.well-known/oauth-protected-resource/finance/mcp"`;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
  });

  describe('endpoint', () => {
    it('TR-01: serves each product on its own path and nothing elsewhere', async () => {
      expect((await client.m('server/discover')).status).toBe(200);
      const dunning = createRawClient(`${server.origin}/dunning/mcp`, 'kob_finance_full');
      expect((await dunning.m('server/discover')).status).toBe(401);
      const elsewhere = await client.send('POST', {}, '/mcp');
      expect([elsewhere.status, elsewhere.text]).toEqual([404, '']);
    });

    it.each(['GET', 'DELETE', 'HEAD', 'PUT', 'PATCH'])(
      'TR-02 TR-03 TR-04: answers %s with 405 and Allow',
      async (method) => {
        const answer = await client.send(method, { 'Mcp-Session-Id': 'x', Accept: 'text/event-stream' });
        expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
      },
    );

    it('TR-38: does not serve the transport of 2024', async () => {
      expect((await client.send('GET', {}, '/sse')).status).toBe(404);
    });

    it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'https://app.example:444'])(
      'TR-05 TR-07: refuses the origin %s before any work, without a challenge',
      async (Origin) => {
        const answer = await client.m('tools/call', GET, { headers: { Origin } });
        expect(answer.status).toBe(403);
        expect(answer.headers['www-authenticate']).toBeUndefined();
        expect(answer.body).not.toHaveProperty('id');
        expect(ran).toEqual([]);
      },
    );

    it.each(['https://app.example', 'http://localhost:5173', 'http://localhost'])(
      'TR-05 TR-11: serves pages of %s and lets them read the challenge',
      async (Origin) => {
        const answer = await client.m('tools/list', {}, { headers: { Origin } });
        expect(answer.status).toBe(200);
        expect(answer.headers['access-control-allow-origin']).toBe(Origin);
        expect(answer.headers['access-control-expose-headers']).toBe('WWW-Authenticate');
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      },
    );

    it('TR-06: serves clients that send no origin', async () => {
      expect((await client.m('tools/list')).status).toBe(200);
    });

    it.each([
      ['evil.example', 403],
      ['127.0.0.1.evil.example', 403],
      ['localhost:1', 200],
      ['LOCALHOST', 200],
    ])('TR-08: judges the host %s', async (Host, status) => {
      expect((await client.m('tools/list', {}, { headers: { Host } })).status).toBe(status);
    });

    it('TR-11: answers a preflight without a token, and tells strangers nothing', async () => {
      const headers = { Authorization: null, 'Content-Type': null, 'Access-Control-Request-Method': 'POST' };
      const allowed = await client.send('OPTIONS', { ...headers, Origin: 'https://app.example' });
      expect([allowed.status, allowed.text]).toEqual([204, '']);
      expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example');
      expect(allowed.headers['access-control-allow-headers']).toBe(
        'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, ' +
          'Kobana-Toolsets, Kobana-Readonly, Kobana-Workspace',
      );
      const stranger = await client.send('OPTIONS', { ...headers, Origin: 'https://evil.example' });
      expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
    });

    it.each([
      ['server/discover', 'm'],
      ['tools/list', 'm'],
      ['unknown/method', 'm'],
      ['initialize', 'l'],
      ['ping', 'l'],
      ['notifications/initialized', 'l'],
    ] as const)('TR-10 AU-07: asks for a token before %s (%s)', async (method, era) => {
      const answer = await createRawClient(server.url, null)[era](method);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe(`Bearer scope="finance:read", ${metadata()}`);
      expect(answer.body.error.code).toBe('unauthenticated');
    });

    it('AU-05 AU-08: names the error only when a token was given', async () => {
      const garbage = await createRawClient(server.url, 'kob_dunning_full').m('tools/list');
      expect([garbage.status, garbage.headers['www-authenticate']]).toEqual([
        401,
        `Bearer error="invalid_token", scope="finance:read", ${metadata()}`,
      ]);
      const basic = await client.m('tools/list', {}, { headers: { Authorization: 'Basic eDp5' } });
      expect([basic.status, basic.headers['www-authenticate']]).toEqual([
        401,
        `Bearer scope="finance:read", ${metadata()}`,
      ]);
    });

    it.each(['Bearer', 'Bearer a b', 'Bearer "kob_finance_full"'])(
      'AU-06: refuses the credentials `%s`',
      async (value) => {
        const answer = await client.m('tools/list', {}, { headers: { Authorization: value } });
        expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      },
    );

    it('AU-06: refuses two tokens, and a token in the address', async () => {
      const twice = await rawSocket(
        server.port,
        `POST /finance/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n${'Authorization: Bearer kob_finance_full\r\n'.repeat(2)}Content-Length: 2\r\n\r\n{}`,
      );
      expect(twice).toMatch(/^HTTP\/1\.1 400 /);
      const inUrl = createRawClient(`${server.url}?access_token=kob_finance_full`, null);
      expect((await inUrl.m('tools/list')).status).toBe(400);
    });
  });

  it.each([
    ['kob_finance_down', 503, 'unavailable'],
    ['kob_finance_crash', 500, 'internal'],
  ])('AU-18: with %s, a failing look-up is an HTTP error without internals', async (token, status, code) => {
    const answer = await createRawClient(server.url, token).m('tools/list');
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.text).not.toContain('db.internal');
    server.failures.length = 0;
  });

  it('AU-05 CF-13: a token revoked a moment ago changes nothing', async () => {
    const revoked = createRawClient(server.url, 'kob_finance_revoked');
    const { status, headers, body } = await revoked.m(
      'tools/call',
      callOf('finance_items_create', { name: 'x' }),
    );
    expect(ran).toEqual([]);
    if (wire === 'lean') {
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        `Bearer error="invalid_token", scope="finance:read", ${metadata()}`,
      ]);
    } else {
      expect([status, body.result.isError]).toEqual([200, true]);
    }
  });

  it('TR-71 TR-72: what has begun is finished when its sender leaves, and is not run again', async () => {
    const call = { id: KNOWN_ID };
    const first = await client.m('tools/call', callOf('finance_items_delete', call), FORM);
    const params = callOf('finance_items_delete', call, first.body.result.requestState);
    const begun = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    Object.assign(gate, { begun: begun.resolve, open: open.promise });
    const body = JSON.stringify({ ...RPC, method: 'tools/call', params: { ...params, _meta: ENVELOPE } });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${headOf('finance_items_delete', body.length)}${body}`);
    await begun.promise;
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.destroy();
    await closed;
    open.resolve();
    await expect.poll(() => ran).toEqual(['delete']);
    const again = await client.m('tools/call', params, FORM);
    expect(again.body.result.content[0].text).toContain('confirmation_replayed');
    expect([ran, server.failures]).toEqual([['delete'], []]);
  });

  it('TR-37: keeps a connection through refusals', async () => {
    const body = JSON.stringify({ ...RPC, method: 'tools/list', params: { _meta: ENVELOPE } });
    const good = `${headOf('', body.length).replace('tools/call', 'tools/list')}${body}`;
    const unread = good.replace('kob_finance_full', 'nobody');
    const answers = await rawSocket(
      server.port,
      `${unread}${good}${good.replace('POST', 'PUT')}${good}`,
      300,
    );
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual([
      '401',
      '200',
      '405',
      '200',
    ]);
  });
});
